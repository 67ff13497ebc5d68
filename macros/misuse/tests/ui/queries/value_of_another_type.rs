use restwell::Resource;

#[derive(Debug, Clone, Resource)]
pub struct Offer {
    #[field(filter)]
    pub stock: i64,
}

fn main() {
    let _ = OfferQuery::new().stock("five");
}
