//! The specimens in Rust: what `schemas/` says in YAML, as a person would write it without the generator.

mod around;
mod commands;
mod keeper;
mod specimen;

use around::{Loan, Photo, StockEntry, Tag, Visit};
use keeper::{Bookmark, Keeper, Notebook};
use restwell::Builder;
use specimen::Specimen;
use std::sync::Arc;

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
        .commands::<Specimen>(&Arc::new(commands::Commands))
        .resource::<StockEntry>()
        .resource::<Tag>()
        .resource::<Visit>()
        .messages("cs", include_str!("../../schemas/messages/cs.ftl"))
        .messages("en", include_str!("../../schemas/messages/en.ftl"))
        .messages("pl", include_str!("../../schemas/messages/pl.ftl"))
}
