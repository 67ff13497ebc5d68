use restwell::Resource;

#[derive(Resource)]
#[resource(plural = "offers", plural = "offerings")]
pub struct Offer {
    pub name: String,
}

fn main() {}
