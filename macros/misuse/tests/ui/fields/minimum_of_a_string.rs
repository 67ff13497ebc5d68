use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(minimum = 1)]
    pub name: String,
}

fn main() {}
