//! Compression of responses with gzip, if the client accepts it (§4.10).

use super::answers::{self, kib};
use super::payload::Payload;
use super::shares::Shares;
use crate::etag;
use crate::limits::ClientKey;
use crate::quality::parse_quality;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderValue, Response, header};
use std::io::Write;
use std::sync::Arc;

pub(super) const GZIP: HeaderValue = HeaderValue::from_static("gzip");
/// Bytes from which a response is compressed on another thread.
const INLINE_BYTES: usize = 64 * 1024;

/// Whether the client prefers gzip to no coding, or accepts both equally.
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

/// The weight of a coding, in thousandths; 0 if it is malformed.
fn quality(weight: &str) -> u32 {
    match weight.trim().split_once('=') {
        None if weight.trim().is_empty() => 1000,
        Some((name, value)) if name.eq_ignore_ascii_case("q") => parse_quality(value).unwrap_or(0),
        _ => 0,
    }
}

/// The answer, compressed; a stream goes as it comes. So does a large answer while too many others are being
/// compressed, or no memory is left for it: no request waits for it.
pub(super) async fn compress(mut response: Response<Payload>, client: ClientKey, shares: &Shares) -> Response<Payload> {
    // fixed documents are stored compressed
    if response.headers().contains_key(header::CONTENT_ENCODING) {
        return response;
    }
    let Payload::Whole(body) = response.body_mut() else { return response };
    let compressed = match body.len() {
        0 => None,
        length if length < INLINE_BYTES => gzip(body).map(|bytes| answers::hold(bytes, client, shares)),
        _ => compress_elsewhere(body, client, shares).await,
    };
    // the tag of an empty response, such as a 304, is that of the compressed representation
    let is_compressed = body.is_empty() || compressed.is_some();
    if let Some(compressed) = compressed {
        *body = compressed;
        response.headers_mut().insert(header::CONTENT_ENCODING, GZIP);
    }
    if is_compressed && let Some(tag) = response.headers().get(header::ETAG).and_then(etag::compressed) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// Compresses on another thread, with a share of the memory for the result.
async fn compress_elsewhere(body: &Bytes, client: ClientKey, shares: &Shares) -> Option<Bytes> {
    let place = Arc::clone(&shares.compressions).try_acquire_owned().ok()?;
    let mut share = shares.answers.take(client, kib(body.len()))?;
    let plain = body.clone();
    let compressing = tokio::task::spawn_blocking(move || {
        // it continues when the request has ended: place and share are taken until it ends
        let _place = place;
        let compressed = gzip(&plain)?;
        share.shrink_to(kib(compressed.len()));
        Some(answers::held(compressed, share))
    });
    compressing.await.ok()?
}

/// Compresses a fixed document, as well as possible.
pub(super) fn gzip_well(body: &[u8]) -> Option<Bytes> {
    gzip_at(body, Compression::best())
}

fn gzip(body: &[u8]) -> Option<Bytes> {
    gzip_at(body, Compression::fast())
}

fn gzip_at(body: &[u8], level: Compression) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 4 + 64), level);
    encoder.write_all(body).ok()?;
    let mut compressed = encoder.finish().ok()?;
    compressed.shrink_to_fit();
    Some(Bytes::from(compressed))
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

    /// An answer with a tag, compressed; its tag, its coding, its bytes.
    async fn compressed(body: Vec<u8>, shares: &Shares) -> (String, Option<HeaderValue>, Bytes) {
        let mut response = Response::new(Payload::from(body));
        response.headers_mut().insert(header::ETAG, HeaderValue::from_static("\"a\""));
        let response = compress(response, ClientKey::Caller(uuid::Uuid::nil()), shares).await;
        let (head, body) = response.into_parts();
        let Payload::Whole(bytes) = body else { panic!("it is whole") };
        let tag = head.headers[header::ETAG].to_str().unwrap().to_owned();
        (tag, head.headers.get(header::CONTENT_ENCODING).cloned(), bytes)
    }

    #[tokio::test]
    async fn a_large_answer_is_sent_as_it_is_while_others_are_compressed() {
        let shares = Shares::new(&restwell_model::Service::new("test"), 1);
        let large = vec![b'x'; INLINE_BYTES];
        let places = shares.compressions.available_permits();
        let all = shares.compressions.try_acquire_many(places as u32).unwrap();
        let (tag, coding, bytes) = compressed(large.clone(), &shares).await;
        assert_eq!((tag.as_str(), coding, bytes.len()), ("\"a\"", None, large.len()));
        // what is small needs no place
        let (_, coding, _) = compressed(b"small".to_vec(), &shares).await;
        assert_eq!(coding, Some(GZIP));
        drop(all);
        let (tag, coding, _) = compressed(large, &shares).await;
        assert_eq!((tag.as_str(), coding), ("\"a-gzip\"", Some(GZIP)));
        assert_eq!((shares.compressions.available_permits(), shares.answers.held()), (places, 0));
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
