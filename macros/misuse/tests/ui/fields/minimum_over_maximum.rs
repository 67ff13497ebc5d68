use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(minimum = 5, maximum = 3)]
    pub weight: i64,
}

fn main() {}
