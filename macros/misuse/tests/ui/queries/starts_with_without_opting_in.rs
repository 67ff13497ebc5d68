use restwell::Resource;
use restwell::filter::starts_with;

#[derive(Debug, Clone, Resource)]
pub struct Offer {
    #[field(filter)]
    pub name: Option<String>,
}

fn main() {
    let _ = OfferQuery::new().name(starts_with("A"));
}
