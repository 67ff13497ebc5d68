use restwell::Resource;

#[derive(Resource)]
#[resource(serde = on)]
struct Offer {
    name: String,
}

fn main() {}
