use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    pub image: Vec<String>,
}

fn main() {}
