use restwell::Resource;

#[derive(Resource)]
#[resource(under = seller)]
pub struct Offer {
    pub name: String,
}

fn main() {}
