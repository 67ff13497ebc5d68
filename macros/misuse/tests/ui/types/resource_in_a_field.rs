use restwell::Resource;

#[derive(Resource)]
pub struct User {
    pub name: String,
}

#[derive(Resource)]
pub struct Offer {
    pub seller: User,
}

fn main() {}
