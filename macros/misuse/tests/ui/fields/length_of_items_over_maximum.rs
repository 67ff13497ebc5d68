use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(min_length = 5, max_length = 3)]
    pub images: Vec<String>,
}

fn main() {}
