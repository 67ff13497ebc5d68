use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(minimum = 0.5)]
    pub weight: i64,
}

fn main() {}
