//! The messages of errors for users, in their languages (§4.9, §7.1).
//!
//! Messages are written in [Fluent](https://projectfluent.org), a file for each language. Those of every
//! [`ErrorCode`](crate::ErrorCode) are here; a team's files add codes, languages, and messages of single fields, and
//! replace what is here. [`check`] finds their mistakes when the files are read, so that no mistake is left to be found
//! during a request.

mod check;
mod id;
mod plural_rules;
mod read;
#[cfg(test)]
mod tests;

pub use check::check;
pub use id::flat;
pub use plural_rules::{PluralCategory, PluralKind, PluralRules};

use crate::FaultCode;
use crate::scalar::Language;
use std::ops::Range;

/// The function that writes a number.
pub const NUMBER: &str = "NUMBER";
/// The function that writes a time or a date. A variable that has one is written the same way without it.
pub const DATETIME: &str = "DATETIME";
/// The functions that a message may use.
pub const FUNCTIONS: [&str; 2] = [NUMBER, DATETIME];
/// The variable with the path of the error.
pub const FIELD: &str = "field";
/// Placeables of a message at most, those of its terms included: terms that refer to each other would have no end.
pub const MAX_PLACEABLES: usize = 100;

/// A language that Restwell itself speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuiltIn {
    /// What its file is called.
    pub language: &'static str,
    /// What `Content-Language` says.
    pub content_language: &'static str,
    /// The messages.
    pub text: &'static str,
}

/// The built-in languages. The first one is the default (§4.9).
pub const BUILT_IN: [BuiltIn; 2] = [
    BuiltIn { language: "en", content_language: "en-US", text: include_str!("../../messages/en.ftl") },
    BuiltIn { language: "pl", content_language: "pl-PL", text: include_str!("../../messages/pl.ftl") },
];

/// A file of a team's messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageFile<'a> {
    /// The tag of its language: the file's name.
    pub language: &'a str,
    /// In Fluent.
    pub text: &'a str,
}

/// Something wrong with a team's messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageFault {
    /// Which rule.
    pub code: FaultCode,
    /// Where.
    pub at: MessagePlace,
    /// Another place that takes part, with a word on its part.
    pub also: Option<(MessagePlace, String)>,
    /// What is wrong, in a sentence without a full stop.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

/// A place in a team's messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessagePlace {
    /// Which file.
    pub file: usize,
    /// The bytes, at borders of characters.
    pub bytes: Range<usize>,
}

/// The name by which a language is known: its canonical tag, or that of the language that Restwell itself speaks
/// (`en-US` is what `en` is). `None` if the language does not exist.
#[must_use]
pub fn language(tag: &str) -> Option<String> {
    let tag = Language::parse(tag)?;
    let built_in = BUILT_IN.iter().find(|it| it.content_language == tag.as_str());
    Some(built_in.map_or(tag.as_str(), |it| it.language).to_owned())
}

/// A tag and its shorter forms, in the lookup order of RFC 4647: `zh-Hant-TW`, `zh-Hant`, `zh`.
pub fn lookup(tag: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(tag), |tag| {
        let shorter = tag.rsplit_once('-')?.0;
        // a single letter begins something that is not there any more
        Some(match shorter.rsplit_once('-') {
            Some((before, single)) if single.len() == 1 => before,
            _ => shorter,
        })
    })
}
