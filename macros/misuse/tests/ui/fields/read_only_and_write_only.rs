use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(read_only, write_only)]
    pub name: Option<String>,
}

fn main() {}
