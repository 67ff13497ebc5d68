use restwell::Resource;

#[derive(Resource)]
#[resource(under(name))]
pub struct Offer {
    pub name: String,
}

fn main() {}
