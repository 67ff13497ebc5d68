use restwell::Resource;

#[derive(Resource)]
#[resource(allow("plural-array"))]
pub struct Offer {
    pub name: String,
}

fn main() {}
