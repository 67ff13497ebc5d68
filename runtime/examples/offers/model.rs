//! One resource by hand: what the benchmarks serve.
#![allow(unreachable_pub)] // shared by an example and a benchmark

use restwell::{Builder, Country, Enum, Object, Price, Resource};

/// Something that a seller puts up for sale.
#[derive(Debug, Clone, Resource)]
pub struct Offer {
    #[field(max_length = 200)]
    pub name: String,
    pub description: Option<String>,
    #[field(filter, sort)]
    pub category: Category,
    #[field(filter, sort)]
    pub buy_now: Price,
    pub active: bool,
    #[field(minimum = 0, filter, sort)]
    pub stock: i64,
    pub address: Address,
}

/// What kind of thing it is.
#[derive(Debug, Clone, Enum)]
pub enum Category {
    Books,
    Music,
    Garden,
    Toys,
}

/// Where it is.
#[derive(Debug, Clone, Object)]
pub struct Address {
    pub city: String,
    pub country_code: Country,
}

/// A service of nothing but offers.
pub fn service() -> Builder {
    Builder::new("offers").resource::<Offer>()
}
