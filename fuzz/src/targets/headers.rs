//! Other headers that have a grammar: the first byte of an input selects one, the rest is its value.

use crate::world::service;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use restwell::fuzzing::{asks_for_gzip, read_tags, read_trace};
use restwell_model::{ErrorCode, Problem};

/// A tag as the service makes them.
const TAG: &str = "\"0123456789abcdef0123456789abcdef\"";
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

pub(crate) fn judge(data: &[u8]) {
    let Some((kind, value)) = data.split_first() else { return };
    let Ok(value) = HeaderValue::from_bytes(value) else { return };
    match kind {
        b't' => judge_trace(&value),
        b'l' => judge_language(value),
        b'g' => judge_gzip(&value),
        _ => judge_tags(&value),
    }
}

fn judge_tags(value: &HeaderValue) {
    let read = |value: HeaderValue| {
        let headers: HeaderMap = [(header::IF_MATCH, value)].into_iter().collect();
        read_tags(&headers, header::IF_MATCH, TAG).expect("there is a header")
    };
    let (given, is_strong, is_weak) = read(value.clone());
    assert!(!is_strong || is_weak, "a strong match is a weak one");
    let Ok(text) = value.to_str() else { return };
    assert!(!is_weak || text.trim() == "*" || text.contains('"'), "{text}");
    // what is kept with a change that is done later means the same then, unless a tag is compressed twice, as none is
    if text.contains("-gzip-gzip") {
        return;
    }
    let again = HeaderValue::from_str(&given.join(", ")).expect("a header");
    assert_eq!(read(again), (given, is_strong, is_weak));
}

fn judge_trace(value: &HeaderValue) {
    let headers: HeaderMap = [(TRACEPARENT, value.clone())].into_iter().collect();
    let Some((id, parent)) = read_trace(&headers) else { return };
    assert!(value.to_str().is_ok_and(|value| value.starts_with(&parent)));
    assert_eq!(parent.split('-').nth(1), Some(id.simple().to_string().as_str()), "the trace goes on");
    assert!(!id.is_nil() && parent.len() == 55);
}

fn judge_language(value: HeaderValue) {
    let headers: HeaderMap = [(header::ACCEPT_LANGUAGE, value)].into_iter().collect();
    let (_, language) = service().errors(&[Problem::at(ErrorCode::Required, "name")], &headers);
    assert!(["en-US", "pl-PL"].iter().any(|known| language == known), "{language:?}");
}

fn judge_gzip(value: &HeaderValue) {
    let text = value.as_bytes().to_ascii_lowercase();
    let is_named = text.windows(4).any(|word| word == b"gzip") || text.contains(&b'*');
    assert!(!asks_for_gzip(value) || is_named, "{value:?}");
}
