//! A language tag, RFC 5646, in canonical case (§2.4.6).

use super::Country;
use super::codes::{self, Rows};
use crate::error::ErrorCode;
use crate::language::{Characters, CheckedText, ScalarType, TextExamples, TextShape, Type};
use oxilangtag::LanguageTag;
use std::collections::BTreeSet;
use std::fmt;

/// A language tag in canonical case: `pl`, `pl-PL`, `zh-Hant-TW`, `es-419`.
///
/// A two-letter language is one that ISO 639-1 assigns, a two-letter region one that ISO 3166-1 does; three-letter
/// languages, scripts and variants are held to the form only. What section 2.2 forbids beside the form is refused: two
/// extended languages, a variant or the letter of an extension twice, a number that is no registered area. Tags for
/// private use alone and the irregular ones that predate the form (`i-klingon`) are refused: no ISO 639 language stands
/// in them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(Box<str>);

/// ISO 639-1.
const LANGUAGES: Rows = [
    "ABEFKMNRSVYZ",
    "AEGIMNORS",
    "AEHORSUVY",
    "AEVZ",
    "ELNOSTU",
    "AFIJORY",
    "ADLNUV",
    "AEIORTUYZ",
    "ADEGIKOSTU",
    "AV",
    "AGIJKLMNORSUVWY",
    "ABGINOTUV",
    "GHIKLNRSTY",
    "ABDEGLNORVY",
    "CJMRS",
    "AILST",
    "U",
    "MNOUW",
    "ACDEGIKLMNOQRSTUVW",
    "AEGHIKLNORSTWY",
    "GKRZ",
    "EIO",
    "AO",
    "H",
    "IO",
    "AHU",
];

/// The areas of UN M.49 that the registry of subtags has: continents and their parts, no groups of economies.
const AREAS: [&str; 31] = [
    "001", "002", "003", "005", "009", "011", "013", "014", "015", "017", "018", "019", "021", "029", "030", "034",
    "035", "039", "053", "054", "057", "061", "142", "143", "145", "150", "151", "154", "155", "202", "419",
];

/// Its row in the language.
pub(crate) static SCALAR_TYPE: ScalarType = ScalarType::checked_text(
    ("language", "A language tag of RFC 5646: `pl-PL`."),
    Type::Language,
    "Language",
    CheckedText {
        canonical: |text| Language::parse(text).map(|language| language.to_string()),
        error: ErrorCode::InvalidLanguage,
    },
    TextExamples {
        schema: "LanguageTag",
        pattern: "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$",
        note: Some("RFC 5646; rendered in canonical case."),
        example: "pl-PL",
        samples: &["en", "en-GB", "de", "fr", "pl-PL", "pt"],
        shape: TextShape { prefix: "", characters: Characters::Words, length: (1, None) },
    },
);

impl Language {
    /// What RFC 5646, section 4.4.1, asks everyone to have room for: no registered language needs more.
    pub const MAX_LENGTH: usize = 35;

    /// Reads a tag in any case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > Self::MAX_LENGTH {
            return None;
        }
        let tag = LanguageTag::parse_and_normalize(text).ok()?;
        let is_assigned = is_language(tag.primary_language()) && tag.region().is_none_or(is_region);
        let is_valid = is_assigned
            && tag.extended_language_subtags().count() <= 1
            && are_distinct(tag.variant_subtags())
            && are_distinct(tag.extension_subtags().map(|(letter, _)| letter));
        is_valid.then(|| Self(tag.into_inner().into()))
    }

    /// The tag.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_language(subtag: &str) -> bool {
    match *subtag.to_ascii_uppercase().as_bytes() {
        [first, second] => codes::holds(&LANGUAGES, [first, second]),
        [_, _, _] => true,
        _ => false,
    }
}

/// A country, or a registered area.
fn is_region(subtag: &str) -> bool {
    AREAS.contains(&subtag) || Country::parse(subtag).is_some()
}

/// Of the parts of a normalized tag, which are few.
fn are_distinct<T: Ord>(parts: impl Iterator<Item = T>) -> bool {
    let mut seen = BTreeSet::new();
    parts.into_iter().all(|part| seen.insert(part))
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_case_becomes_the_canonical_one() {
        let cases = [
            ("PL-pl", "pl-PL"),
            ("pl", "pl"),
            ("EN-us", "en-US"),
            ("zh-hANT-tw", "zh-Hant-TW"),
            ("ES-419", "es-419"),
            ("CSB-pl", "csb-PL"),
            ("sl-rozaj-BISKE", "sl-rozaj-biske"),
            ("de-DE-U-CO-Phonebk", "de-DE-u-co-phonebk"),
            ("en-001", "en-001"),
            ("zh-YUE", "zh-yue"),
            ("de-1901-1996", "de-1901-1996"),
            ("en-a-bbb-b-bbb-x-a-a", "en-a-bbb-b-bbb-x-a-a"),
        ];
        for (text, canonical) in cases {
            assert_eq!(Language::parse(text).unwrap().as_str(), canonical);
        }
    }

    #[test]
    fn what_is_no_tag_or_not_assigned_is_refused() {
        let texts = [
            "",
            "p",
            "polish",
            "pl_PL",
            "pl-",
            "-pl",
            "pl--PL",
            "pl PL",
            "xx",
            "xx-PL",
            "sh",
            "pl-UK",
            "pl-XX",
            "pl-ZZ",
            "x-private",
            "i-klingon",
            "en-GB-oed",
            "ł",
            "en-a",
            "en-US-",
            "12",
            // of RFC 5646, section 2.2: a letter of an extension twice, a variant twice, two extended languages
            "en-a-bbb-a-ccc",
            "en-A-bbb-a-ccc",
            "de-1901-1901",
            "sl-rozaj-biske-ROZAJ",
            "zh-gan-yue",
            // no area of the registry: unknown, a group of economies, a country
            "en-999",
            "en-000",
            "en-432",
            "de-276",
        ];
        for text in texts {
            assert_eq!(Language::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_length_is_bounded() {
        let longest = "de-Latn-DE-1996-x-aaaaaaaa-bbbbbbbb";
        assert_eq!(longest.len(), Language::MAX_LENGTH);
        assert!(Language::parse(longest).is_some());
        assert_eq!(Language::parse("de-Latn-DE-1996-x-aaaaaaaa-bbbbbbbb-c"), None);
    }

    #[test]
    fn iso_639_1_has_183_languages() {
        let languages = codes::all(&LANGUAGES);
        assert_eq!(languages.len(), 183);
        assert!(languages.is_sorted());
    }
}
