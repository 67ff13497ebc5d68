use restwell::Resource;

#[derive(Resource)]
#[resource(purral = "offers")]
pub struct Offer {
    pub name: String,
}

fn main() {}
