//! The query string, taken apart, and what a dry run is asked with (§4.3).

use crate::plan::parameters::unknown_parameter;
use restwell_model::input::Shape;
use restwell_model::{ErrorCode, Problem};

/// Parameters of a request that are looked at; what a URI of the greatest length holds beyond them has been answered
/// by then with as many problems as are listed.
const MAX_PARAMETERS: usize = 200;

/// The parameters in their order, decoded.
pub(super) fn parse(query: Option<&str>) -> Vec<(String, String)> {
    let query = query.unwrap_or_default();
    let parameters = form_urlencoded::parse(query.as_bytes()).take(MAX_PARAMETERS);
    parameters.map(|(name, value)| (name.into_owned(), value.into_owned())).collect()
}

/// The parameters of an operation that takes none.
pub(super) fn refuse_all(query: &[(String, String)]) -> Vec<Problem> {
    query.iter().map(|(name, _)| unknown_parameter(name, [])).collect()
}

/// Whether a change is only tried, and which of its fields are looked at.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct DryRun {
    /// Nothing stays.
    pub(super) is_asked: bool,
    /// The fields; none: all.
    include: Vec<String>,
}

impl DryRun {
    /// Reads the parameters of an operation that changes something.
    pub(super) fn read(query: &[(String, String)], shape: &Shape) -> (Self, Vec<Problem>) {
        let (mut dry_run, mut problems) = (Self::default(), Vec::new());
        let mut seen = false;
        for (name, value) in query {
            match name.as_str() {
                "dryRun" if seen => problems.push(Problem::at(ErrorCode::RepeatedParameter, name)),
                "dryRun" => {
                    seen = true;
                    dry_run.is_asked = value == "true";
                    if value != "true" && value != "false" {
                        problems.push(invalid(name, "must be true or false"));
                    }
                }
                "include" if shape.rank(value).contains(&usize::MAX) => {
                    problems.push(invalid(name, &format!("`{value}` is not a field here")));
                }
                "include" => dry_run.include.push(value.clone()),
                _ => problems.push(unknown_parameter(name, ["dryRun", "include"])),
            }
        }
        if !dry_run.is_asked && !dry_run.include.is_empty() {
            problems.push(invalid("include", "goes with dryRun=true"));
        }
        (dry_run, problems)
    }

    /// Whether a problem at this path counts.
    pub(super) fn covers(&self, path: Option<&str>) -> bool {
        let is_included = |field: &String| path.is_some_and(|path| path == field || is_below(path, field));
        self.include.is_empty() || self.include.iter().any(is_included)
    }
}

/// `seller.id` is below `seller`.
pub(super) fn is_below(path: &str, parent: &str) -> bool {
    path.strip_prefix(parent).is_some_and(|rest| rest.starts_with('.'))
}

fn invalid(name: &str, reason: &str) -> Problem {
    Problem::at(ErrorCode::InvalidParameter, name).with("reason", reason)
}
