use restwell::Resource;

#[derive(Resource)]
#[resource(operations(list), conditions(named = "nmae != null"))]
struct Offer {
    name: String,
}

fn main() {}
