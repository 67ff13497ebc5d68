use restwell::Resource;

pub struct Wrapped<T>(T);

#[derive(Resource)]
pub struct Offer {
    pub name: Wrapped<String>,
}

fn main() {}
