use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    pub total_item: i64,
}

fn main() {}
