//! The first stage of every request: the URI's length, the User-Agent, the trace id (§4.1, §8).

use super::cors::Origins;
use super::failure::Failure;
use crate::limits::Limiter;
use futures_util::FutureExt;
use http::{HeaderMap, HeaderValue, Uri, Version, header, request};
use restwell_model::{ErrorCode, Problem};
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::time::Duration;

/// Bytes of a head at most: 431.
pub(crate) const MAX_HEAD_BYTES: usize = 128 * 1024;
/// Headers of a request at most: 431.
pub(crate) const MAX_HEADERS: usize = 100;
/// Bytes of path and query at most.
pub(crate) const MAX_URI: usize = 8 * 1024;

/// Default time for a request. Beyond it: 504.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);
/// Default number of connections at a time.
const MAX_CONNECTIONS: usize = 10_000;

/// What an operator can set of the edge.
#[derive(Debug)]
pub(crate) struct EdgeOptions {
    /// Whose scripts may call from a browser.
    pub(crate) origins: Option<Origins>,
    /// The rate limit.
    pub(crate) limiter: Option<Limiter>,
    /// Whether a proxy forwards the addresses of clients.
    pub(crate) is_behind_proxy: bool,
    /// How long a request may take: 504.
    pub(crate) request_timeout: Duration,
    /// Connections at a time.
    pub(crate) connections: usize,
    /// Connections of one address at a time.
    pub(crate) connections_per_address: usize,
    /// Whether the service itself terminates TLS.
    pub(crate) is_https: bool,
}

impl Default for EdgeOptions {
    fn default() -> Self {
        Self {
            origins: None,
            limiter: None,
            is_behind_proxy: false,
            request_timeout: REQUEST_TIMEOUT,
            connections: MAX_CONNECTIONS,
            connections_per_address: per_address(MAX_CONNECTIONS),
            is_https: false,
        }
    }
}

/// Default number of connections of one address: half of all, so that there is room for others.
pub(crate) fn per_address(connections: usize) -> usize {
    connections.div_ceil(2)
}

/// The address that a request comes from. Of those that proxies forward only the last is trustworthy: our proxy added
/// it.
pub(super) fn address(headers: &HeaderMap, peer: Option<IpAddr>, is_behind_proxy: bool) -> Option<IpAddr> {
    let forwarded = || {
        let value = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
        forwarded(value.rsplit(',').next()?)
    };
    if is_behind_proxy { forwarded().or(peer) } else { peer }
}

/// The address in an element of `X-Forwarded-For`. Some proxies add the port, or quotes, or put IPv6 into brackets.
fn forwarded(element: &str) -> Option<IpAddr> {
    let text = element.trim();
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text).trim();
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok().map(IpAddr::V6);
    let with_port = || text.parse().ok().map(|address: SocketAddr| address.ip());
    text.parse().ok().or_else(with_port).or_else(bracketed)
}

/// Does work with a time limit; `None` if it takes longer. Work that is ready at once needs no timer.
pub(super) async fn within<T>(limit: Duration, work: impl Future<Output = T>) -> Option<T> {
    let mut work = pin!(work);
    if let Some(done) = work.as_mut().now_or_never() {
        return Some(done);
    }
    tokio::time::timeout(limit, work).await.ok()
}

/// Refuses what hyper lets through, and closes the connection.
///
/// HTTP/1.1 does not allow requests without `Host` or with several, and codings of a body other than `chunked`, about
/// whose end a proxy may think otherwise (RFC 9112, sections 3.2 and 6.1). Of a head that is too large hyper may have
/// read the rest at once, with what was not too large before.
pub(crate) fn check_head(head: &request::Parts) -> Result<(), Failure> {
    // one walk over the headers costs less than to look for each
    let (mut hosts, mut codings, mut is_chunked, mut bytes) = (0, 0, true, target_bytes(&head.uri));
    for (name, value) in &head.headers {
        bytes += name.as_str().len() + ": ".len() + value.len() + "\r\n".len();
        if name == header::HOST {
            hosts += 1;
        } else if name == header::TRANSFER_ENCODING {
            codings += 1;
            is_chunked &= value.as_bytes().eq_ignore_ascii_case(b"chunked");
        }
    }
    let has_host = hosts == 1 || hosts == 0 && head.version != Version::HTTP_11;
    let is_framed = has_host && is_chunked && codings <= 1;
    let failure = match (is_framed, bytes > MAX_HEAD_BYTES) {
        (true, false) => return Ok(()),
        (false, _) => Failure::new(ErrorCode::MalformedRequest),
        (true, true) => head_too_large().into(),
    };
    Err(failure.header(header::CONNECTION, HeaderValue::from_static("close")))
}

