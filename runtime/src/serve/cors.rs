//! Cross-origin requests (the Fetch standard's CORS): which pages' scripts may call the service from a browser.
//!
//! Off unless origins are configured. Credentials come in a header, never in cookies, so no answer allows those.

use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, header};
use std::str::FromStr;

/// What a script may send beyond what every script may.
const HEADERS: HeaderValue = HeaderValue::from_static(
    "Accept, Accept-Language, Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID, Traceparent",
);
/// What a script may read beyond what every script may.
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "Allow, Content-Language, Deprecation, ETag, Ignored-Properties, Location, RateLimit, RateLimit-Policy, Retry-After, \
     Sunset, Trace-Id, WWW-Authenticate",
);
/// How long a browser may cache a preflight response, in seconds; browsers allow two hours at most.
const MAX_AGE: HeaderValue = HeaderValue::from_static("7200");

/// The origins whose scripts may call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origins {
    /// Everyone's.
    Any,
    /// These, as browsers write them.
    These(Vec<HeaderValue>),
}

impl Origins {
    /// What `--cors` names: `*`, or origins like `https://app.example.com`.
    ///
    /// # Errors
    ///
    /// A message for the operator: one is not an origin.
    pub(crate) fn of(origins: &[String]) -> Result<Option<Self>, String> {
        if origins.iter().any(|origin| origin == "*") {
            return Ok(Some(Self::Any));
        }
        let these = origins.iter().map(|origin| parse(origin)).collect::<Result<Vec<_>, _>>()?;
        Ok(if these.is_empty() { None } else { Some(Self::These(these)) })
    }

    /// The value of `Access-Control-Allow-Origin`, if the request's origin is permitted.
    pub(super) fn allow(&self, request: &HeaderMap) -> Option<HeaderValue> {
        let origin = request.get(header::ORIGIN)?;
        match self {
            Self::Any => Some(HeaderValue::from_static("*")),
            Self::These(origins) => origins.contains(origin).then(|| origin.clone()),
        }
    }

    /// Whether responses depend on the origin.
    pub(super) fn varies(&self) -> bool {
        matches!(self, Self::These(_))
    }
}

/// `https://app.example.com:8443`: scheme and host in lower case, a port that is not the scheme's, no path.
fn parse(origin: &str) -> Result<HeaderValue, String> {
    let wrong = || format!("`{origin}` is not an origin; write it as https://app.example.com, or * for all");
    let uri = http::Uri::from_str(origin).map_err(|_| wrong())?;
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else { return Err(wrong()) };
    let default_port = if scheme == "https" { 443 } else { 80 };
    let is_plain = ["http", "https"].contains(&scheme)
        && origin == format!("{scheme}://{authority}")
        && !authority.as_str().contains('@')
        && authority.port_u16() != Some(default_port)
        && authority.as_str() == authority.as_str().to_ascii_lowercase();
    if is_plain { HeaderValue::from_str(origin).map_err(|_| wrong()) } else { Err(wrong()) }
}

/// Whether a request is a preflight.
pub(super) fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
    method == Method::OPTIONS && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// Adds the headers for the browser.
pub(super) fn announce<T>(response: &mut Response<T>, origin: HeaderValue, is_preflight: bool) {
    let methods = response.headers().get(header::ALLOW).cloned();
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    if is_preflight {
        headers.extend(methods.map(|methods| (header::ACCESS_CONTROL_ALLOW_METHODS, methods)));
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HEADERS);
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, MAX_AGE);
    } else {
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    }
}

/// `Vary` of responses that depend on the origin.
pub(super) const VARY_ORIGIN: (HeaderName, HeaderValue) = (header::VARY, HeaderValue::from_static("Origin"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_as_browsers_write_them() {
        for good in ["https://app.example.com", "http://localhost:5173", "https://[::1]:8443"] {
            assert!(parse(good).is_ok(), "{good}");
        }
        for bad in [
            "app.example.com",
            "https://app.example.com/",
            "https://App.example.com",
            "https://app.example.com:443",
            "https://me@app.example.com",
            "ftp://app.example.com",
            "null",
            "",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        assert_eq!(Origins::of(&[]), Ok(None));
        assert_eq!(Origins::of(&["https://a.example".to_owned(), "*".to_owned()]), Ok(Some(Origins::Any)));
    }
}
