use restwell::Resource;

use restwell_model::scalar::Date;

#[derive(Resource)]
pub struct Offer {
    #[field(minimum = "tomorrow")]
    pub begin: Date,
}

fn main() {}
