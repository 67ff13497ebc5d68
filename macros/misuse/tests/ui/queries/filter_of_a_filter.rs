use restwell::Resource;
use restwell::filter::{gte, not};

#[derive(Debug, Clone, Resource)]
pub struct Offer {
    #[field(filter(not))]
    pub stock: i64,
}

fn main() {
    let _ = OfferQuery::new().stock(not(gte(5)));
}
