use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    pub weight: u32,
}

fn main() {}
