//! What goes over the wire: requests whole, in pieces, one behind the other, and broken.

use super::requests::{self, Targets};
use proptest::prelude::*;
use proptest::sample::Index;
use restwell_testkit::http::Request;

/// Bytes that are sent, and what may come of them.
#[derive(Debug, Clone)]
pub(super) struct Shot {
    pub(super) bytes: Vec<u8>,
    pub(super) end: End,
}

/// How it ends.
#[derive(Debug, Clone)]
pub(super) enum End {
    /// With an answer to each request; of each, whether it is a HEAD.
    Answers(Vec<bool>),
    /// Perhaps with an answer: the service may refuse it, or wait for more.
    Anything,
    /// The client goes.
    HangUp,
}

/// Any of all kinds.
pub(super) fn shots(targets: &Targets) -> BoxedStrategy<Shot> {
    let request = requests::requests(targets).boxed();
    let any = prop_oneof![
        10 => request.clone().prop_map(|request| whole(&[request])),
        2 => prop::collection::vec(request.clone(), 2..6).prop_map(|requests| whole(&requests)),
        2 => request.clone().prop_map(|request| old(&request)),
        3 => mutated(request.clone()),
        3 => chunked(request.clone()),
        2 => cut(request.clone()),
        1 => huge(request),
        1 => streams(targets),
        1 => prop::collection::vec(any::<u8>(), 1..300).prop_map(|bytes| Shot { bytes, end: End::Anything }),
    ];
    any.boxed()
}

/// Requests that are HTTP, all in one piece.
fn whole(requests: &[Request]) -> Shot {
    let bytes = requests.iter().flat_map(Request::bytes).collect();
    Shot { bytes, end: End::Answers(requests.iter().map(Request::is_head).collect()) }
}

/// HTTP/1.0.
fn old(request: &Request) -> Shot {
    let bytes = request.bytes();
    let place = bytes.windows(10).position(|ten| ten == b" HTTP/1.1\r").unwrap_or_default();
    let bytes = [&bytes[..place], b" HTTP/1.0\r", &bytes[place + 10..]].concat();
    Shot { bytes, end: End::Answers(vec![request.is_head()]) }
}

/// With some bytes changed, left out, or twice there.
fn mutated(request: BoxedStrategy<Request>) -> BoxedStrategy<Shot> {
    let bytes = prop_oneof![
        any::<u8>(),
        prop::sample::select(b"\r\n\0 :;,\"%".to_vec()),
        prop::sample::select(b"0123456789abcdef".to_vec()),
    ];
    let change = (any::<Index>(), 0..4_usize, 0..4_usize, prop::collection::vec(bytes, 0..4));
    let shots = (request, prop::collection::vec(change, 1..6)).prop_map(|(request, changes)| {
        let mut bytes = request.bytes();
        for (place, removed, repeated, added) in changes {
            let start = place.index(bytes.len());
            let end = (start + removed).min(bytes.len());
            let again = bytes[end..(end + repeated).min(bytes.len())].to_vec();
            bytes.splice(start..end, [added, again].concat());
        }
        Shot { bytes, end: End::Anything }
    });
    shots.boxed()
}

/// The body in chunks, some of which are broken.
fn chunked(request: BoxedStrategy<Request>) -> BoxedStrategy<Shot> {
    let heads = prop_oneof![
        4 => Just(None),
        1 => prop::sample::select(vec!["", "-1", "g", "0x5", "ffffffffffffffff", "fffffffffffffffff", "5;", "5;a=\"b", " 5"])
            .prop_map(Some),
    ];
    let ends = prop::sample::select(vec![
        "0\r\n\r\n",
        "0\r\nx: y\r\n\r\n",
        "0;a=b\r\n\r\n",
        "",
        "0\r\n",
        "00000\r\n\r\n",
        "\r\n",
    ]);
    let codings = prop::sample::select(vec!["chunked", "Chunked", "gzip, chunked", "chunked, gzip", "identity", ""]);
    let shots = (request, 1..40_usize, heads, ends, codings).prop_map(|(request, size, broken, end, coding)| {
        let body = request.sent().to_vec();
        let head = request.without("content-length").header("transfer-encoding", coding).head();
        let chunks = body.chunks(size).enumerate().flat_map(|(index, chunk)| {
            let length = match broken {
                Some(broken) if index == 1 => broken.to_owned(),
                _ => format!("{:x}", chunk.len()),
            };
            [length.as_bytes(), b"\r\n", chunk, b"\r\n"].concat()
        });
        let bytes = [head, chunks.collect(), end.as_bytes().to_vec()].concat();
        Shot { bytes, end: End::Anything }
    });
    shots.boxed()
}

/// A client that goes in the midst of it.
fn cut(request: BoxedStrategy<Request>) -> BoxedStrategy<Shot> {
    let shots = (request, any::<Index>()).prop_map(|(request, place)| {
        let mut bytes = request.bytes();
        bytes.truncate(place.index(bytes.len() + 1));
        Shot { bytes, end: End::HangUp }
    });
    shots.boxed()
}

/// Headers that are too many or too long.
fn huge(request: BoxedStrategy<Request>) -> BoxedStrategy<Shot> {
    let shots = (request, 0..300_usize, 0..20_000_usize).prop_map(|(request, count, length)| {
        let request = (0..count).fold(request, |request, index| request.header(&format!("x-{index}"), "x"));
        let long = ["accept-language", "if-none-match", "authorization", "x-long"][length % 4];
        let value = ["pl,", "\"a\",", "Bearer ", "x"][length % 4].repeat(length);
        Shot { bytes: request.header(long, value).bytes(), end: End::Anything }
    });
    shots.boxed()
}

/// Streams of events, which end with their client; and what watches the service.
fn streams(targets: &Targets) -> BoxedStrategy<Shot> {
    let token = targets.token().to_owned();
    let paths = [
        "/",
        "/docs",
        "/docs/app.js",
        "/docs/%2e%2e",
        "/events",
        "/events?resource=Offer",
        "/events?type=x",
        "/metrics",
        "/livez",
        "/readyz",
        "/events?a=%ff",
    ];
    let cursors = prop_oneof![
        Just(None),
        "[0-9a-f+-]{0,24}".prop_map(Some),
        Just(Some("0".to_owned())),
        Just(Some("1-00000000".to_owned())),
        "[0-9a-f]{16}-[0-9a-f]{16}".prop_map(Some),
    ];
    let accepts = prop::sample::select(vec!["text/event-stream", "*/*", "text/*;q=0.1", "application/json"]);
    let shots = (prop::sample::select(paths.to_vec()), cursors, accepts, any::<bool>()).prop_map(
        move |(path, cursor, accept, is_known)| {
            let request = Request::new("GET", path).header("accept", accept);
            let request = if is_known { request.bearer(&token) } else { request };
            let request = cursor.into_iter().fold(request, |request, cursor| request.header("last-event-id", cursor));
            Shot { bytes: request.bytes(), end: End::Anything }
        },
    );
    shots.boxed()
}
