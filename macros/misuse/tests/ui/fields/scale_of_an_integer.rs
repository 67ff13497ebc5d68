use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(scale = 2)]
    pub weight: i64,
}

fn main() {}
