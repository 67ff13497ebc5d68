use restwell::Resource;

#[derive(Resource)]
#[resource(versions("beta.v1"), retired("beta.v1"))]
pub struct Offer {
    pub name: String,
}

fn main() {}
