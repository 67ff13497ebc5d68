use restwell::Resource;

#[derive(Resource)]
#[resource(operations(list), conditions(outer = "name == \"a\""))]
struct Offer {
    name: String,
}

fn main() {}
