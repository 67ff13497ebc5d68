use restwell::Resource;

#[derive(Resource)]
#[resource(view(watched, through = "Watch", operations(list)))]
pub struct Offer {
    pub name: String,
}

fn main() {}
