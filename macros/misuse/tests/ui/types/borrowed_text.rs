use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    pub name: &'static str,
}

fn main() {}
