//! The query string, taken apart (§4.3–4.6).

use crate::plan::query::unknown_parameter;
use restwell_model::{ErrorCode, Problem};

/// The parameters in their order, decoded.
pub(super) fn parse(query: Option<&str>) -> Vec<(String, String)> {
    let query = query.unwrap_or_default();
    form_urlencoded::parse(query.as_bytes()).map(|(name, value)| (name.into_owned(), value.into_owned())).collect()
}

/// What dry runs are asked with (§4.3).
const DRY_RUN: [&str; 2] = ["dryRun", "include"];

/// The parameters of an operation on one entity, or of a creation: a dry run's, if that, and no others.
pub(super) fn check(query: &[(String, String)], takes_dry_run: bool) -> Vec<Problem> {
    let known = if takes_dry_run { &DRY_RUN[..] } else { &[] };
    let unknown = query.iter().filter(|(name, _)| !known.contains(&name.as_str()));
    unknown.map(|(name, _)| unknown_parameter(name, known.iter().copied())).collect()
}

/// Whether a dry run is asked for: announced, not ready.
pub(super) fn asks_for_dry_run(query: &[(String, String)]) -> bool {
    query.iter().any(|(name, value)| DRY_RUN.contains(&name.as_str()) && !(name == "dryRun" && value == "false"))
}

/// A dry run's switch is a boolean.
pub(super) fn dry_run_problem(query: &[(String, String)]) -> Option<Problem> {
    let (_, value) = query.iter().find(|(name, _)| name == "dryRun")?;
    let reason = "must be true or false";
    (value != "true" && value != "false")
        .then(|| Problem::at(ErrorCode::InvalidParameter, "dryRun").with("reason", reason))
}
