use restwell::Resource;
use restwell_model::scalar::Timestamp;

#[derive(Resource)]
pub struct Offer {
    pub created_at: Timestamp,
}

fn main() {}
