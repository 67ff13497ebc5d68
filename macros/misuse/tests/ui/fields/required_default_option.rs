use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(required, read_only, default = 1)]
    pub rank: Option<i64>,
    #[field(required, read_only, default(is = "now"))]
    pub made_at: Option<restwell::Timestamp>,
}

fn main() {}
