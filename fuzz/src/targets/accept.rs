//! `Accept` and `Content-Type`: the first line of an input is the type of a body, each further one an `Accept`.

use crate::judge::judge_problems;
use crate::world::service;
use http::{HeaderMap, HeaderValue, header};
use restwell_model::ErrorCode;

/// Headers of one name that are tried.
const MAX_LINES: usize = 8;
/// What can be wrong here.
const REFUSALS: [ErrorCode; 3] = [ErrorCode::NotAcceptable, ErrorCode::UnsupportedMediaType, ErrorCode::VersionRetired];

pub(crate) fn judge(data: &[u8]) {
    let lines = data.split(|byte| *byte == b'\n').take(MAX_LINES).map(HeaderValue::from_bytes);
    let Ok(lines) = lines.collect::<Result<Vec<_>, _>>() else { return };
    let Some((content_type, accepts)) = lines.split_first() else { return };
    for has_body in [false, true] {
        let outcome = outcome(content_type, accepts, has_body);
        // media types and the names of parameters have no case (RFC 9110 §8.3.1)
        let louder = accepts.iter().map(|line| changed(line, <[u8]>::make_ascii_uppercase));
        let louder = louder.collect::<Vec<_>>();
        assert_eq!(self::outcome(content_type, &louder, has_body), outcome, "{louder:?}");
        // a list may be given in parts (RFC 9110 §5.3)
        if !accepts.is_empty() {
            let parts: Vec<_> = accepts.iter().map(HeaderValue::as_bytes).collect();
            let joined = [HeaderValue::from_bytes(&parts.join(&b","[..])).expect("a header")];
            assert_eq!(self::outcome(content_type, &joined, has_body), outcome, "{joined:?}");
        }
    }
}

/// The media types of answer and body, or the code of what is wrong.
fn outcome(
    content_type: &HeaderValue,
    accepts: &[HeaderValue],
    has_body: bool,
) -> Result<(HeaderValue, HeaderValue), ErrorCode> {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, content_type.clone());
    for accept in accepts {
        headers.append(header::ACCEPT, accept.clone());
    }
    service().negotiate(&headers, has_body).map_err(|problems| {
        judge_problems(&problems);
        let [problem] = problems.as_slice() else { panic!("{problems:?}") };
        assert!(REFUSALS.contains(&problem.code), "{problem:?}");
        problem.code
    })
}

fn changed(line: &HeaderValue, change: impl Fn(&mut [u8])) -> HeaderValue {
    let mut bytes = line.as_bytes().to_vec();
    change(&mut bytes);
    HeaderValue::from_bytes(&bytes).expect("a header")
}
