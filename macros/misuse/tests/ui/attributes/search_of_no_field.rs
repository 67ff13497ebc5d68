use restwell::Resource;

#[derive(Resource)]
#[resource(search(colour))]
pub struct Offer {
    pub name: String,
}

fn main() {}
