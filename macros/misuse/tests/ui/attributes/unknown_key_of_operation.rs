use restwell::Resource;

#[derive(Resource)]
#[resource(operations(list(acess = user)))]
pub struct Offer {
    pub name: String,
}

fn main() {}
