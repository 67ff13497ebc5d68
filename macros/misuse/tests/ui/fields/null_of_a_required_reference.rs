use restwell::{Ref, Resource};

#[derive(Resource)]
pub struct User {
    pub name: String,
}

#[derive(Resource)]
pub struct Offer {
    #[field(on_delete = null)]
    pub seller: Ref<User>,
}

fn main() {}
