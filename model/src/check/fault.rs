//! A fault in a description: what is wrong, where, and what to write instead.

use crate::check::{FaultCode, Severity};
use crate::condition::{Mistake, MistakeCode};
use std::fmt;
use std::ops::Range;

/// One thing that is wrong in a description. Rules name places by [`ModelPath`]; a front end maps the path to the span
/// of a YAML node or a Rust token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The broken rule.
    pub code: FaultCode,
    /// Whether it refuses the description: as the rule says, or a warning where the fault is a guess.
    pub severity: Severity,
    /// The place of the fault.
    pub at: ModelPath,
    /// The bytes of the text at the place, where the fault is in a part of it: of a condition.
    pub within: Option<Range<usize>>,
    /// Other places that are part of the fault, each with a label.
    pub also: Vec<(ModelPath, String)>,
    /// What is wrong, in a sentence without a full stop.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl Fault {
    /// A fault at a place.
    #[must_use]
    pub fn new(code: FaultCode, at: ModelPath, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            at,
            within: None,
            also: Vec::new(),
            message: message.into(),
            help: None,
        }
    }

    /// A mistake in the condition at a place.
    #[must_use]
    pub fn of_condition(at: ModelPath, mistake: Mistake) -> Self {
        let code = match mistake.code {
            MistakeCode::Syntax => FaultCode::ConditionSyntax,
            MistakeCode::TooLarge => FaultCode::ConditionTooLarge,
            MistakeCode::UnknownName | MistakeCode::UnknownResource => FaultCode::ConditionName,
            MistakeCode::Misplaced => FaultCode::ConditionPlace,
            MistakeCode::WrongType => FaultCode::ConditionType,
            MistakeCode::ImpossibleValue => FaultCode::ConditionValue,
        };
        Self { within: Some(mistake.span), help: mistake.help, ..Self::new(code, at, mistake.message) }
    }

    /// Makes it a warning: the rule cannot be certain here.
    #[must_use]
    pub fn guess(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// Adds what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Points into the text of a condition.
    #[must_use]
    pub fn within(mut self, span: Range<usize>) -> Self {
        self.within = Some(span);
        self
    }

    /// Adds another place that is part of the fault.
    #[must_use]
    pub fn also(mut self, at: ModelPath, label: impl Into<String>) -> Self {
        self.also.push((at, label.into()));
        self
    }
}

/// A place in a description: the name of the definition, then the keys that lead to the place, as in YAML: `Offer`,
/// `fields`, `seller`, `to`. An empty path is the service document. An inline definition has its derived name
/// (`OfferStatus`, `values`, `1`); the front end maps it to its source. A path may end in a key that does not exist:
/// then it refers to the nearest existing key above.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ModelPath {
    /// The definition; `None`: the service document.
    pub definition: Option<String>,
    /// Keys and indexes below it.
    pub keys: Vec<Key>,
    /// The path refers to the key itself (a bad name), not to its value.
    pub of_key: bool,
}

/// A step of a [`ModelPath`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// A key of a mapping; in a sequence, the item with this text.
    Name(String),
    /// An item of a sequence.
    Index(usize),
}

impl ModelPath {
    /// The service document.
    #[must_use]
    pub fn service() -> Self {
        Self::default()
    }

    /// A definition.
    #[must_use]
    pub fn definition(name: &str) -> Self {
        Self { definition: Some(name.to_owned()), ..Self::default() }
    }

    /// The value under a key.
    #[must_use]
    pub fn key(&self, name: &str) -> Self {
        self.step(Key::Name(name.to_owned()))
    }

    /// An item of a list.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.step(Key::Index(index))
    }

    /// The same place, but its key rather than its value.
    #[must_use]
    pub fn of_key(&self) -> Self {
        Self { of_key: true, ..self.clone() }
    }

    fn step(&self, key: Key) -> Self {
        let mut path = Self { of_key: false, ..self.clone() };
        path.keys.push(key);
        path
    }
}

impl fmt::Display for ModelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.definition.as_deref().unwrap_or("service"))?;
        for key in &self.keys {
            match key {
                Key::Name(name) => write!(f, ".{name}")?,
                Key::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}
