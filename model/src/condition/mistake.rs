//! A mistake in a condition, with its place in the text.

use std::ops::Range;

/// What is wrong with a condition, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Bytes of the text.
    pub span: Range<usize>,
    /// The kind of mistake.
    pub code: MistakeCode,
    /// What is wrong, in a sentence without a full stop.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

/// The kinds of mistakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MistakeCode {
    /// The text is not an expression.
    Syntax,
    /// The text is too long, too deep, or has too many parts.
    TooLarge,
    /// A name that does not exist.
    UnknownName,
    /// The same, of another resource, or of its reference to this one.
    UnknownResource,
    /// A name that cannot be used here: `old` outside rules, a field in a role.
    Misplaced,
    /// Operators or functions on values that they do not take.
    WrongType,
    /// A value that is never one of its type: a misspelt value of an enum, a malformed timestamp.
    ImpossibleValue,
}

impl Mistake {
    pub(super) fn new(span: &Range<usize>, code: MistakeCode, message: impl Into<String>) -> Self {
        Self { span: span.clone(), code, message: message.into(), help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(super) fn suggest(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }
}
