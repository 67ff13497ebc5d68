use restwell::Resource;
use restwell::filter::contains;

#[derive(Debug, Clone, Resource)]
pub struct Offer {
    #[field(filter(not, starts_with))]
    pub name: String,
}

fn main() {
    let _ = OfferQuery::new().name(contains("bench"));
}
