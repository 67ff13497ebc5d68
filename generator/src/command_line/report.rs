//! What is said, on stderr: diagnostics, and a line on what was done.

use super::Format;
use crate::compile::Compiled;
use crate::render;
use anstream::{AutoStream, ColorChoice};
use std::io::{self, Write};

/// So many mistakes are shown to people: who has more scrolls past them.
const MAX_SHOWN: usize = 100;

/// Where messages go, and how they look.
pub(super) struct Report {
    format: Format,
}

impl Report {
    pub(super) fn new(format: Format) -> Self {
        Self { format }
    }

    /// Everything that is wrong with the schemas, and a line that counts it.
    pub(super) fn diagnostics(&self, compiled: &Compiled) {
        let shown = match self.format {
            Format::Text => compiled.diagnostics.len().min(MAX_SHOWN),
            Format::Json => compiled.diagnostics.len(),
        };
        let lines = compiled.diagnostics[..shown].iter().map(|diagnostic| match self.format {
            Format::Text => render::text(diagnostic, &compiled.sources, is_styled()) + "\n",
            Format::Json => render::json(diagnostic, &compiled.sources),
        });
        let summary = render::summary(&compiled.diagnostics).filter(|_| self.format == Format::Text);
        for line in lines.chain(summary) {
            say(&line);
        }
        if shown < compiled.diagnostics.len() {
            say(&format!("the first {shown} are shown; `--format json` shows all"));
        }
    }

    /// What was done, in a line for people.
    pub(super) fn done(&self, message: &str) {
        if self.format == Format::Text {
            say(message);
        }
    }

    /// What could not be done.
    pub(super) fn failure(&self, problem: &str) {
        match self.format {
            Format::Text => say(&format!("error: {problem}")),
            Format::Json => say(&serde_json::json!({ "severity": "error", "message": problem }).to_string()),
        }
    }
}

/// Colours only on a terminal, and not where `NO_COLOR` is set.
fn is_styled() -> bool {
    AutoStream::choice(&io::stderr()) != ColorChoice::Never
}

/// Nobody is left to tell when stderr is closed.
fn say(line: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{line}");
}
