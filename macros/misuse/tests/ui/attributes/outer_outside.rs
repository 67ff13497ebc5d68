use restwell::Resource;

#[derive(Resource)]
#[resource(operations(list), conditions(named = "outer.name != null"))]
struct Offer {
    name: String,
}

fn main() {}
