use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(filter)]
    pub settings: serde_json::Value,
}

fn main() {}
