use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(max_lenght = 75)]
    pub name: String,
}

fn main() {}
