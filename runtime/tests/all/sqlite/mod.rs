//! The embedded store, seen through HTTP: what a read may cost, what becomes of its files, and what other releases stored.

mod files;
mod known_entities;
mod reads;
mod stored_values;
mod wire;

use restwell::{Builder, Object, Resource};

/// What heaps are made of.
#[derive(Debug, Clone, Object)]
pub(crate) struct Grain {
    pub(crate) size: i64,
}

/// Something that can be large, and searched.
#[derive(Debug, Clone, Resource)]
#[resource(search, operations(create, list, get, update))]
pub(crate) struct Heap {
    #[field(filter, sort)]
    pub(crate) name: Option<String>,
    pub(crate) label: Option<String>,
    pub(crate) grains: Vec<Grain>,
}

/// The service under test.
pub(crate) fn service() -> Builder {
    Builder::new("quarry").resource::<Heap>()
}
