use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(sort)]
    pub images: Vec<String>,
}

fn main() {}
