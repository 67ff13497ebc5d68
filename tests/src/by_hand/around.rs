//! What stands around the specimens: one resource for each thing that deleting a specimen may do, and two small ones.

use crate::by_hand::specimen::Specimen;
use restwell::serde_json::Value;
use restwell::{Ref, Resource};
use std::collections::BTreeMap;

/// A word on a specimen.
#[derive(Debug, Clone, Resource)]
#[resource(
    view(listed, path = "/listed-tags", operations(list)),
    view(later, path = "/later-tags", operations(create(async), update(async), patch(async), delete(async)))
)]
pub(crate) struct Tag {
    #[field(
        max_length = 20,
        unique,
        filter(not, starts_with, contains, starts_with_ignore_case, contains_ignore_case),
        allow("slow-contains" = "a few hundred words")
    )]
    pub(crate) name: String,
    #[field(max_length = 40, filter(starts_with_ignore_case), unique = ignore_case)]
    pub(crate) alias: Option<String>,
    pub(crate) attributes: BTreeMap<String, Value>,
}

/// Keeps its specimen from being deleted.
#[derive(Debug, Clone, Resource)]
pub(crate) struct Loan {
    #[field(show(name, created_at), filter)]
    pub(crate) specimen: Ref<Specimen>,
    #[field(max_length = 40)]
    pub(crate) borrower: Option<String>,
}

/// Goes with its specimen.
#[derive(Debug, Clone, Resource)]
#[resource(under(specimen))]
pub(crate) struct Photo {
    #[field(on_delete = cascade, filter)]
    pub(crate) specimen: Ref<Specimen>,
    #[field(max_length = 40)]
    pub(crate) caption: Option<String>,
}

/// Outlives its specimen and forgets it.
#[derive(Debug, Clone, Resource)]
pub(crate) struct Visit {
    #[field(on_delete = null, filter)]
    pub(crate) specimen: Option<Ref<Specimen>>,
    #[field(max_length = 40)]
    pub(crate) visitor: Option<String>,
}

/// Written once and never changed; collections of it are too big to count.
#[derive(Debug, Clone, Resource)]
#[resource(count = false, operations(create, list, get))]
pub(crate) struct StockEntry {
    #[field(filter, sort)]
    pub(crate) quantity: i64,
    pub(crate) comment: Option<String>,
}
