use restwell::Resource;

#[derive(Resource)]
#[resource(unique(name, colour))]
pub struct Offer {
    pub name: String,
}

fn main() {}
