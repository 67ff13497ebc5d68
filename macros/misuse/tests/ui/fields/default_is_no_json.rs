use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(default = json("{"))]
    pub name: String,
}

fn main() {}
