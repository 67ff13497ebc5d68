use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(name = "pageURL")]
    pub page: String,
}

fn main() {}
