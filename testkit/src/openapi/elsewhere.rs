//! What a document does not describe operation by operation: paths for monitoring and for people, paths that are not
//! there, and methods that a path does not have.

use restwell_model::ErrorCode;
use restwell_model::api::{EDGE_CODES, SystemEndpoint};
use std::collections::BTreeSet;

/// The headers of HTTP itself, which documents do not describe.
pub(super) const OF_HTTP: [&str; 5] = ["connection", "content-length", "content-type", "date", "transfer-encoding"];

/// The statuses that an operation has because of a header of the request.
pub(super) const CONDITIONS: [(u16, &str); 3] = [(304, "if-none-match"), (412, "if-match"), (412, "if-none-match")];

/// The headers that only answers to preflights of browsers have (the Fetch standard).
pub(super) const OF_PREFLIGHT: [&str; 3] =
    ["access-control-allow-headers", "access-control-allow-methods", "access-control-max-age"];

/// The paths that are left out of the document on purpose.
pub fn undocumented_paths() -> impl Iterator<Item = &'static str> {
    SystemEndpoint::ALL.into_iter().filter(|endpoint| !endpoint.is_described()).map(SystemEndpoint::path)
}

/// Whether a path is one of these, or a file of one.
pub(super) fn is_left_out(path: &str) -> bool {
    SystemEndpoint::find(path).is_some_and(|endpoint| !endpoint.is_described())
}

/// The codes of an answer at a path that is not there, or to a method that the path does not have.
pub(super) fn codes(own: ErrorCode) -> BTreeSet<&'static str> {
    EDGE_CODES.into_iter().chain([own]).map(ErrorCode::name).collect()
}
