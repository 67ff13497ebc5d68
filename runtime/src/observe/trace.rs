//! The trace id of a request (§4.1, §8): made for each request, or continued from a W3C `traceparent`.

use http::{HeaderMap, HeaderName, HeaderValue};
use uuid::Uuid;

/// The header that names a request in the logs, on every response.
pub(crate) const TRACE_ID: HeaderName = HeaderName::from_static("trace-id");

/// The trace of a change or a command, and the caller who began it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trace {
    /// The `Trace-Id` of the answer.
    pub(crate) id: Uuid,
    /// The W3C `traceparent` that it continues.
    pub(crate) parent: Option<String>,
    /// The caller whose request began it.
    pub(crate) actor: Option<Uuid>,
}

impl Trace {
    /// A request's: a W3C `traceparent`'s id is continued, as a UUID. Otherwise it gets a new one.
    pub(crate) fn of(headers: &HeaderMap, new_id: impl FnOnce() -> Uuid) -> Self {
        let value = headers.get(TRACEPARENT).and_then(|value| value.to_str().ok());
        let parent = value.and_then(|value| Some((parent_id(value)?, value.get(..PARENT_BYTES)?)));
        match parent {
            Some((id, parent)) => Self { id, parent: Some(parent.to_owned()), actor: None },
            None => Self { id: new_id(), parent: None, actor: None },
        }
    }

    /// A new one.
    pub(crate) fn new() -> Self {
        Self { id: Uuid::new_v4(), parent: None, actor: None }
    }

    /// The same, begun by a caller.
    pub(crate) fn by(&self, actor: Option<Uuid>) -> Self {
        Self { actor, ..self.clone() }
    }
}

/// A text would be made a name for each request.
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
/// Bytes of a `traceparent` that are known; later versions may have more behind them.
const PARENT_BYTES: usize = 55;

/// `00-<32 hex digits>-<16>-<2>`; all zeros is no id. Only later versions may have more behind it.
fn parent_id(value: &str) -> Option<Uuid> {
    let mut parts = value.split('-');
    let mut digits = |count: usize| {
        let is_hex = |text: &&str| text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        parts.next().filter(|part| part.len() == count).filter(is_hex)
    };
    let (version, id) = (digits(2)?, digits(32)?);
    let has_parent = digits(16).is_some_and(|parent| parent.bytes().any(|b| b != b'0'));
    let is_known = version != "ff" && (version != "00" || value.len() == PARENT_BYTES);
    let is_whole = has_parent && digits(2).is_some() && is_known;
    if is_whole { Uuid::try_parse(id).ok().filter(|id| !id.is_nil()) } else { None }
}

/// As it stands in the header.
pub(crate) fn trace_header(trace_id: Uuid) -> HeaderValue {
    let mut buffer = Uuid::encode_buffer();
    let text = trace_id.hyphenated().encode_lower(&mut buffer);
    HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static(""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_valid_traceparent_is_continued(id in "[0-9a-f]{31}[1-9a-f]", parent in "[0-9a-f]{15}[1-9a-f]", flags in "[0-9a-f]{2}") {
            let uuid = Uuid::try_parse(&id).ok();
            prop_assert_eq!(parent_id(&format!("00-{id}-{parent}-{flags}")), uuid);
            prop_assert_eq!(parent_id(&format!("01-{id}-{parent}-{flags}-more")), uuid);
        }

        #[test]
        fn what_is_none_begins_a_new_trace(value in "[0-9a-fA-F-]{0,60}") {
            prop_assert!(parent_id(&value).is_none() || value.len() >= PARENT_BYTES);
        }
    }

    #[test]
    fn a_traceparent_is_continued() {
        let id = parent_id("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        assert_eq!(id.map(|id| id.to_string()).as_deref(), Some("4bf92f35-77b3-4da6-a3ce-929d0e0e4736"));
        for bad in [
            "",
            "00-0-0-0",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902bX-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        ] {
            assert_eq!(parent_id(bad), None, "{bad}");
        }
    }
}
