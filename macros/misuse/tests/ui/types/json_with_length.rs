use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(max_length = 9)]
    pub settings: serde_json::Value,
}

fn main() {}
