//! The specimens in Rust: what `schemas/` says in YAML, as a person would write it without the generator.

mod around;
mod keeper;
mod specimen;

use around::{Loan, Photo, StockEntry, Tag, Visit};
use keeper::{Bookmark, Keeper, Notebook};
use restwell::Builder;
use specimen::{Archive, Specimen};

/// The service.
pub fn service() -> Builder {
    Builder::new("specimen")
        .title("Specimens")
        .users::<Keeper>()
        .resource::<Bookmark>()
        .resource::<Loan>()
        .resource::<Notebook>()
        .resource::<Photo>()
        .resource::<Specimen>()
        .command::<Archive>()
        .resource::<StockEntry>()
        .resource::<Tag>()
        .resource::<Visit>()
}
