use restwell::Resource;

#[derive(Resource)]
#[resource(operations(list), conditions(staff = "caller.any(, property == outer)"))]
struct Property {
    name: String,
}

fn main() {}
