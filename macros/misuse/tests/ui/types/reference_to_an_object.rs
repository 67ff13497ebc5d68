use restwell::{Object, Ref, Resource};

#[derive(Object)]
pub struct Seller {
    pub name: String,
}

#[derive(Resource)]
pub struct Offer {
    pub seller: Ref<Seller>,
}

fn main() {}
