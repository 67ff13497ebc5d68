use restwell::Resource;

#[derive(Resource)]
pub struct Offer {
    #[field(default = Active)]
    pub name: String,
}

fn main() {}
