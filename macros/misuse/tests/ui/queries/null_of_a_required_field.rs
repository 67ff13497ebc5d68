use restwell::Resource;
use restwell::filter::null;

#[derive(Debug, Clone, Resource)]
pub struct Offer {
    #[field(filter)]
    pub stock: i64,
}

fn main() {
    let _ = OfferQuery::new().stock(null());
}
