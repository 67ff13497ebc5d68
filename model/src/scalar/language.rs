//! A language tag, RFC 5646, in canonical case (§2.4.6).

use super::Country;
use super::codes::{self, Rows};
use crate::error::ErrorCode;
use crate::language::{Characters, CheckedText, ScalarType, TextExamples, TextShape, Type};
use oxilangtag::LanguageTag;
use std::fmt;

/// A language tag in canonical case: `pl`, `pl-PL`, `zh-Hant-TW`, `es-419`.
///
/// A two-letter language is one that ISO 639-1 assigns, a two-letter region one that ISO 3166-1 does; three-letter
/// languages and everything else are held to the form only. Tags for private use alone and the irregular ones that
/// predate the form (`i-klingon`) are refused: no ISO 639 language stands in them.
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
        is_assigned.then(|| Self(tag.into_inner().into()))
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

/// A country, or an area's three digits.
fn is_region(subtag: &str) -> bool {
    subtag.len() == 3 || Country::parse(subtag).is_some()
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
