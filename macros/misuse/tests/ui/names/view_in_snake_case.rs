use restwell::Resource;

#[derive(Resource)]
#[resource(view(my_sale, operations(list)))]
pub struct Offer {
    pub name: String,
}

fn main() {}
