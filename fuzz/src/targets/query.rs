//! The query string of a list: parameters, filters and their problems, the question to the database.

use crate::judge::{judge_problems, judge_query};
use crate::world::service;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// Parameters that a request may have.
const MAX_PARAMETERS: usize = 200;

pub(crate) fn judge(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (parameters, query) = service().query(text);
    assert!(parameters.len() <= MAX_PARAMETERS);
    judge_problems(&query.problems);
    if query.problems.is_empty() {
        judge_query(&query);
        let pair = |(name, value): &(String, String)| format!("{}={}", encoded(name), encoded(value));
        let written = parameters.iter().map(pair).collect::<Vec<_>>().join("&");
        assert_eq!(service().query(&written), (parameters, query), "{written}");
    }
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}
