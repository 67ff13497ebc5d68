use restwell::Resource;

#[derive(Resource)]
#[resource(owner = seller)]
pub struct Offer {
    pub name: String,
}

fn main() {}
