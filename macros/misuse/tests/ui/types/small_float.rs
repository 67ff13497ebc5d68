use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    pub weight: f32,
}

fn main() {}
