use restwell::Resource;
use restwell::filter::not;

#[derive(Debug, Clone, Resource)]
pub struct Offer {
    #[field(filter(starts_with, contains))]
    pub name: String,
}

fn main() {
    let _ = OfferQuery::new().name(not("A"));
}
