use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    pub size: (i64, i64),
}

fn main() {}
