use restwell::Resource;

#[derive(Resource)]
#[resource(operations(list), conditions(named = "name != null", named = "name == \"a\""))]
struct Offer {
    name: String,
}

fn main() {}
