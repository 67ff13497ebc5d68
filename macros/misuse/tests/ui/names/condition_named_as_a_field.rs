use restwell::Resource;

#[derive(Resource)]
#[resource(operations(list), conditions(name = "name == \"a\""))]
struct Offer {
    name: String,
}

fn main() {}
