use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    pub name: Box<String>,
}

fn main() {}
