use restwell::Resource;

#[derive(Resource)]
#[resource(view(sale))]
pub struct Offer {
    pub name: String,
}

fn main() {}
