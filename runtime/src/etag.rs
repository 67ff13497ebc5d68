//! Entity tags (decisions, "Caching").
//!
//! A tag is a hash of the representation it stands for, its media type included. So it is strong without further ado:
//! it changes with everything that the representation shows, also with the name of a referenced entity, and is the same
//! on every store.

use http::{HeaderMap, HeaderName, HeaderValue, header};
use twox_hash::XxHash3_128;
use uuid::Uuid;

/// What the tags of one media type begin with: the same bytes have other tags in another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TagSeed(u64);

impl TagSeed {
    pub(crate) fn of(media_type: &HeaderValue) -> Self {
        Self(XxHash3_128::oneshot(media_type.as_bytes()) as u64)
    }

    /// The tag of a representation with these bytes.
    pub(crate) fn tag(self, body: &[u8]) -> String {
        // 128 bits, as a UUID writes them fastest
        let hash = Uuid::from_u128(XxHash3_128::oneshot_with_seed(self.0, body));
        let mut tag = String::with_capacity(34);
        tag.push('"');
        tag.push_str(hash.simple().encode_lower(&mut Uuid::encode_buffer()));
        tag.push('"');
        tag
    }
}

/// How the tag of a compressed representation ends.
const GZIP_END: &str = "-gzip\"";

/// The tag of the same representation, compressed.
pub(super) fn compressed(tag: &HeaderValue) -> Option<HeaderValue> {
    HeaderValue::try_from(format!("{}{GZIP_END}", tag.to_str().ok()?.strip_suffix('"')?)).ok()
}

/// The tags that a client names in `If-Match` or `If-None-Match`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Tags {
    /// `*`: any entity.
    Any,
    /// These, as they were given.
    These(Vec<String>),
}

impl Tags {
    /// The tags in a header; `None` where it is not there. What is no tag matches nothing.
    pub(crate) fn read(headers: &HeaderMap, name: HeaderName) -> Option<Self> {
        let mut values = headers.get_all(name).iter().peekable();
        values.peek()?;
        let words = values.filter_map(|value| value.to_str().ok()).flat_map(tags);
        Some(Self::of(words.map(|tag| tag.trim().to_owned()).collect()))
    }

    /// The tags as they were given.
    pub(crate) fn given(&self) -> Vec<String> {
        match self {
            Self::Any => vec!["*".to_owned()],
            Self::These(tags) => tags.clone(),
        }
    }

    /// Those that were given so: `*` stands alone. A compressed representation's is the tag of what it is made of.
    pub(crate) fn of(tags: Vec<String>) -> Self {
        let plain = |tag: String| match tag.strip_suffix(GZIP_END) {
            Some(start) => format!("{start}\""),
            None => tag,
        };
        let tags: Vec<_> = tags.into_iter().map(plain).collect();
        if tags == ["*"] { Self::Any } else { Self::These(tags) }
    }

    /// Strong comparison: `If-Match`.
    pub(crate) fn match_strongly(&self, tag: &str) -> bool {
        match self {
            Self::Any => true,
            Self::These(tags) => tags.iter().any(|given| given == tag),
        }
    }

    /// Weak comparison: `If-None-Match`.
    pub(crate) fn match_weakly(&self, tag: &str) -> bool {
        match self {
            Self::Any => true,
            Self::These(tags) => tags.iter().any(|given| given.strip_prefix("W/").unwrap_or(given) == tag),
        }
    }
}

/// What the tags of an entity must be (RFC 9110 §13.1) for a request about it to be done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Preconditions {
    /// It has one of each of these.
    pub(crate) if_match: Vec<Tags>,
    /// It has none of these.
    pub(crate) if_none_match: Option<Tags>,
}

impl Preconditions {
    /// Those of the headers of a request.
    pub(crate) fn read(headers: &HeaderMap) -> Self {
        Self {
            if_match: Tags::read(headers, header::IF_MATCH).into_iter().collect(),
            if_none_match: Tags::read(headers, header::IF_NONE_MATCH),
        }
    }

    /// Whether an entity need not be looked at.
    pub(crate) fn is_empty(&self) -> bool {
        self.if_match.is_empty() && self.if_none_match.is_none()
    }

