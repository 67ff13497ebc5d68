use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    pub images: Vec<Vec<String>>,
}

fn main() {}
