//! Answers as the client wants them sent (§4.10): gzip where it says so.

use super::etag;
use super::payload::Payload;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderValue, Response, header};
use std::io::Write;

const GZIP: HeaderValue = HeaderValue::from_static("gzip");
/// Bytes from which an answer is compressed away from the threads that serve.
const LARGE: usize = 64 * 1024;

/// Whether the client wants gzip at least as much as nothing of the sort.
pub(super) fn is_asked(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let (mut gzip, mut any, mut identity) = (None, None, None);
    for coding in values.flat_map(|value| value.split(',')) {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().strip_prefix("q=").map_or(1.0, |weight| weight.parse().unwrap_or(0.0));
        let weight = if (0.0..=1.0).contains(&weight) { weight } else { 0.0 };
        match name.trim().to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => gzip = Some(weight),
            "*" => any = Some(weight),
            "identity" => identity = Some(weight),
            _ => {}
        }
    }
    let gzip: f32 = gzip.or(any).unwrap_or(0.0);
    gzip > 0.0 && gzip >= identity.unwrap_or(0.0)
}

/// The answer, compressed; a stream goes as it comes.
pub(super) async fn compress(mut response: Response<Payload>) -> Response<Payload> {
    if let Some(tag) = response.headers().get(header::ETAG).and_then(etag::compressed) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    let Payload::Whole(body) = response.body_mut() else { return response };
    if body.is_empty() {
        return response;
    }
    let body = std::mem::take(body);
    let compressed = if body.len() < LARGE {
        gzip(&body)
    } else {
        let kept = body.clone();
        tokio::task::spawn_blocking(move || gzip(&kept)).await.unwrap_or_default()
    };
    // writing to memory does not fail
    let Some(compressed) = compressed else {
        *response.body_mut() = Payload::Whole(body);
        return response;
    };
    response.headers_mut().insert(header::CONTENT_ENCODING, GZIP);
    *response.body_mut() = Payload::Whole(compressed);
    response
}

fn gzip(body: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 4 + 64), Compression::fast());
    encoder.write_all(body).ok()?;
    encoder.finish().ok().map(Bytes::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_what_the_client_asks_for() {
        for (given, expected) in [
            ("gzip", true),
            ("GZIP;q=0.5, br", true),
            ("deflate, gzip;q=1.0, *;q=0.5", true),
            ("*", true),
            ("gzip;q=0", false),
            ("gzip;q=0, *", false),
            ("*;q=0", false),
            ("gzip;q=0.5, identity", false),
            ("gzip;q=x", false),
            ("br", false),
            ("identity", false),
            ("", false),
        ] {
            let headers = [(header::ACCEPT_ENCODING, HeaderValue::from_static(given))].into_iter().collect();
            assert_eq!(is_asked(&headers), expected, "{given}");
        }
        assert!(!is_asked(&HeaderMap::new()));
    }
}
