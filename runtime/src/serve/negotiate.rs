//! `Accept` and `Content-Type` → the version that answers (§4.1, §9).

use super::failure::Failure;
use super::response_meta::ResponseMeta;
use crate::plan::{BodyNeed, IndexedBy, Needs, ResourcePlan, VersionIndex, ViewPlan};
use crate::quality::parse_quality;
use http::{HeaderMap, HeaderValue, header};
use restwell_model::{ErrorCode, Problem};

/// The versions of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Negotiated {
    /// Of the answer.
    pub(crate) version: VersionIndex,
    /// Of the request's body, where there is one.
    pub(crate) body_version: VersionIndex,
}

/// The media types of which one is negotiated.
pub(super) trait MediaTypes {
    type Index: Copy;

    /// Those that are served, the preferred one first.
    fn served(&self) -> impl Iterator<Item = (Self::Index, &HeaderValue)>;

    /// Those that are answered 410.
    fn retired(&self) -> &[HeaderValue];

    /// The first served one that is the sought one.
    fn find(&self, is_it: impl Fn(&HeaderValue) -> bool) -> Option<Self::Index> {
        self.served().find(|(_, media_type)| is_it(media_type)).map(|(index, _)| index)
    }
}

/// The versions of a resource at one of its paths.
struct Versions<'a> {
    plan: &'a ResourcePlan,
    view: &'a ViewPlan,
}

impl MediaTypes for Versions<'_> {
    type Index = VersionIndex;

    fn served(&self) -> impl Iterator<Item = (VersionIndex, &HeaderValue)> {
        self.view.representations.indexed().map(|(index, representation)| (index, &representation.media_type))
    }

    fn retired(&self) -> &[HeaderValue] {
        &self.plan.retired
    }
}

/// Those of a custom route.
impl MediaTypes for [HeaderValue] {
    type Index = usize;

    fn served(&self) -> impl Iterator<Item = (usize, &HeaderValue)> {
        self.iter().enumerate()
    }

    fn retired(&self) -> &[HeaderValue] {
        &[]
    }
}

/// Finds the versions. A missing `Accept` is refused where it is needed; a given one is read wherever the answer has
/// a body, and later errors are reported in its version. `has_body`: something is sent as the body.
pub(super) fn negotiate(
    headers: &HeaderMap,
    plan: &ResourcePlan,
    served: &ViewPlan,
    (needs, has_body): (Needs, bool),
    meta: &mut ResponseMeta,
) -> Result<Negotiated, Failure> {
    if needs == Needs::NOTHING {
        return Ok(Negotiated { version: VersionIndex::PREFERRED, body_version: VersionIndex::PREFERRED });
    }
    let versions = Versions { plan, view: served };
    let accepted = accept(headers, &versions, needs.accept)?;
    if let Some(accepted) = accepted {
        meta.speaks(&served.in_version(accepted).media_type);
        meta.uses(served.in_version(accepted).deprecation);
    }
    let names_type = match needs.body {
        BodyNeed::None => false,
        BodyNeed::Optional => has_body || headers.contains_key(header::CONTENT_TYPE),
        BodyNeed::Required => true,
    };
    let body_version = match names_type {
        true => content_type(headers, &versions)?,
        false => VersionIndex::PREFERRED,
    };
    let version = accepted.unwrap_or(body_version);
    meta.speaks(&served.in_version(version).media_type);
    for used in [version, body_version] {
        meta.uses(served.in_version(used).deprecation.filter(|_| used == version || names_type));
    }
    Ok(Negotiated { version, body_version })
}

/// What `Accept` selects, where it is given: 406 if it selects nothing, or is needed and missing.
pub(super) fn accept<T: MediaTypes + ?Sized>(
    headers: &HeaderMap,
    served: &T,
    is_needed: bool,
) -> Result<Option<T::Index>, Failure> {
    let mut accepts = headers.get_all(header::ACCEPT).iter().peekable();
    match accepts.peek() {
        Some(_) => accepted(accepts, served).map(Some),
        None if is_needed => Err(not_acceptable(served)),
        None => Ok(None),
    }
}

