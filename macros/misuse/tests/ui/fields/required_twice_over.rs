use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(required)]
    pub name: String,
}

fn main() {}
