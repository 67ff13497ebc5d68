//! Requests: JSON text → validated [`Value`](crate::Value)s, all problems collected (§2.4, §7.1).
//!
//! A [`Shape`] is compiled once from the model, for the fields that one version or view has. [`Shape::read`] goes over
//! a body once: each member's raw text is found, then read in the model's order, so that problems come in that order
//! whatever the client's order. A fault leaves null in the value, so that what does not depend on it can still be
//! checked (references, uniqueness) and reported in the same response.

mod criteria;
mod free;
mod json;
mod members;
mod paging;
mod read;
mod reader;
mod scalar;
mod shape;
mod token;
mod two_names;

pub use criteria::{Bound, Criteria, Criterion, CriterionTest, MAX_OBJECTS, MAX_VALUES, Search, Sought};
pub use free::{AnyJson, MAX_JSON_DEPTH, MAX_MAP_NAME, MAX_NUMBER_DIGITS, MapShape, canonical_json, is_map_name};
pub use json::{MAX_DEPTH, Malformed, items, members, well_formed};
pub use paging::{DEFAULT_LIMIT, MAX_LIMIT, MAX_OFFSET};
pub use read::{ArrayShape, Read};
pub use reader::Reading;
pub use scalar::Scalar;
pub use shape::{Body, Member, Preset, Shape};
pub use token::Token;

use crate::check::Checked;
use crate::error::Problem;
use crate::field::{Field, Type};

/// Problems in one response; further ones are omitted.
pub const MAX_PROBLEMS: usize = 100;

/// Characters of a client's word, such as an unknown property, that a response repeats; the others are left out.
pub const MAX_REPEATED_CHARACTERS: usize = 200;

/// As much of a client's word as a response repeats.
#[must_use]
pub fn excerpt(word: &str) -> &str {
    match word.char_indices().nth(MAX_REPEATED_CHARACTERS) {
        Some((end, _)) => &word[..end],
        None => word,
    }
}

/// Operations of a PATCH at most: 422 `TooManyItems`.
pub const MAX_PATCH_OPERATIONS: usize = 1000;

/// What is wrong with a JSON value as a value of this type.
#[must_use]
pub fn check_json(service: &Checked, ty: &Type, json: &serde_json::Value) -> Vec<Problem> {
    check(service, ty, false, json)
}

/// What is wrong with a JSON value as that of this field in a request: a description's defaults and examples.
/// `minItems` also holds for an empty array if the field is required.
#[must_use]
pub fn check_field_json(service: &Checked, field: &Field, json: &serde_json::Value) -> Vec<Problem> {
    check(service, &field.ty, field.required, json)
}

fn check(service: &Checked, ty: &Type, required: bool, json: &serde_json::Value) -> Vec<Problem> {
    match Read::compile(service, ty) {
        Some(read) => read.read_alone(&json.to_string(), required),
        None => Vec::new(),
    }
}
