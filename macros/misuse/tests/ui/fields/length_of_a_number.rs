use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(max_length = 75)]
    pub weight: i64,
}

fn main() {}
