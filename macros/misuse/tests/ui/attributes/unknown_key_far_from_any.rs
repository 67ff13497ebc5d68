use restwell::Resource;

#[derive(Resource)]
#[resource(colour = "red")]
pub struct Offer {
    pub name: String,
}

fn main() {}
