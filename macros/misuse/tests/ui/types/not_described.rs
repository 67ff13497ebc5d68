use restwell::Resource;

pub struct Colour;

#[derive(Resource)]
pub struct Offer {
    pub colour: Option<Colour>,
}

fn main() {}
