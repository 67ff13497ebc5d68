//! Query strings of any bytes: they are answered by 200 or 422, and nothing in them is passed over.

use crate::fields::{COMMON, Field, SPECIMEN};
use crate::question::escaped;
use crate::world::{Place, World};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestCaseError;
use restwell_testkit::wire::Answer;
use serde_json::Value;

/// Bytes of path and query (§8).
const MAX_URI: usize = 8 * 1024;
/// Bytes that the HTTP library takes for a path and query, with a fragment.
const MAX_TARGET: usize = 65_534;
/// Bytes of a head that the service takes, and what all of it but the target needs at most here.
const MAX_HEAD: usize = 128 * 1024;
const OTHER_HEAD: usize = 1024;
/// Parameters of a request.
const MAX_PARAMETERS: usize = 200;
/// Problems that an answer lists.
const MAX_PROBLEMS: usize = 100;

/// A query string, and where it is asked.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    place: Index,
    /// Of an entity there; of the collection where that is none or has none.
    entity: Option<Index>,
    query: Vec<u8>,
}

pub(crate) fn asked() -> impl Strategy<Value = Asked> {
    let entity = proptest::option::weighted(0.2, any::<Index>());
    (any::<Index>(), entity, query()).prop_map(|(place, entity, query)| Asked { place, entity, query })
}

fn query() -> impl Strategy<Value = Vec<u8>> {
    // mostly a few parameters, now and then as many as a URI holds, or more
    let times = prop_oneof![12 => Just(1usize), 2 => 2..150usize, 1 => 150..3000usize];
    let pieces = vec((piece(), times), 0..6);
    pieces.prop_map(|pieces| {
        let pieces = pieces.into_iter().flat_map(|(piece, times)| std::iter::repeat_n(piece, times));
        pieces.collect::<Vec<_>>().join(&b'&')
    })
}

fn piece() -> impl Strategy<Value = Vec<u8>> {
    let known = (any::<Index>(), any::<Index>(), 0..6usize).prop_map(|(field, value, ending)| {
        let field = &SPECIMEN[field.index(SPECIMEN.len())];
        let ending = ["", "", ".gt", ".gte", ".lt", ".eq"][ending];
        let value = field.written(&field.any(value));
        format!("{}{ending}={}", escaped(field.name), escaped(&value)).into_bytes()
    });
    let words = prop_oneof![
        Just("limit"),
        Just("offset"),
        Just("sort"),
        Just("name"),
        Just("size"),
        Just("search.id"),
        Just("dryRun"),
        Just("include"),
        Just("id"),
        Just("createdAt.gt"),
        Just(""),
        Just("count"),
        Just("%6Eame"),
        Just("na%me"),
    ];
    let values = prop_oneof![
        Just("1"),
        Just("-1"),
        Just("99999999999999999999999999"),
        Just("1e999"),
        Just(""),
        Just("name,-size"),
        Just(","),
        Just("true"),
        Just("%FF"),
        Just("%00"),
        Just("%F0%9F%AA%B2"),
        Just("'; DROP TABLE specimens; --"),
        Just("%"),
        Just("\u{202e}"),
        Just("*"),
        Just("null"),
    ];
    let odd = (words, values).prop_map(|(name, value)| format!("{name}={}", value.replace(' ', "+")).into_bytes());
    let escapes = vec(any::<u8>(), 0..12)
        .prop_map(|bytes| bytes.iter().flat_map(|byte| format!("%{byte:02x}").into_bytes()).collect());
    let bytes = vec(any::<u8>().prop_filter("one line", |byte| !b"\r\n".contains(byte)), 0..24);
    prop_oneof![4 => known, 4 => odd, 1 => escapes, 1 => bytes, 1 => "[a-z%.&=+]{0,30}".prop_map(String::into_bytes)]
}

