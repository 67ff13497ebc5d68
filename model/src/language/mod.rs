//! The schema language, described once: its types and its keys.
//!
//! A new scalar type needs: its values in `scalar/`; its variant in `types.rs`, and its row in `limited_types.rs` or
//! `types_without_keys.rs`; its error in `error.rs`; its conversion to Rust in `runtime/src/typed/scalars.rs`. A new
//! key of a field needs: its member in `field.rs`; its row in `fields.rs`; what a change of it means for stored rows,
//! in `changes/fields.rs`. A new key of a resource or a command needs its member in `resource/`, its row in
//! `documents.rs`, its part in `changes/resources.rs`, and its place among the arguments that the generator writes
//! (`emit/resource.rs`, `emit/command.rs`).
//!
//! From these rows follow how a value is read, stored, ordered and written; what the YAML reader and the derives
//! accept, and the attributes that the generator emits; the order of the formatter; and the JSON Schema for editors.

mod assign;
mod documents;
mod fields;
mod formerly;
mod json_of;
mod keys;
mod limited_types;
mod scalar_type;
mod shape;
mod structured;
mod synonyms;
mod types;
mod types_without_keys;

#[cfg(test)]
mod tests;

pub use documents::{
    ANNOUNCEMENT, COMMAND, CONTACT, DOCUMENT_TABLES, DOCUMENTS, ENUM, LICENSE, LIFECYCLE, OBJECT, OPERATION, REQUIRED,
    RESOURCE, RULE, SERVICE, TRANSITION, USERS, VIEW, WHEN,
};
pub use fields::{FIELD, ITEMS, VALUES};
pub(crate) use json_of::json_of;
pub use keys::{InRust, KeySpec, KeyTable, Limit, Part, example};
pub use scalar_type::{
    Characters, CheckedText, JsonForm, Order, RustType, ScalarReader, ScalarType, TextExamples, TextShape,
};
pub use shape::{Case, KeyShape, Literal, Renamed};
pub use structured::{FORMATS, MATCHES, NAMED, ON_DELETE, SECRETS, UNIQUENESS};
pub use synonyms::synonym;
pub use types::{
    DEFAULT_JSON_BYTES, DEFAULT_MAP_ENTRIES, DEFAULT_SCALE, MAX_JSON_BYTES, SCALAR_TYPES, TYPES, Type, TypeClass,
    scalar_type, type_table, types_with,
};
