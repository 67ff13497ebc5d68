//! The part of the library `restwell` that misused derives are compiled against: the derives, and the traits that they
//! implement, from the library's own sources. Without what serves requests, so that the cases of `tests/ui` need a
//! fraction of its dependencies: `trybuild` compiles these once more, for itself.

#![doc(hidden)]
#![allow(missing_docs, dead_code, reason = "the library uses and documents the rest")]

#[path = "../../../runtime/src/typed/mod.rs"]
pub mod typed;

pub use restwell_macros::{Command, Enum, Object, Resource, handlers};
pub use restwell_model::scalar::values::*;
pub use rust_decimal::Decimal;
pub use typed::filter;
pub use typed::{Command, Enum, Object, Query, Ref, Resource, Stored};
pub use uuid::Uuid;

/// The signatures of the library's builder that cases name.
#[derive(Debug)]
pub struct Builder;

impl Builder {
    #[must_use]
    pub fn new(_name: &str) -> Self {
        Self
    }

    #[must_use]
    pub fn resource<R: Resource>(self) -> Self {
        self
    }

    #[must_use]
    pub fn command<C: Command>(self) -> Self {
        self
    }
}

#[doc(hidden)]
pub mod __private {
    pub use crate::typed::filter::{
        Allows, Compared, Contains, ContainsIgnoreCase, FieldFilter, Id, Not, Null, StartsWith, StartsWithIgnoreCase,
        Text,
    };
    pub use crate::typed::{
        Command, Conversion, Decimals, Describe, Enum, Fields, Mismatch, Nested, Object, Query, QueryOf, QuerySpec,
        Resource, Shape, SortOf, Stub, TypeDescription, Typed, Use, absent, deserialize, preset, preset_units, query,
        serialize, text,
    };
    pub use restwell_model::Value;
    pub use serde::{Deserialize, Deserializer, Serialize, Serializer};
}
