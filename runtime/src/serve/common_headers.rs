//! The headers of every response that control caches and browsers.

use super::edge::EdgeOptions;
use http::{HeaderMap, HeaderValue, header};

/// The request headers that responses depend on.
const VARY: HeaderValue = HeaderValue::from_static("Accept, Accept-Encoding, Accept-Language");
/// The same for responses to requests with credentials.
const VARY_WITH_CREDENTIALS: HeaderValue =
    HeaderValue::from_static("Accept, Accept-Encoding, Accept-Language, Authorization");
/// A response to credentials is for their owner, and is revalidated each time (decisions, "Caching").
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

/// The same as text, for responses without a parsed request.
pub(crate) fn lines(edge: &EdgeOptions) -> String {
    let mut headers = HeaderMap::new();
    announce(&mut headers, false, edge);
    let line = |(name, value): (&http::HeaderName, &HeaderValue)| {
        format!("{name}: {}\r\n", value.to_str().unwrap_or_default())
    };
    headers.iter().map(line).collect()
}
