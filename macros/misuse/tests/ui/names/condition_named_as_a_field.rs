use restwell::Resource;

#[derive(Resource)]
#[resource(operations(list), conditions(name = "size(title) > 3"))]
struct Offer {
    name: String,
    title: String,
}

fn main() {}
