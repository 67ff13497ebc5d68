use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    pub sizes: [i64; 3],
}

fn main() {}
