use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(pattern = "(")]
    pub name: String,
}

fn main() {}
