//! The output on stderr: diagnostics, and one line about the result.

use super::Format;
use crate::compile::Compiled;
use crate::render;
use anstream::{AutoStream, ColorChoice};
use std::io::{self, Write};

/// The greatest number of faults in a report for people. More would scroll off the screen.
const MAX_SHOWN: usize = 100;

/// Prints messages in the chosen format.
pub(super) struct Report {
    format: Format,
}

impl Report {
    pub(super) fn new(format: Format) -> Self {
        Self { format }
    }

    /// Prints all faults of the schemas, and a line with their number.
    pub(super) fn diagnostics(&self, compiled: &Compiled) {
        let shown = match self.format {
            Format::Text | Format::Junit => compiled.diagnostics.len().min(MAX_SHOWN),
            Format::Json => compiled.diagnostics.len(),
        };
        let lines = compiled.diagnostics[..shown].iter().map(|diagnostic| match self.format {
            Format::Text | Format::Junit => render::text(diagnostic, &compiled.sources, is_styled()) + "\n",
            Format::Json => render::json(diagnostic, &compiled.sources),
        });
        let summary = render::summary(&compiled.diagnostics).filter(|_| self.format == Format::Text);
        for line in lines.chain(summary) {
            say(&line);
        }
        if shown < compiled.diagnostics.len() {
            say(&format!("only the first {shown} are shown; `--format json` shows all of them"));
        }
    }

    /// Prints the result in one line, for people only.
    pub(super) fn done(&self, message: &str) {
        if self.format == Format::Text {
            say(message);
        }
    }

    /// Prints what people have to do themselves, for people only.
    pub(super) fn to_do(&self, message: &str) {
        self.done(&format!("to do: {message}"));
    }

    /// Prints an error.
    pub(super) fn failure(&self, problem: &str) {
        match self.format {
            Format::Text | Format::Junit => say(&format!("error: {problem}")),
            Format::Json => say(&serde_json::json!({ "severity": "error", "message": problem }).to_string()),
        }
    }
}

/// Colours only on a terminal, and not where `NO_COLOR` is set.
fn is_styled() -> bool {
    AutoStream::choice(&io::stderr()) != ColorChoice::Never
}

/// An error is ignored: a closed stderr cannot be reported anywhere.
fn say(line: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{line}");
}
