use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    pub name: fn() -> String,
}

fn main() {}
