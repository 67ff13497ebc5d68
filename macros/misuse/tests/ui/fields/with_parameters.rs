use restwell::Resource;

#[derive(Resource)]
pub struct Offer<T> {
    pub name: String,
    pub mark: T,
}

fn main() {}
