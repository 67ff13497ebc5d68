use restwell::Resource;

#[derive(Resource)]
#[resource(operations(list(access = [])))]
pub struct Offer {
    pub name: String,
}

fn main() {}
