use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    pub colours: String,
}

fn main() {}
