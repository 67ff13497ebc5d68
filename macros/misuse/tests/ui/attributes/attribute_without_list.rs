use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field = "filter"]
    pub name: String,
}

fn main() {}
