use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(unique = "ignoreCase")]
    pub name: String,
    #[field(unique = case)]
    pub code: String,
    #[field(unique = ignore_case)]
    pub ean: i64,
}

fn main() {}
