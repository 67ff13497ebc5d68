use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    pub labels: std::collections::HashMap<String, String>,
}

fn main() {}
