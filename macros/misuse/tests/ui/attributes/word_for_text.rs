use restwell::Resource;

#[derive(Resource)]
#[resource(plural = offers)]
pub struct Offer {
    pub name: String,
}

fn main() {}
