use restwell::Resource;
use restwell::filter::gte;

#[derive(Debug, Clone, Resource)]
pub struct Offer {
    #[field(filter)]
    pub name: String,
}

fn main() {
    let _ = OfferQuery::new().name(gte("A"));
}