/// Asks it.
pub(crate) fn ask(world: &mut World, asked: &Asked) -> Result<(), TestCaseError> {
    let mut places = world.places();
    let place = places.swap_remove(asked.place.index(places.len()));
    let entities = place.entities(world);
    let entity = asked.entity.filter(|_| !entities.is_empty() && has_entities(&place));
    let id = entity.map(|index| entities[index.index(entities.len())]["id"].clone());
    let path = match id.as_ref().and_then(Value::as_str) {
        Some(id) => format!("{}/{id}", place.path),
        None => place.path.clone(),
    };
    let target = [path.as_bytes(), b"?", &asked.query].concat();
    let reply = world.wire.send("GET", &target, place.version, place.token.as_deref(), None);
    let told = || format!("{} answered {reply:?}", String::from_utf8_lossy(&target));
    // a fragment stays with the client (RFC 9110, §4.2.5): where one is sent it is no part of what is asked for
    let query = asked.query.split(|byte| *byte == b'#').next().unwrap_or_default();
    let is_plain = asked.query.iter().all(|byte| is_of_a_query(*byte));
    if target.len() + OTHER_HEAD > MAX_HEAD {
        prop_assert!(matches!(reply.status, 400 | 414 | 431), "{}", told());
    } else if path.len() + 1 + query.len() > MAX_URI || target.len() > MAX_TARGET {
        prop_assert!(matches!(reply.status, 400 | 414), "{}", told());
    } else if !is_plain {
        prop_assert!(matches!(reply.status, 400 | 200 | 422), "{}", told());
    } else {
        prop_assert!(matches!(reply.status, 200 | 422), "{}", told());
        let problems = problems(&reply);
        prop_assert!(reply.status == 200 || (1..=MAX_PROBLEMS).contains(&problems.len()), "{}", told());
        for mistake in mistakes(&place, id.is_some(), query) {
            let is_listed = problems.len() == MAX_PROBLEMS || problems.contains(&mistake);
            prop_assert!(reply.status == 422 && is_listed, "{mistake:?} of {}", told());
        }
    }
    Ok(())
}

/// What a query and a fragment may be written with (RFC 3986, §3.4); anything else is no HTTP.
fn is_of_a_query(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?%#".contains(&byte)
}

/// Under an entity there are collections only.
fn has_entities(place: &Place) -> bool {
    place.path.matches('/').count() < 3
}

/// The paths of the problems that are listed; the request as a whole has none.
fn problems(reply: &Answer) -> Vec<Option<String>> {
    let body = reply.json();
    let errors = body["errors"].as_array().into_iter().flatten();
    errors.map(|error| error["path"].as_str().map(str::to_owned)).collect()
}

/// Queries that are surely wrong: too long, with unknown names, with bytes that are not text.
fn mistakes(place: &Place, is_entity: bool, query: &[u8]) -> Vec<Option<String>> {
    let pairs: Vec<_> = query.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty()).collect();
    let mut mistakes = Vec::new();
    if pairs.len() > MAX_PARAMETERS {
        mistakes.push(None);
    }
    for pair in pairs.iter().take(MAX_PARAMETERS) {
        let middle = pair.iter().position(|byte| *byte == b'=').unwrap_or(pair.len());
        let (name, value) = (decoded(&pair[..middle]), decoded(pair.get(middle + 1..).unwrap_or_default()));
        let is_text = std::str::from_utf8(&name).is_ok() && std::str::from_utf8(&value).is_ok();
        let name = String::from_utf8_lossy(&name).into_owned();
        if is_entity || !is_text || !is_declared(place, &name) {
            mistakes.push(Some(name));
        }
    }
    mistakes
}

/// Whether a parameter may be right. `search.id` is not: some collections have no searches, and the others none yet.
fn is_declared(place: &Place, name: &str) -> bool {
    let is_range = |name: &str| {
        let (name, ending) = name.rsplit_once('.').unwrap_or_default();
        let mut fields = COMMON.iter().chain(place.fields.iter().copied());
        let bounds = |field: &Field| field.ordered && ["gt", "gte", "lt", "lte"].contains(&ending);
        fields.any(|field| field.name == name && (bounds(field) || field.matches.contains(&ending)))
    };
    let mut fields = COMMON.iter().chain(place.fields.iter().copied());
    matches!(name, "limit" | "offset" | "sort") || fields.any(|field| field.name == name) || is_range(name)
}

/// `%41` and `+` undone; what only looks like an escape stays.
fn decoded(text: &[u8]) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), text);
    while let Some((first, after)) = rest.split_first() {
        let escape = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let escape = escape.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match (first, escape.and_then(|digits| u8::from_str_radix(digits, 16).ok())) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            (byte, _) => {
                bytes.push(if *byte == b'+' { b' ' } else { *byte });
                rest = after;
            }
        }
    }
    bytes
}
