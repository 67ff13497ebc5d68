use restwell::{Ref, Resource};

#[derive(Resource)]
#[resource(operations(list), conditions(twin = "any(Folder.parent, outer.nmae == name)"))]
struct Folder {
    name: String,
    parent: Option<Ref<Folder>>,
}

fn main() {}
