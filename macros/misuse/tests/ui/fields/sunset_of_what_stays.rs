use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(sunset = "2027-06-30")]
    pub name: String,
}

fn main() {}
