use restwell::Resource;

#[derive(Resource)]
pub enum Offer {
    Sale,
}

fn main() {}
