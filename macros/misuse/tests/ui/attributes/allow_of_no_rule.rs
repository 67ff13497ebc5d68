use restwell::Resource;

#[derive(Resource)]
#[resource(allow("plural-arrays" = "so"))]
pub struct Offer {
    pub name: String,
}

fn main() {}
