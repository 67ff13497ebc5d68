use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(show(name))]
    pub seller: String,
}

fn main() {}