fn accepted<'a, T: MediaTypes + ?Sized>(
    mut accepts: impl Iterator<Item = &'a HeaderValue>,
    served: &T,
) -> Result<T::Index, Failure> {
    let first = accepts.next();
    // what nearly every client sends: one media type, as it is served
    let Some(second) = accepts.next() else {
        return match first.and_then(|value| served.find(|media_type| media_type == value)) {
            Some(index) => Ok(index),
            None => best(first.and_then(|value| value.to_str().ok()).unwrap_or_default(), served),
        };
    };
    let values = first.into_iter().chain([second]).chain(accepts).map(|value| value.to_str().ok());
    let joined = values.collect::<Option<Vec<_>>>().map(|values| values.join(",")).unwrap_or_default();
    best(&joined, served)
}

/// Whether a client takes a media type that has no versions: 406.
pub(crate) fn takes(headers: &HeaderMap, media_type: &HeaderValue) -> Result<(), Failure> {
    let name = media_type.to_str().unwrap_or_default();
    let values = headers.get_all(header::ACCEPT).iter().map(|value| value.to_str().ok());
    let accept = values.collect::<Option<Vec<_>>>().map(|values| values.join(",")).unwrap_or_default();
    if parse_accept(&accept).is_some_and(|ranges| quality_of(&ranges, name) > 0) {
        return Ok(());
    }
    Err(Problem::new(ErrorCode::NotAcceptable).with("served", vec![name]).into())
}

/// Whether `Accept` or `Content-Type` names a media type of the service, of whatever version. Ranges name none.
pub(super) fn names_version(headers: &HeaderMap, vendor: &str) -> bool {
    let prefix = format!("application/vnd.{vendor}.");
    let is_version = |media_type: &str| {
        let start = media_type.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(&prefix));
        start && media_type.len() > prefix.len()
    };
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok()).any(|accept| {
        let ranges = parse_accept(accept).unwrap_or_default();
        ranges.iter().any(|range| range.quality > 0 && is_version(&format!("{}/{}", range.kind, range.subtype)))
    });
    let sent = || {
        let mut values = headers.get_all(header::CONTENT_TYPE).iter().filter_map(|value| value.to_str().ok());
        values.any(|value| is_version(value.trim()))
    };
    accepted || sent()
}

/// Whether a client prefers a page to JSON, as browsers do. A client that names neither is a program.
pub(crate) fn prefers_page(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT).iter().map(|value| value.to_str().ok());
    let accept = values.collect::<Option<Vec<_>>>().map(|values| values.join(",")).unwrap_or_default();
    parse_accept(&accept)
        .is_some_and(|ranges| quality_of(&ranges, "text/html") > quality_of(&ranges, "application/json"))
}

/// The served version of the highest quality; of equal ones the first, which is the preferred.
fn best<T: MediaTypes + ?Sized>(accept: &str, served: &T) -> Result<T::Index, Failure> {
    let ranges = parse_accept(accept).ok_or_else(|| not_acceptable(served))?;
    let quality = |media_type: &HeaderValue| quality_of(&ranges, media_type.to_str().unwrap_or_default());
    let mut best = (0, None);
    for (index, media_type) in served.served() {
        let quality = quality(media_type);
        if quality > best.0 {
            best = (quality, Some(index));
        }
    }
    match best.1 {
        Some(index) => Ok(index),
        None if served.retired().iter().any(|retired| quality(retired) > 0) => Err(retired(served)),
        None => Err(not_acceptable(served)),
    }
}

struct Range<'a> {
    kind: &'a str,
    subtype: &'a str,
    /// In thousandths.
    quality: u32,
    has_parameters: bool,
}

