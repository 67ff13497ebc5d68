use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    pub images: Option<Vec<String>>,
}

fn main() {}
