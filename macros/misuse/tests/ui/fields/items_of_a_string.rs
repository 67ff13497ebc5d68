use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(max_items = 3)]
    pub name: String,
}

fn main() {}
