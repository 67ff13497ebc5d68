//! What is wrong with the schemas, where, and what to write instead.

use crate::source::Span;
use restwell_model::FaultCode;
use restwell_model::check::Severity;

/// One mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which rule is broken.
    pub code: FaultCode,
    /// Where it is; `None` where no file is to blame.
    pub primary: Option<Label>,
    /// Other places that take part.
    pub secondary: Vec<Label>,
    /// What is wrong, in a sentence without a full stop.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

/// A place, and a word on its part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// May be empty.
    pub text: String,
}

impl Diagnostic {
    /// A mistake at a place.
    #[must_use]
    pub fn new(code: FaultCode, span: Span, message: impl Into<String>) -> Self {
        let primary = Some(Label { span, text: String::new() });
        Self { primary, ..Self::without_place(code, message) }
    }

    /// A mistake that stands in no file.
    #[must_use]
    pub fn without_place(code: FaultCode, message: impl Into<String>) -> Self {
        Self { code, primary: None, secondary: Vec::new(), message: message.into(), help: None }
    }

    /// With a word beside the place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        if let Some(primary) = &mut self.primary {
            primary.text = text.into();
        }
        self
    }

    /// With another place that takes part.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// With what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With what to write instead, where that is known.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }

    /// Whether it refuses the description.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.code.severity() == Severity::Error
    }

    /// By file and place; what has no place comes first.
    #[must_use]
    pub fn order(&self) -> (Option<Span>, FaultCode, &str) {
        (self.primary.as_ref().map(|label| label.span), self.code, &self.message)
    }
}