    /// Whether an entity meets them whose representations have these tags, one in each version.
    pub(crate) fn hold(&self, tags: &[String]) -> bool {
        let is_named = |given: &Tags| tags.iter().any(|tag| given.match_strongly(tag));
        let is_known = |given: &Tags| tags.iter().any(|tag| given.match_weakly(tag));
        self.if_match.iter().all(is_named) && !self.if_none_match.as_ref().is_some_and(is_known)
    }
}

/// The elements of a list of tags (RFC 9110 §8.8.3): a tag may have commas within its quotes.
fn tags(list: &str) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    list.split(move |character| {
        is_quoted ^= character == '"';
        character == ',' && !is_quoted
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(value: &str) -> Tags {
        let headers = [(http::header::IF_MATCH, HeaderValue::try_from(value).unwrap())].into_iter().collect();
        Tags::read(&headers, http::header::IF_MATCH).unwrap()
    }

    proptest! {
        #[test]
        fn each_tag_of_a_list_is_one(tags in prop::collection::vec("(W/)?\"[!#-~]{0,6}\"", 1..5), blank in "[ \t]{0,2}") {
            let read = read(&tags.join(&format!("{blank},{blank}")));
            prop_assert_eq!(&read, &Tags::of(tags.clone()));
            prop_assert!(read != Tags::Any);
            for tag in tags.iter().filter(|tag| !tag.ends_with(GZIP_END)) {
                prop_assert!(read.match_weakly(tag.strip_prefix("W/").unwrap_or(tag)));
                prop_assert_eq!(read.match_strongly(tag), tags.contains(tag));
            }
        }

        #[test]
        fn any_is_a_star_alone(text in "[*,\"W/a \\t]{0,8}") {
            prop_assert_eq!(read(&text) == Tags::Any, text.trim() == "*", "{}", text);
        }
    }

    #[test]
    fn preconditions_are_about_all_representations() {
        let read = |name: &'static str, value: &'static str| {
            let headers = [(HeaderName::from_static(name), HeaderValue::from_static(value))].into_iter().collect();
            Preconditions::read(&headers)
        };
        let tags = ["\"public\"", "\"beta\""].map(str::to_owned);
        for (value, is_one, is_weakly_one) in [
            ("\"public\"", true, true),
            ("\"x\", \"beta\"", true, true),
            ("W/\"beta\"", false, true),
            ("\"beta-gzip\"", true, true),
            ("*", true, true),
            ("*, \"x\"", false, false),
            ("*, \"beta\"", true, true),
            ("\"x\"", false, false),
            ("", false, false),
        ] {
            assert_eq!(read("if-match", value).hold(&tags), is_one, "If-Match: {value}");
            assert_eq!(read("if-none-match", value).hold(&tags), !is_weakly_one, "If-None-Match: {value}");
        }
        assert!(Preconditions::read(&HeaderMap::new()).is_empty() && Preconditions::default().hold(&tags));
    }

    #[test]
    fn tags_of_different_representations_differ() {
        let [public, beta] = ["public", "beta"].map(|text| TagSeed::of(&HeaderValue::from_static(text)));
        assert_eq!(public.tag(b"{}"), public.tag(b"{}"));
        assert_ne!(public.tag(b"{}"), beta.tag(b"{}"));
        assert_ne!(public.tag(b"{}"), public.tag(b"[]"));
    }

    #[test]
    fn weak_tags_match_weakly_only() {
        let mut headers = HeaderMap::new();
        headers.append("if-match", HeaderValue::from_static("\"x\", W/\"a\""));
        let tags = Tags::read(&headers, http::header::IF_MATCH).unwrap();
        assert!(tags.match_weakly("\"a\"") && !tags.match_strongly("\"a\""));
        assert!(tags.match_strongly("\"x\""));
    }

    #[test]
    fn either_form_of_a_tag_matches() {
        let tag = HeaderValue::from_static("\"a\"");
        let compressed = compressed(&tag).unwrap();
        assert_eq!(compressed, "\"a-gzip\"");
        let given = Tags::of(vec![compressed.to_str().unwrap().to_owned()]);
        assert!(given.match_strongly("\"a\""));
    }
}
