use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    pub name: Option<Option<String>>,
}

fn main() {}
