//! Requests: JSON text → validated [`Value`](crate::Value)s, all problems collected (§2.4, §7.1).
//!
//! A [`Shape`] is compiled once from the model, for the fields that one version or view has. [`Shape::read`] goes over
//! a body once: each member's raw text is found, then read in the model's order, so that problems come in that order
//! whatever order the client wrote. A fault leaves null in the value, so that what does not depend on it can still be
//! checked (references, uniqueness) and told in the same answer.

mod criteria;
mod json;
mod members;
mod read;
mod reader;
mod scalar;
mod shape;

pub use criteria::{Bound, Condition, Criteria, Criterion, MAX_OBJECTS, MAX_VALUES, Search, Sought};
pub use json::{MAX_DEPTH, Malformed, items, members, well_formed};
pub use read::{ArrayShape, Read};
pub use reader::Reading;
pub use scalar::{Scalar, Token};
pub use shape::{Body, Member, Preset, Shape};

use crate::error::Problem;
use crate::field::Type;
use crate::service::Service;

/// Problems listed in one answer; more are counted as not there.
pub const MAX_PROBLEMS: usize = 100;

/// Operations of a PATCH at most: 422 `TooManyItems`.
pub const MAX_PATCH_OPERATIONS: usize = 1000;

/// Entities on a page of a request that has no `limit` (decisions, "Paging").
pub const DEFAULT_LIMIT: u32 = 100;
/// Entities on a page at most (decisions, "Paging").
pub const MAX_LIMIT: u32 = 1000;
/// How far a page may be from the start.
pub const MAX_OFFSET: u32 = 1 << 31;

/// What is wrong with a JSON value as a value of this type: a description's defaults and examples.
#[must_use]
pub fn check_json(service: &Service, ty: &Type, json: &serde_json::Value) -> Vec<Problem> {
    match Read::compile(service, ty) {
        Some(read) => read.read_alone(&json.to_string()),
        None => Vec::new(),
    }
}
