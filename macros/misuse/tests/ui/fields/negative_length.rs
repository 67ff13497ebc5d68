use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(max_length = -1)]
    pub name: String,
}

fn main() {}
