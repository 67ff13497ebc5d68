use restwell::Resource;
use uuid::Uuid;

#[derive(Resource)]
pub struct Offer {
    pub seller_id: Uuid,
}

fn main() {}
