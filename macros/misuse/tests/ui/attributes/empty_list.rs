use restwell::Resource;

#[derive(Resource)]
#[resource(operations())]
pub struct Offer {
    pub name: String,
}

fn main() {}
