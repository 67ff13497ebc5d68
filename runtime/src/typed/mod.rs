//! Typed structs: what the derives implement, so that a team's own code reads `offer.buy_now` and not a tree of values.
//!
//! Two things are said of a type. [`Describe`]: its part of the model, from which a [`Builder`](crate::Builder)
//! assembles the service. [`Typed`]: how it is made from a neutral [`Value`](restwell_model::Value) and becomes one
//! again. Both are small on purpose: a derive emits a text and a line per field, and all that works with them is
//! compiled once, here: so is serde (`wire`), which follows from both.

mod convert;
mod decimal;
mod describe;
mod fields;
pub mod filter;
mod mismatch;
#[doc(hidden)]
pub mod query;
mod reference;
mod registry;
mod scalars;
mod stored;
mod stub;
mod wire;

pub use convert::Typed;
pub use decimal::Decimals;
pub use describe::{Command, Describe, Enum, Nested, Object, Resource, Shape, TypeDescription, Use};
pub use fields::{Fields, text};
pub use mismatch::{Conversion, Mismatch};
pub use query::{Query, QueryOf, QuerySpec, SortOf};
pub use reference::Ref;
pub use registry::{AssemblyError, Registry};
pub use stored::Stored;
#[doc(hidden)]
pub use stub::Stub;
pub use wire::only;
#[doc(hidden)]
pub use wire::{absent, deserialize, preset, preset_units, serialize, written_again};
