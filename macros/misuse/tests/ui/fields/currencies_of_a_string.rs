use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(currencies("PLN"))]
    pub name: String,
}

fn main() {}