/// RFC 9110 §12.5.1; `None` where it is not of that grammar.
fn parse_accept(accept: &str) -> Option<Vec<Range<'_>>> {
    let elements = unquoted(accept, ',').map(str::trim).filter(|element| !element.is_empty());
    let ranges: Vec<_> = elements.map(parse_range).collect::<Option<_>>()?;
    if ranges.is_empty() { None } else { Some(ranges) }
}

/// Splits where a separator stands outside quotes (RFC 9110 §5.6.4).
fn unquoted(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    text.split(move |character| {
        let was_escaped = is_escaped;
        is_escaped = is_quoted && !was_escaped && character == '\\';
        is_quoted ^= character == '"' && !was_escaped;
        character == separator && !is_quoted
    })
}

fn parse_range(element: &str) -> Option<Range<'_>> {
    let mut parts = unquoted(element, ';').map(str::trim);
    let (kind, subtype) = parts.next()?.split_once('/')?;
    if !is_token(kind) || !is_token(subtype) || (kind == "*" && subtype != "*") {
        return None;
    }
    let mut range = Range { kind, subtype, quality: 1000, has_parameters: false };
    for parameter in parts.filter(|parameter| !parameter.is_empty()) {
        let (name, value) = parameter.split_once('=')?;
        if name.eq_ignore_ascii_case("q") {
            range.quality = parse_quality(value)?;
            break; // what follows are extensions
        }
        if !is_token(name) || !is_value(value) {
            return None;
        }
        range.has_parameters = true;
    }
    Some(range)
}

fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}

fn is_value(text: &str) -> bool {
    is_token(text) || (text.len() >= 2 && text.starts_with('"') && text.ends_with('"'))
}

/// The most specific range that matches decides. The served types have no parameters: a range with some is another
/// type.
fn quality_of(ranges: &[Range<'_>], media_type: &str) -> u32 {
    let Some((kind, subtype)) = media_type.split_once('/') else { return 0 };
    let matching = ranges.iter().filter(|range| !range.has_parameters).filter_map(|range| {
        let specificity = match (range.kind, range.subtype) {
            ("*", "*") => 0,
            (k, "*") if k.eq_ignore_ascii_case(kind) => 1,
            (k, s) if k.eq_ignore_ascii_case(kind) && s.eq_ignore_ascii_case(subtype) => 2,
            _ => return None,
        };
        Some((specificity, range.quality))
    });
    matching.max().map_or(0, |(_, quality)| quality)
}

/// What `Content-Type` names: 415 if that is not served.
pub(super) fn content_type<T: MediaTypes + ?Sized>(headers: &HeaderMap, served: &T) -> Result<T::Index, Failure> {
    let unsupported = || media_type_failure(ErrorCode::UnsupportedMediaType, served);
    let mut values = headers.get_all(header::CONTENT_TYPE).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return Err(unsupported()) };
    if let Some(index) = served.find(|media_type| media_type == value) {
        return Ok(index);
    }
    let essence = essence(value.to_str().unwrap_or_default()).ok_or_else(unsupported)?;
    let is = |media_type: &HeaderValue| media_type.as_bytes().eq_ignore_ascii_case(essence.as_bytes());
    match served.find(is) {
        Some(index) => Ok(index),
        None if served.retired().iter().any(is) => Err(retired(served)),
        None => Err(unsupported()),
    }
}

/// The media type without its parameters, of which only a charset of UTF-8 is taken.
fn essence(value: &str) -> Option<&str> {
    let mut parts = value.split(';').map(str::trim);
    let essence = parts.next()?;
    for parameter in parts.filter(|parameter| !parameter.is_empty()) {
        let (name, value) = parameter.split_once('=')?;
        let is_charset = name.eq_ignore_ascii_case("charset");
        if is_charset && !value.trim_matches('"').eq_ignore_ascii_case("utf-8") {
            return None;
        }
    }
    Some(essence)
}

fn not_acceptable<T: MediaTypes + ?Sized>(served: &T) -> Failure {
    media_type_failure(ErrorCode::NotAcceptable, served)
}

