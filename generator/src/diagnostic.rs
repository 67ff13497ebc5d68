//! A fault in the schemas: what is wrong, where, and what to write instead.

use crate::source::Span;
use restwell_model::FaultCode;
use restwell_model::check::Severity;

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which rule is broken.
    pub code: FaultCode,
    /// Whether it refuses the description.
    pub severity: Severity,
    /// The place; `None` if the fault belongs to no file.
    pub primary: Option<Label>,
    /// Other places that are part of the fault.
    pub secondary: Vec<Label>,
    /// What is wrong, in a sentence without a full stop.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

/// A place with a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// May be empty.
    pub text: String,
}

impl Diagnostic {
    /// A fault at a place.
    #[must_use]
    pub fn new(code: FaultCode, span: Span, message: impl Into<String>) -> Self {
        let primary = Some(Label { span, text: String::new() });
        Self { primary, ..Self::without_place(code, message) }
    }

    /// A fault that belongs to no file.
    #[must_use]
    pub fn without_place(code: FaultCode, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            primary: None,
            secondary: Vec::new(),
            message: message.into(),
            help: None,
        }
    }

    /// Adds a label to the place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        if let Some(primary) = &mut self.primary {
            primary.text = text.into();
        }
        self
    }

    /// Adds another place that is part of the fault.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds what to write instead, if it is known.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }

    /// Whether it refuses the description.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The sort key: file and place; faults without a place come first.
    #[must_use]
    pub fn order(&self) -> (Option<Span>, FaultCode, &str) {
        (self.primary.as_ref().map(|label| label.span), self.code, &self.message)
    }
}
