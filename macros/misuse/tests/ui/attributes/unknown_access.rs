use restwell::Resource;

#[derive(Resource)]
#[resource(operations(list(access = "super admin")))]
pub struct Offer {
    pub name: String,
}

fn main() {}
