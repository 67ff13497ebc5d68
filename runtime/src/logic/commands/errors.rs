//! The errors of a FAILED command: stored as what they are made of, so that each reader gets them in its own language.

use restwell_model::{ErrorCode, Problem};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

#[derive(Serialize, Deserialize)]
struct StoredError {
    code: String,
    /// Of a team's own code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    details: Map<String, Json>,
}

/// Problems as they are stored.
pub(crate) fn to_json(problems: &[Problem]) -> String {
    let errors = problems.iter().map(|problem| StoredError {
        code: problem.name().to_owned(),
        text: problem.custom.as_ref().map(|custom| custom.text.clone()),
        path: problem.path.clone(),
        details: problem.details.clone(),
    });
    serde_json::to_string(&errors.collect::<Vec<_>>()).unwrap_or_else(|_| "[]".to_owned())
}

/// Stored problems.
pub(crate) fn from_json(json: &str) -> Vec<Problem> {
    let errors: Vec<StoredError> = serde_json::from_str(json).unwrap_or_default();
    let problems = errors.into_iter().map(|error| {
        let known = ErrorCode::ALL.iter().find(|code| error.text.is_none() && code.name() == error.code);
        let problem = match known {
            Some(code) => Problem::new(*code),
            None => Problem::custom(&error.code, &error.text.unwrap_or_default()),
        };
        Problem { path: error.path, details: error.details, ..problem }
    });
    problems.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_come_back_as_they_were() {
        let problems = vec![
            Problem::at(ErrorCode::TooLong, "name").with("maxLength", 75),
            Problem::custom("OfferStillActive", "the offer runs until {endingAt}").with("endingAt", "2027"),
            Problem::new(ErrorCode::InternalError),
        ];
        assert_eq!(from_json(&to_json(&problems)), problems);
    }
}
