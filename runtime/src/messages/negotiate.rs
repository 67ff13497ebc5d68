//! `Accept-Language` → a language that is spoken: the lookup of RFC 4647, section 3.4.

use super::{ENGLISH, Messages};
use crate::quality::parse_quality;
use http::{HeaderMap, header};
use restwell_model::messages::lookup;

/// Ranges that are read; people name a few languages.
const MAX_RANGES: usize = 32;
/// Bytes of a range that is read; no registered language needs more than 35.
const MAX_RANGE: usize = 64;

impl Messages {
    /// The language to speak with who sent these headers. What is not a range, is too long, or is not supported here is
    /// passed over; where nothing is left, it is English.
    pub(super) fn choose(&self, headers: &HeaderMap) -> usize {
        let values = headers.get_all(header::ACCEPT_LANGUAGE).iter().filter_map(|value| value.to_str().ok());
        let elements = values.flat_map(|value| value.split(',')).take(MAX_RANGES);
        let mut ranges: Vec<_> = elements.filter_map(parse).collect();
        // the order of writing decides between equals
        ranges.sort_by_key(|(_, quality)| std::cmp::Reverse(*quality));
        let unwanted: Vec<_> =
            ranges.iter().filter(|(_, quality)| *quality == 0).filter_map(|(tag, _)| self.tags.get(tag)).collect();
        let spoken = ranges.iter().filter(|(_, quality)| *quality > 0).find_map(|(range, _)| {
            lookup(range).filter_map(|tag| self.tags.get(tag)).find(|index| !unwanted.contains(index))
        });
        spoken.copied().unwrap_or(ENGLISH)
    }
}

/// A range in small letters, and its quality in thousandths. `*` says nothing about which language to take.
fn parse(element: &str) -> Option<(String, u32)> {
    let (range, quality) = match element.split_once(';') {
        None => (element.trim(), 1000),
        Some((range, parameter)) => {
            let (name, value) = parameter.trim().split_once('=')?;
            (range.trim(), if name.eq_ignore_ascii_case("q") { parse_quality(value)? } else { return None })
        }
    };
    let is_range = range.len() <= MAX_RANGE && range.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_range.then(|| (range.to_ascii_lowercase(), quality))
}

#[cfg(test)]
mod tests {
    use super::super::CustomMessages;
    use super::*;
    use http::HeaderValue;
    use restwell_model::{Checked, Service};

    #[test]
    fn the_best_language_that_is_spoken_is_chosen() {
        let model = Checked::new(Service::new("shop")).expect("an empty service breaks no rule");
        let german = CustomMessages { language: "de".to_owned(), text: "NotReady = Noch nicht.\n".to_owned() };
        let messages = Messages::new(&model, &[german]).unwrap();
        let long = format!("pl-{}", "a-".repeat(100_000));
        let many = format!("{}pl", "fr,".repeat(MAX_RANGES));
        let cases: &[(&str, &str)] = &[
            ("", "en-US"),
            ("pl", "pl-PL"),
            ("pl-PL", "pl-PL"),
            ("PL-pl", "pl-PL"),
            ("pl-DE-1996", "pl-PL"),
            ("en-GB", "en-US"),
            ("de-AT", "de"),
            ("fr", "en-US"),
            ("fr, pl", "pl-PL"),
            ("*", "en-US"),
            ("*, pl;q=0.1", "pl-PL"),
            ("pl;q=0.3, en;q=0.7", "en-US"),
            ("en;q=0.3, pl;q=0.7", "pl-PL"),
            ("en;q=0.5,pl;q=0.5", "en-US"),
            ("pl ; Q=0.5 , fr", "pl-PL"),
            ("pl;q=0", "en-US"),
            ("pl-PL, pl;q=0", "en-US"),
            ("pl;q=0, de;q=0.1", "de"),
            ("pl;q=2, de", "de"),
            ("pl;q=x", "en-US"),
            ("pl;level=1", "en-US"),
            ("pl_PL", "en-US"),
            ("polish", "en-US"),
            (",;,=;q", "en-US"),
            (&long, "en-US"),
            (&many, "en-US"),
        ];
        for (value, expected) in cases {
            let mut headers = HeaderMap::new();
            headers.append(header::ACCEPT_LANGUAGE, HeaderValue::try_from(*value).unwrap());
            let chosen = &messages.languages[messages.choose(&headers)];
            assert_eq!(chosen.content_language, *expected, "{}", value.chars().take(80).collect::<String>());
        }
    }

    #[test]
    fn several_headers_are_one_list() {
        let model = Checked::new(Service::new("shop")).expect("an empty service breaks no rule");
        let messages = Messages::new(&model, &[]).unwrap();
        let mut headers = HeaderMap::new();
        headers.append(header::ACCEPT_LANGUAGE, HeaderValue::from_static("en;q=0.1"));
        headers.append(header::ACCEPT_LANGUAGE, HeaderValue::from_bytes(b"\xff").unwrap());
        headers.append(header::ACCEPT_LANGUAGE, HeaderValue::from_static("pl"));
        assert_eq!(messages.languages[messages.choose(&headers)].content_language, "pl-PL");
    }
}
