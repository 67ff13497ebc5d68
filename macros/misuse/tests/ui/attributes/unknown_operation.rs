use restwell::Resource;

#[derive(Resource)]
#[resource(operations(create, remove))]
pub struct Offer {
    pub name: String,
}

fn main() {}
