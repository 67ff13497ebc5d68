//! The patterns of texts: regular expressions, compiled once however often a field is read.

use regex::{Error, Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// Memory of a compiled pattern, in bytes.
pub(crate) const MOST_MEMORY: usize = 1 << 20;

/// A regular expression in the syntax of Rust's `regex` crate, as the model has it: it may be wrong. It is compiled
/// when that is first asked for, and its clones have the same compiled form.
#[derive(Clone, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Pattern(Arc<Source>);

struct Source {
    text: String,
    compiled: OnceLock<Result<Regex, Error>>,
}

impl Pattern {
    /// What finds it in texts.
    ///
    /// # Errors
    ///
    /// It is not a regular expression, or needs more than 1 MiB.
    pub fn compiled(&self) -> Result<&Regex, &Error> {
        let compile = || RegexBuilder::new(&self.0.text).size_limit(MOST_MEMORY).build();
        self.0.compiled.get_or_init(compile).as_ref()
    }
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
        assert!(matches!(Pattern::from("[").compiled(), Err(Error::Syntax(_))));
        assert!(matches!(Pattern::from("a{999}{999}").compiled(), Err(Error::CompiledTooBig(MOST_MEMORY))));
    }

    #[test]
    fn it_is_its_text() {
        let pattern: Pattern = serde_json::from_str(r#""a|b""#).unwrap();
        assert_eq!(pattern, Pattern::from("a|b"));
        assert_eq!(serde_json::to_string(&pattern).unwrap(), r#""a|b""#);
        assert_eq!((pattern.to_string(), format!("{pattern:?}")), ("a|b".to_owned(), "\"a|b\"".to_owned()));
    }
}