fn retired<T: MediaTypes + ?Sized>(served: &T) -> Failure {
    media_type_failure(ErrorCode::VersionRetired, served)
}

fn media_type_failure<T: MediaTypes + ?Sized>(code: ErrorCode, served: &T) -> Failure {
    let names: Vec<_> = served.served().filter_map(|(_, media_type)| media_type.to_str().ok()).collect();
    Problem::new(code).with("served", names).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::sample::select;

    fn quality(accept: &str) -> Option<u32> {
        parse_accept(accept).map(|ranges| quality_of(&ranges, "application/vnd.service.public.v1+json"))
    }

    /// Ranges, how much each says of the public version (more than another where it is longer), and their weights.
    fn ranges() -> impl Strategy<Value = Vec<(&'static str, u32)>> {
        let known = ["*/*", "application/*", "APPLICATION/vnd.service.PUBLIC.v1+json"];
        let others = ["application/json", "text/*", "a/b;c=\"d,e;q=0\"", "a/b;c=\"\\\",\""];
        proptest::collection::vec((proptest::sample::select([&known[..], &others[..]].concat()), 0..=1000_u32), 1..6)
    }

    proptest! {
        #[test]
        fn what_is_a_list_of_ranges_is_read(ranges in ranges(), blank in "[ \t]{0,2}") {
            let weighted = |(range, q): &(&str, u32)| format!("{range}{blank};{blank}q={}.{:03}", q / 1000, q % 1000);
            let text = ranges.iter().map(weighted).collect::<Vec<_>>().join(&format!("{blank},"));
            let known = ["*/*", "application/*", "APPLICATION/vnd.service.PUBLIC.v1+json"];
            let rank = |(range, quality): &(&str, u32)| Some((known.iter().position(|it| it == range)?, *quality));
            let expected = ranges.iter().filter_map(rank).max().map_or(0, |(_, quality)| quality);
            prop_assert_eq!(quality(&text), Some(expected), "{}", text);
        }

        #[test]
        fn one_bad_range_makes_the_list_invalid(ranges in ranges(), bad in select(vec!["json", "*/json", "a/b;q=1.1", "a b/c", "a/b;c", "a/"])) {
            let text = ranges.iter().map(|(range, _)| *range).chain([bad]).collect::<Vec<_>>().join(",");
            prop_assert_eq!(quality(&text), None, "{}", text);
        }

        #[test]
        fn no_text_is_too_odd(text in "[ -~]{0,60}") {
            quality(&text);
            essence(&text);
        }

        #[test]
        fn weights_have_three_digits_at_most(text in "[01](\\.[0-9]{0,4})?|[0-9.+e-]{0,6}") {
            let digits = text.split_once('.').map_or("", |(_, digits)| digits);
            let is_weight = (text.starts_with('0') || text.starts_with('1'))
                && (text.len() == 1 || text.as_bytes()[1] == b'.')
                && digits.len() <= 3
                && digits.bytes().all(|b| b.is_ascii_digit())
                && (text.starts_with('0') || digits.bytes().all(|b| b == b'0'));
            prop_assert_eq!(parse_quality(&text).is_some(), is_weight, "{}", text);
        }
    }

    #[test]
    fn the_most_specific_range_decides() {
        assert_eq!(quality("*/*"), Some(1000));
        assert_eq!(quality("application/*;q=0.5"), Some(500));
        assert_eq!(quality("*/*, application/vnd.service.public.v1+json;q=0"), Some(0));
        assert_eq!(quality("APPLICATION/VND.service.public.v1+json"), Some(1000));
        assert_eq!(quality("application/json"), Some(0));
        assert_eq!(quality("text/*, application/vnd.service.public.v1+json;charset=utf-8"), Some(0));
    }

    #[test]
    fn what_is_no_accept_is_refused() {
        for bad in ["", ",", "json", "*/json", "a/b;q=2", "a/b;q=0.1234", "a/b;q", "a b/c"] {
            assert_eq!(quality(bad), None, "{bad}");
        }
    }
}
