//! The query string, taken apart, and what a dry run is asked with (§4.3).

use crate::plan::list_parameters::unknown_parameter;
use percent_encoding::percent_decode_str;
use restwell_model::api::{DRY_RUN, INCLUDE};
use restwell_model::input::{MAX_PROBLEMS, excerpt};
use restwell_model::{ErrorCode, Problem};

/// Parameters that a request may have.
const MAX_PARAMETERS: usize = 200;

/// The query of a request.
#[derive(Debug, Default)]
pub(crate) struct RawQuery {
    /// The parameters in their order, decoded.
    pub(crate) parameters: Vec<(String, String)>,
    /// Errors with any operation: too many parameters, and those that are not text.
    pub(super) problems: Vec<Problem>,
}

/// Takes a query string apart as a form's (§4.4): `&` between pairs, `+` for a blank.
pub(crate) fn parse(query: Option<&str>) -> RawQuery {
    let mut given = RawQuery::default();
    let mut pairs = query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty());
    for pair in pairs.by_ref().take(MAX_PARAMETERS) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        match (decode(name), decode(value)) {
            (Ok(name), Ok(value)) => given.parameters.push((name, value)),
            (Ok(name) | Err(name), _) => given.problems.push(Problem::at(ErrorCode::InvalidText, excerpt(&name))),
        }
    }
    if pairs.next().is_some() {
        let reason = format!("a request may have at most {MAX_PARAMETERS} parameters");
        given.problems.insert(0, Problem::new(ErrorCode::InvalidParameter).with("reason", reason));
    }
    given
}

/// The text that a name or value stands for; what can be shown of it where it is none.
fn decode(text: &str) -> Result<String, String> {
    let text = text.replace('+', " ");
    let bytes = percent_decode_str(&text);
    match bytes.decode_utf8() {
        Ok(text) => Ok(text.into_owned()),
        Err(_) => Err(percent_decode_str(&text).decode_utf8_lossy().into_owned()),
    }
}

/// The problems of an operation that takes no parameters.
pub(super) fn refuse_all(given: &RawQuery) -> Vec<Problem> {
    given.refuse(given.parameters.iter().map(|(name, _)| unknown_parameter(name, [])).collect())
}

impl RawQuery {
    /// Whether nothing is given.
    pub(super) fn is_empty(&self) -> bool {
        self.parameters.is_empty() && self.problems.is_empty()
    }

    /// All that is wrong with it: as a whole, and with what the operation found.
    pub(crate) fn refuse(&self, found: Vec<Problem>) -> Vec<Problem> {
        let mut problems = [self.problems.clone(), found].concat();
        problems.truncate(MAX_PROBLEMS);
        problems
    }
}

/// Whether a change is a dry run, and which of its fields are checked.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct DryRun {
    /// Whether the change is a dry run.
    pub(super) is_asked: bool,
    /// Whether only some fields are checked.
    is_limited: bool,
    /// The names of these fields.
    include: Vec<String>,
}

impl DryRun {
    /// Reads the parameters of an operation that changes something; `is_field` knows what can be included.
    pub(super) fn read(given: &RawQuery, is_field: impl Fn(&str) -> bool) -> (Self, Vec<Problem>) {
        let (mut dry_run, mut problems) = (Self::default(), Vec::new());
        let mut seen = false;
        for (name, value) in &given.parameters {
            match name.as_str() {
                DRY_RUN if seen => problems.push(Problem::at(ErrorCode::RepeatedParameter, name)),
                DRY_RUN => {
                    seen = true;
                    dry_run.is_asked = value == "true";
                    if value != "true" && value != "false" {
                        problems.push(invalid(name, "must be true or false"));
                    }
                }
                INCLUDE if !is_field(value) => {
                    dry_run.is_limited = true;
                    problems.push(invalid(name, &format!("`{}` is not a field here", excerpt(value))));
                }
                INCLUDE => {
                    dry_run.is_limited = true;
                    dry_run.include.push(value.clone());
                }
                _ => problems.push(unknown_parameter(name, [DRY_RUN, INCLUDE])),
            }
        }
        if !dry_run.is_asked && !dry_run.include.is_empty() {
            problems.push(invalid(INCLUDE, "goes with dryRun=true"));
        }
        (dry_run, given.refuse(problems))
    }

    /// Whether a problem counts: one of a field that is checked, or that of a body that is not an object.
    pub(super) fn covers(&self, problem: &Problem) -> bool {
        let path = problem.path.as_deref();
        let is_included = |field: &String| path.is_some_and(|path| path == field || is_below(path, field));
        let is_of_body = path.is_none() && problem.code == ErrorCode::WrongType;
        let fields = problem.custom.as_ref().map_or(&[][..], |custom| &custom.fields);
        if self.is_limited && !fields.is_empty() {
            // a rule counts if all that it reads is checked
            return fields.iter().all(|field| self.include.contains(field));
        }
        !self.is_limited || is_of_body || self.include.iter().any(is_included)
    }
}

/// `seller.id` is below `seller`.
pub(super) fn is_below(path: &str, parent: &str) -> bool {
    path.strip_prefix(parent).is_some_and(|rest| rest.starts_with('.'))
}

fn invalid(name: &str, reason: &str) -> Problem {
    Problem::at(ErrorCode::InvalidParameter, name).with("reason", reason)
}
