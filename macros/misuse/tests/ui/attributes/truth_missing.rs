use restwell::Resource;

#[derive(Resource)]
#[resource(count)]
pub struct Offer {
    pub name: String,
}

fn main() {}
