use restwell::Resource;

#[derive(Resource)]
#[resource(deprecated, sunset = "June 2027")]
pub struct Offer {
    pub name: String,
}

fn main() {}
