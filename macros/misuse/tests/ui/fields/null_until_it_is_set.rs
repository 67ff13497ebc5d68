use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(read_only)]
    pub number: String,
    #[field(read_only, default = 1)]
    pub rank: i64,
}

fn main() {}
