use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(format = "url")]
    pub link: String,
}

fn main() {}
