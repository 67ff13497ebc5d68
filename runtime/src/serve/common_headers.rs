//! The headers of every answer that keep caches and browsers from doing harm with it.

use super::edge::EdgeOptions;
use http::{HeaderMap, HeaderValue, header};

/// What answers differ by.
const VARY: HeaderValue = HeaderValue::from_static("Accept, Accept-Encoding, Accept-Language");
/// The same of answers to credentials.
const VARY_WITH_CREDENTIALS: HeaderValue =
    HeaderValue::from_static("Accept, Accept-Encoding, Accept-Language, Authorization");
/// What was answered to credentials is for their owner, who asks again each time (decisions, "Caching").
const PRIVATE: HeaderValue = HeaderValue::from_static("private, no-cache");
/// Browsers keep to the `Content-Type`.
const NO_SNIFFING: HeaderValue = HeaderValue::from_static("nosniff");
/// Browsers keep to HTTPS for a year (in seconds), where the service speaks it itself.
const HTTPS_ONLY: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Adds them to an answer.
pub(super) fn announce(headers: &mut HeaderMap, has_credentials: bool, edge: &EdgeOptions) {
    if has_credentials {
        headers.insert(header::VARY, VARY_WITH_CREDENTIALS);
        // an event stream says more: no-store
        headers.entry(header::CACHE_CONTROL).or_insert(PRIVATE);
    } else {
        headers.insert(header::VARY, VARY);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, NO_SNIFFING);
    if edge.is_https {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HTTPS_ONLY);
    }
}

/// The same for an answer that has no request: what is written by hand.
pub(crate) fn lines(edge: &EdgeOptions) -> String {
    let mut headers = HeaderMap::new();
    announce(&mut headers, false, edge);
    let line = |(name, value): (&http::HeaderName, &HeaderValue)| {
        format!("{name}: {}\r\n", value.to_str().unwrap_or_default())
    };
    headers.iter().map(line).collect()
}
