use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    pub seller: Ref,
}

fn main() {}
