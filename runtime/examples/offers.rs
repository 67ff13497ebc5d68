//! One resource by hand: what the benchmarks serve. `LISTEN=127.0.0.1:8080 DATABASE_URL=sqlite://offers.db offers`.

use restwell::{Builder, Country, Enum, Object, Price, Resource};
use std::process::ExitCode;

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

#[derive(Debug, Clone, Enum)]
pub enum Category {
    Books,
    Music,
    Garden,
    Toys,
}

#[derive(Debug, Clone, Object)]
pub struct Address {
    pub city: String,
    pub country_code: Country,
}

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    restwell::main(Builder::new("offers").resource::<Offer>())
}
