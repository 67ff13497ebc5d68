//! Indentation by tabs, which the language refuses.

use super::{Node, NodeKind};
use crate::diagnostic::Diagnostic;
use crate::source::{Source, Span};
use restwell_model::FaultCode;

pub(super) fn tab_indentation(at: Span) -> Diagnostic {
    Diagnostic::new(FaultCode::TabIndentation, at, "the line is indented with a tab").help("indent with spaces")
}

/// Tabs that the parser lets pass, because YAML forbids them in some places only. In a text of several lines they are
/// the text's own.
pub(super) fn report_tabs(root: &Node, source: &Source, diagnostics: &mut Vec<Diagnostic>) {
    if !source.text.contains('\t') {
        return;
    }
    let mut texts = Vec::new();
    collect_texts(root, &mut texts);
    let mut start = 0;
    for line in source.text.split_inclusive('\n') {
        if let Some(tab) = leading_tab(line) {
            let at = Span { file: root.span.file, start: start + tab, end: start + tab + 1 };
            if !texts.iter().any(|text| text.contains(at)) {
                diagnostics.push(tab_indentation(at));
            }
        }
        start += line.len();
    }
}

fn collect_texts(node: &Node, texts: &mut Vec<Span>) {
    match &node.kind {
        NodeKind::Scalar { text, plain } if !plain || text.contains('\n') => texts.push(node.span),
        NodeKind::Scalar { .. } | NodeKind::Refused => {}
        NodeKind::Sequence(items) => items.iter().for_each(|item| collect_texts(item, texts)),
        NodeKind::Mapping(entries) => entries.iter().for_each(|entry| collect_texts(&entry.value, texts)),
    }
}

/// The first tab of a line's indentation; of a blank or a comment line, none.
pub(super) fn leading_tab(line: &str) -> Option<usize> {
    let content = line.trim_start_matches([' ', '\t']);
    let indentation = &line[..line.len() - content.len()];
    if content.trim_end().is_empty() || content.starts_with('#') { None } else { indentation.find('\t') }
}
