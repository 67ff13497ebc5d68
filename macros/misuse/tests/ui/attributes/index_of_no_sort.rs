use restwell::Resource;

#[derive(Resource)]
#[resource(index(colour, name))]
pub struct Offer {
    #[field(filter)]
    pub colour: bool,
    #[field(max_length = 20)]
    pub name: String,
}

fn main() {}
