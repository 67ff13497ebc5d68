//! Heads of requests: many headers, long ones, long lists in them, the longest URI.

use super::{Manner, Shot, read};
use crate::site::Site;
use restwell_testkit::http::Request;

/// Headers of a request, with those that every one has.
const MOST_HEADERS: usize = 90;
/// Bytes of headers together, as far as they are all read.
const LONGEST: usize = 60_000;
/// `MAX_HEAD_BYTES`, less the other headers.
const LARGEST_HEAD: usize = 125_000;
/// `MAX_URI`, without the path.
const LONGEST_QUERY: usize = 8_000;
/// `MAX_PARAMETERS`.
const MOST_PARAMETERS: usize = 200;

/// The site's request; with an empty object where it takes a body.
fn request(site: &Site<'_>, query: &str) -> Request {
    match site.action.method() {
        // what is there stays
        "DELETE" => site.request(&format!("dryRun=true&{query}")),
        "POST" | "PUT" | "PATCH" => site.send(query, "{}"),
        _ => site.request(query),
    }
}

pub(super) fn most(site: &Site<'_>) -> Vec<Shot> {
    read(&with_most(request(site, ""), LONGEST))
}

/// A request with as many headers as may be, of so many bytes.
pub(super) fn with_most(request: Request, bytes: usize) -> Request {
    let value = "x".repeat(bytes / MOST_HEADERS);
    (0..MOST_HEADERS).fold(request, |request, n| request.header(&format!("x-header-{n}"), value.as_str()))
}

pub(super) fn longest(site: &Site<'_>) -> Vec<Shot> {
    read(&request(site, "").header("x-long", "x".repeat(LONGEST)))
}

/// A head as large as may be, without its end.
pub(super) fn unfinished(site: &Site<'_>) -> Vec<Shot> {
    let request = request(site, "").header("x-long", "x".repeat(LARGEST_HEAD));
    let mut shot = Shot::of(Manner::Idle, &request);
    shot.bytes.truncate(request.head().len() - "\r\n".len());
    vec![shot]
}

/// Lists as long as the head may be, in each header that the service reads one from.
pub(super) fn lists(site: &Site<'_>) -> Vec<Shot> {
    let of = |part: &str| part.repeat(LONGEST / part.len()).trim_end_matches(',').to_owned();
    let lists = [
        ("accept", of("application/vnd.service.beta.v9+json;q=0.001,")),
        ("accept-language", of("xx-XX;q=0.001,")),
        ("accept-encoding", of("br;q=0.001,")),
        ("if-match", of("\"0123456789abcdef\",")),
        ("if-none-match", of("W/\"0123456789abcdef\",")),
        ("traceparent", of("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01,")),
    ];
    lists.into_iter().flat_map(|(name, value)| read(&request(site, "").header(name, value))).collect()
}

pub(super) fn uri(site: &Site<'_>) -> Vec<Shot> {
    let rest = LONGEST_QUERY - site.path.len();
    let queries = [format!("sort={}", "-id,".repeat(rest / 4)), format!("x={}", "%41".repeat(rest / 3))];
    queries.iter().flat_map(|query| read(&request(site, query))).collect()
}

pub(super) fn parameters(site: &Site<'_>) -> Vec<Shot> {
    let unknown = (0..MOST_PARAMETERS).map(|number| format!("unheardOf{number}=x")).collect::<Vec<_>>().join("&");
    let empty = "&".repeat(LONGEST_QUERY - site.path.len());
    [unknown, empty].iter().flat_map(|query| read(&request(site, query))).collect()
}
