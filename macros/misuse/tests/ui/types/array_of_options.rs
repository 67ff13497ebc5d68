use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    pub images: Vec<Option<String>>,
}

fn main() {}
