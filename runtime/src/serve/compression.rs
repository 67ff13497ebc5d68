//! Answers as the client wants them sent (§4.10): gzip where it says so.

use super::etag;
use super::negotiate::parse_quality;
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
        let weight = quality(weight);
        match name.trim().to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => gzip = Some(weight),
            "*" => any = Some(weight),
            "identity" => identity = Some(weight),
            _ => {}
        }
    }
    let gzip = gzip.or(any).unwrap_or(0);
    gzip > 0 && gzip >= identity.unwrap_or(0)
}

/// What stands behind a coding, in thousandths; what is no weight wants nothing.
fn quality(weight: &str) -> u32 {
    match weight.trim().split_once('=') {
        None if weight.trim().is_empty() => 1000,
        Some((name, value)) if name.eq_ignore_ascii_case("q") => parse_quality(value).unwrap_or(0),
        _ => 0,
    }
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
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    proptest! {
        #[test]
        fn the_weights_decide(codings in vec((select(vec!["gzip", "GZip", "x-gzip", "*", "identity", "br"]), 0..=1000_u32), 0..5)) {
            let text: Vec<_> = codings.iter().map(|(name, q)| format!("{name} ; Q={}.{:03}", q / 1000, q % 1000)).collect();
            let value = HeaderValue::try_from(text.join(",")).unwrap();
            let headers = [(header::ACCEPT_ENCODING, value)].into_iter().collect();
            // of a coding that is named twice the last weight counts
            let of = |names: &[&str]| {
                let named = codings.iter().rev().find(|(name, _)| names.iter().any(|it| name.eq_ignore_ascii_case(it)));
                named.map(|(_, quality)| *quality)
            };
            let gzip = of(&["gzip", "x-gzip"]).or(of(&["*"])).unwrap_or(0);
            prop_assert_eq!(is_asked(&headers), gzip > 0 && gzip >= of(&["identity"]).unwrap_or(0), "{}", text.join(","));
        }

        #[test]
        fn no_bytes_are_too_odd(bytes in vec(prop_oneof![Just(b'\t'), 0x20..0x7f_u8, 0x80..=0xff_u8], 0..60)) {
            let value = HeaderValue::from_bytes(&bytes).unwrap();
            is_asked(&[(header::ACCEPT_ENCODING, value)].into_iter().collect());
        }
    }

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
            ("gzip;Q=0", false),
            ("gzip;q=1e-1", false),
            ("gzip;level=9", false),
            ("gzip ; q=0.001", true),
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
