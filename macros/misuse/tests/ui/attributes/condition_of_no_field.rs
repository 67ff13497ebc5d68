use restwell::Resource;

#[derive(Resource)]
#[resource(operations(list), conditions(named = "size(nmae) > 3"))]
struct Offer {
    name: String,
}

fn main() {}
