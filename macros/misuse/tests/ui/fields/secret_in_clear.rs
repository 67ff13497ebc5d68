use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(write_only, secret = plain)]
    pub password: String,
}

fn main() {}
