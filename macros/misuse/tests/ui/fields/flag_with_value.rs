use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(filter = true)]
    pub name: String,
}

fn main() {}
