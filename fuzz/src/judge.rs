//! What holds for every outcome: problems are few and can be shown, questions to the database are SQL.

use crate::world;
use http::{HeaderMap, HeaderValue, header};
use restwell::fuzzing::FuzzedQuery;
use restwell_model::Problem;
use restwell_model::input::{MAX_LIMIT, MAX_OFFSET, MAX_PROBLEMS};
use serde_json::Value as Json;

/// Bytes that the SQL of a question may have: some hundred values, and names of columns for each.
const MAX_SQL_BYTES: usize = 512 * 1024;

/// Problems are bounded, and each can be shown in every language as the JSON that §7.1 demands.
pub(crate) fn judge_problems(problems: &[Problem]) {
    assert!(problems.len() <= MAX_PROBLEMS, "{} problems", problems.len());
    if problems.is_empty() {
        return;
    }
    for (asked, expected) in [("pl", "pl-PL"), ("de, en-GB;q=0.5", "en-US")] {
        let headers: HeaderMap = [(header::ACCEPT_LANGUAGE, HeaderValue::from_static(asked))].into_iter().collect();
        let (body, language) = world::service().errors(problems, &headers);
        assert_eq!(language, expected);
        let errors: Vec<Json> = serde_json::from_slice(&body).expect("errors are JSON");
        assert_eq!(errors.len(), problems.len());
        for (error, problem) in errors.iter().zip(problems) {
            let mut keys: Vec<_> = error.as_object().expect("an error is an object").keys().collect();
            keys.sort_unstable();
            assert_eq!(keys, ["code", "details", "message", "path", "userMessage"]);
            assert_eq!(error["path"].as_str(), problem.path.as_deref());
            assert!(error["userMessage"].as_str().is_some_and(|text| !text.is_empty()), "{error}");
        }
    }
}

/// A question is a statement that binds as many values as it has marks, however it came about.
pub(crate) fn judge_query(query: &FuzzedQuery) {
    assert!(query.limit <= MAX_LIMIT && query.offset <= MAX_OFFSET);
    assert!(query.sql.len() <= MAX_SQL_BYTES, "{} bytes of SQL", query.sql.len());
    assert_eq!(world::count_marks(&query.sql), Ok(query.values), "{}", query.sql);
}
