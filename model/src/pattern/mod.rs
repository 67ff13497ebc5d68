//! The patterns of texts: regular expressions, compiled once however often a field is read.
//!
//! A pattern is written in the syntax of Rust's `regex` crate and means the same wherever it is used. `\d` and `\w` are
//! ASCII, as in ECMA-262 (`meaning.rs`); everything else means what the crate says. The compiled form and the portable
//! form, which documents publish, are both made from that one meaning.

mod meaning;
mod portable;

use regex::{Regex, RegexBuilder};
use regex_syntax::hir::Hir;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// Memory of a compiled pattern, in bytes.
pub(crate) const MOST_MEMORY: usize = 1 << 20;
/// Characters of a portable form: a longer one, such as one of many classes of Unicode, is not published.
pub(crate) const MOST_PUBLISHED: usize = 4096;

/// A regular expression, as the model has it: it may be wrong. It is compiled when that is first asked for, and its
/// clones have the same compiled form.
#[derive(Clone, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Pattern(Arc<Source>);

struct Source {
    text: String,
    compiled: OnceLock<Result<Regex, PatternError>>,
}

/// Why a text is not a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatternError {
    /// It is not a regular expression: what is wrong, in a line, and the number of the first wrong character, from 1.
    Syntax {
        /// In the words of the parser.
        reason: String,
        /// In characters.
        position: usize,
    },
    /// Its compiled form needs more than 1 MiB.
    TooBig,
}

impl Pattern {
    /// What finds it in texts.
    ///
    /// # Errors
    ///
    /// It is not a regular expression, or needs more than 1 MiB.
    pub fn compiled(&self) -> Result<&Regex, &PatternError> {
        let compile = || {
            let text = self.meaning()?.to_string();
            RegexBuilder::new(&text).size_limit(MOST_MEMORY).build().map_err(|error| match error {
                regex::Error::CompiledTooBig(_) => PatternError::TooBig,
                other => PatternError::Syntax { reason: last_line(&other.to_string()), position: 1 },
            })
        };
        self.0.compiled.get_or_init(compile).as_ref()
    }

    /// Whether a text does not match. Every text matches what is no pattern, which is a fault of the model.
    pub(crate) fn misses(&self, text: &str) -> bool {
        self.compiled().is_ok_and(|pattern| !pattern.is_match(text))
    }

    /// The same pattern as it is published: in ECMA-262 (with the flag `u` or `v`, and so in JSON Schema and in HTML),
    /// and in Python's `re`. `None` if it is not a pattern, or its form is longer than 4096 characters.
    #[must_use]
    pub fn portable(&self) -> Option<String> {
        let text = portable::write(&self.meaning().ok()?);
        (text.chars().count() <= MOST_PUBLISHED).then_some(text)
    }

    /// What it means.
    pub(crate) fn meaning(&self) -> Result<Hir, PatternError> {
        meaning::of(&self.0.text)
    }
}

/// The last line of an error: the parser draws the place over several lines before.
fn last_line(text: &str) -> String {
    text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

impl From<String> for Pattern {
    fn from(text: String) -> Self {
        Self(Arc::new(Source { text, compiled: OnceLock::new() }))
    }
}

impl From<&str> for Pattern {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> Self {
        pattern.0.text.clone()
    }
}

impl Deref for Pattern {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0.text
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Pattern {}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_are_compiled_once() {
        let pattern = Pattern::from("^[a-z]+$");
        let clone = pattern.clone();
        assert!(std::ptr::eq(pattern.compiled().unwrap(), clone.compiled().unwrap()));
    }

    #[test]
    fn a_wrong_pattern_says_why() {
        let unclosed = PatternError::Syntax { reason: "unclosed character class".to_owned(), position: 3 };
        assert_eq!(Pattern::from("aż[").compiled().unwrap_err(), &unclosed);
        let unknown = PatternError::Syntax { reason: "Unicode property not found".to_owned(), position: 2 };
        assert_eq!(Pattern::from(r"a\p{Elvish}").compiled().unwrap_err(), &unknown);
        assert_eq!(Pattern::from("a{999}{999}").compiled().unwrap_err(), &PatternError::TooBig);
    }

    #[test]
    fn it_is_its_text() {
        let pattern: Pattern = serde_json::from_str(r#""a|b""#).unwrap();
        assert_eq!(pattern, Pattern::from("a|b"));
        assert_eq!(serde_json::to_string(&pattern).unwrap(), r#""a|b""#);
        assert_eq!((pattern.to_string(), format!("{pattern:?}")), ("a|b".to_owned(), "\"a|b\"".to_owned()));
    }
}
