//! Renders diagnostics as text in the style of rustc, and as JSON for machines.

use crate::diagnostic::{Diagnostic, Label};
use crate::source::{Position, Source};
use annotate_snippets::{Annotation, AnnotationKind, Element, Group, Level, Renderer, Snippet};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;

/// One diagnostic as text, without a line break at the end. Styled text carries ANSI escapes.
#[must_use]
pub fn text(diagnostic: &Diagnostic, sources: &[Source], styled: bool) -> String {
    let level = if diagnostic.is_error() { Level::ERROR } else { Level::WARNING };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.code());
    let mut elements: Vec<Element<'_>> = snippets(diagnostic, sources).into_iter().map(Element::from).collect();
    elements.extend(diagnostic.help.as_deref().map(|help| Level::HELP.message(help).into()));
    let group: Group<'_> = title.elements(elements);
    let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}

/// A snippet for each file, that of the primary place first.
fn snippets<'a>(diagnostic: &'a Diagnostic, sources: &'a [Source]) -> Vec<Snippet<'a, Annotation<'a>>> {
    let Some(primary) = &diagnostic.primary else { return Vec::new() };
    let mut files: BTreeMap<(bool, usize), Vec<(AnnotationKind, &Label)>> = BTreeMap::new();
    let labels = diagnostic.secondary.iter().map(|label| (AnnotationKind::Context, label));
    for (kind, label) in std::iter::once((AnnotationKind::Primary, primary)).chain(labels) {
        let is_other = label.span.file != primary.span.file;
        files.entry((is_other, label.span.file)).or_default().push((kind, label));
    }
    files.into_iter().map(|((_, file), labels)| snippet(&sources[file], &labels)).collect()
}

/// The lines with the labels, so that the renderer does not scan the rest of the file.
fn snippet<'a>(source: &'a Source, labels: &[(AnnotationKind, &'a Label)]) -> Snippet<'a, Annotation<'a>> {
    let start = labels.iter().map(|(_, label)| label.span.start).min().unwrap_or(0);
    let end = labels.iter().map(|(_, label)| label.span.end).max().unwrap_or(0);
    let (lines, first) = source.lines(&(start..end));
    let annotations = labels.iter().map(|(kind, label)| {
        let range = relative(label.span.range(), &lines);
        let text = Some(label.text.as_str()).filter(|text| !text.is_empty());
        kind.span(range).label(text)
    });
    Snippet::source(&source.text[lines.clone()]).line_start(first).path(source.path.as_str()).annotations(annotations)
}

fn relative(range: Range<usize>, lines: &Range<usize>) -> Range<usize> {
    range.start - lines.start..range.end - lines.start
}

/// The last line of a report: the number of errors and warnings. `None` if there are none.
#[must_use]
pub fn summary(diagnostics: &[Diagnostic]) -> Option<String> {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    let files: std::collections::BTreeSet<usize> =
        diagnostics.iter().filter_map(|diagnostic| Some(diagnostic.primary.as_ref()?.span.file)).collect();
    let place = match files.len() {
        0 => String::new(),
        files => format!(" in {}", counted(files, "file")),
    };
    match (errors, diagnostics.len() - errors) {
        (0, 0) => None,
        (0, warnings) => Some(format!("warning: found {}{place}", counted(warnings, "warning"))),
        (errors, 0) => Some(format!("error: found {}{place}", counted(errors, "error"))),
        (errors, warnings) => {
            Some(format!("error: found {} and {}{place}", counted(errors, "error"), counted(warnings, "warning")))
        }
    }
}

/// `1 file`, `2 files`.
fn counted(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}

/// One diagnostic as a line of JSON.
#[must_use]
pub fn json(diagnostic: &Diagnostic, sources: &[Source]) -> String {
    let span = |label: &'_ Label, is_primary: bool| {
        let source = &sources[label.span.file];
        JsonSpan {
            file: source.path.clone(),
            start: source.position(label.span.start),
            end: source.position(label.span.end),
            label: Some(label.text.clone()).filter(|text| !text.is_empty()),
            is_primary,
        }
    };
    let primary = diagnostic.primary.iter().map(|label| span(label, true));
    let secondary = diagnostic.secondary.iter().map(|label| span(label, false));
    let report = JsonDiagnostic {
        code: diagnostic.code.code(),
        severity: if diagnostic.is_error() { "error" } else { "warning" },
        file: diagnostic.primary.as_ref().map(|label| sources[label.span.file].path.as_str()),
        spans: primary.chain(secondary).collect(),
        message: &diagnostic.message,
        help: diagnostic.help.as_deref(),
    };
    serde_json::to_string(&report).unwrap_or_else(|error| format!("{{\"message\":\"{error}\"}}"))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonDiagnostic<'a> {
    code: &'static str,
    severity: &'static str,
    file: Option<&'a str>,
    spans: Vec<JsonSpan>,
    message: &'a str,
    help: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonSpan {
    file: String,
    start: Position,
    end: Position,
    label: Option<String>,
    is_primary: bool,
}