fn target_bytes(uri: &Uri) -> usize {
    uri.path_and_query().map_or(0, |target| target.as_str().len())
}

/// What is said of a head with too many bytes or headers.
pub(crate) fn head_too_large() -> Problem {
    Problem::new(ErrorCode::HeadTooLarge).with("maxBytes", MAX_HEAD_BYTES).with("maxHeaders", MAX_HEADERS)
}

/// Refuses a URI that is too long, and a request without `User-Agent`.
pub(crate) fn check(uri: &Uri, headers: &HeaderMap) -> Result<(), Failure> {
    if target_bytes(uri) > MAX_URI {
        return Err(Problem::new(ErrorCode::UriTooLong).with("maxLength", MAX_URI).into());
    }
    let agent = headers.get(header::USER_AGENT).map(|value| value.as_bytes().trim_ascii());
    if agent.is_none_or(<[u8]>::is_empty) {
        return Err(Failure::new(ErrorCode::MissingUserAgent));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderName;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_last_forwarded_address_counts(forwarded in "[0-9a-f.:, \\[\\]]{0,40}") {
            let value = HeaderValue::try_from(forwarded.as_str()).unwrap();
            let headers = [(HeaderName::from_static("x-forwarded-for"), value)].into_iter().collect();
            let last = forwarded.rsplit(',').next().unwrap_or_default();
            prop_assert_eq!(address(&headers, None, true), super::forwarded(last));
            if let Ok(plain) = last.trim().parse() {
                prop_assert_eq!(address(&headers, None, true), Some(plain));
            }
        }
    }

    #[test]
    fn of_forwarded_addresses_the_last_counts() {
        let headers = [("x-forwarded-for", "1.1.1.1"), ("x-forwarded-for", "2.2.2.2, 3.3.3.3")];
        let headers = headers.map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        let headers: HeaderMap = headers.into_iter().collect();
        let peer = "10.0.0.1".parse().ok();
        assert_eq!(address(&headers, peer, true), "3.3.3.3".parse().ok());
        assert_eq!(address(&headers, peer, false), peer);
        assert_eq!(address(&HeaderMap::new(), peer, true), peer);
    }

    #[test]
    fn a_forwarded_address_may_have_a_port_brackets_and_quotes() {
        let given = |value: &'static str| {
            let line = (HeaderName::from_static("x-forwarded-for"), HeaderValue::from_static(value));
            address(&[line].into_iter().collect(), "10.0.0.1".parse().ok(), true)
        };
        for value in ["1.2.3.4", "1.2.3.4:5678", "9.9.9.9, 1.2.3.4:5678", "\"1.2.3.4:5678\"", " \" 1.2.3.4 \" "] {
            assert_eq!(given(value), "1.2.3.4".parse().ok(), "{value}");
        }
        for value in
            ["2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:443", "\"[2001:db8::1]:443\"", "1.1.1.1,[2001:db8::1]"]
        {
            assert_eq!(given(value), "2001:db8::1".parse().ok(), "{value}");
        }
        for value in ["", "unknown", "1.2.3.4:", "1.2.3.4:99999", "[1.2.3.4]", "[::1", "\"1.2.3.4", "_hidden:80"] {
            assert_eq!(given(value), "10.0.0.1".parse().ok(), "{value}");
        }
    }
}
