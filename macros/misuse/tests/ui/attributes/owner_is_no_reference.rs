use restwell::Resource;

#[derive(Resource)]
#[resource(owner = name)]
pub struct Offer {
    pub name: String,
}

fn main() {}
