use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(write_only, filter)]
    pub name: String,
}

fn main() {}
