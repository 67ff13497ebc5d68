use restwell::Resource;

#[derive(Resource)]
#[resource(view(path = "/sale/offers", operations(list)))]
pub struct Offer {
    pub name: String,
}

fn main() {}
