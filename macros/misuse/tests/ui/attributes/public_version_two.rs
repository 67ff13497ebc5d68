use restwell::Resource;

#[derive(Resource)]
#[resource(versions("public.v2"))]
pub struct Offer {
    pub name: String,
}

fn main() {}
