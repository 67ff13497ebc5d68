//! The formatter of documents: the order of keys, the indentation, the line breaks.
//!
//! ```text
//! text ── read ──► tree ─┬─ scan ──► comments ─┬─ lay out ──► pieces ── print ──► text
//!                        └─────────────────────┘
//! ```
//!
//! Scalars are copied as written. A comment stays with the entry after it, or with the entry before it on the same
//! line, and single blank lines stay. Lists, fields, views and commands keep their order, because it has a meaning;
//! only keys of the language are sorted. If the formatted text would not parse to the same tree, it is discarded.

mod layout;
mod order;
mod print;
mod scan;

use crate::diagnostic::Diagnostic;
use crate::source::{File, Source};
use crate::yaml::{self, Node, NodeKind, scalar::resolve};
use order::Inside;
use restwell_model::FaultCode;

/// The longest line that the formatter writes, if it has a choice.
const WIDTH: usize = 120;

/// Formats the one document of a file, the `index`-th that is looked at.
///
/// # Errors
///
/// The file is not valid YAML, so it cannot be formatted; the diagnostics contain the faults.
pub fn format(index: usize, file: &File) -> (Source, Result<String, Vec<Diagnostic>>) {
    let (source, root, faults) = yaml::read(index, file);
    let Some(root) = root.filter(|_| faults.is_empty()) else { return (source, Err(faults)) };
    let formatted = layout::lay_out(&source.text, &root, Inside::Document);
    let text = print::print(&formatted);
    let is_faithful = matches!(yaml::read(index, &File::new(&file.path, text.as_str())),
        (_, Some(again), faults) if faults.is_empty() && means_same(&root, &again));
    if is_faithful {
        return (source, Ok(text));
    }
    let fault = Diagnostic::new(FaultCode::YamlSyntax, root.span.head(), "the formatter cannot format this document")
        .help("write long lines in block style, then run the formatter again");
    (source, Err(vec![fault]))
}

/// Whether two trees say the same, the order of keys aside.
fn means_same(one: &Node, other: &Node) -> bool {
    match (&one.kind, &other.kind) {
        (NodeKind::Scalar { .. }, NodeKind::Scalar { .. }) => resolve(one) == resolve(other),
        (NodeKind::Sequence(ones), NodeKind::Sequence(others)) => {
            ones.len() == others.len() && ones.iter().zip(others).all(|(one, other)| means_same(one, other))
        }
        (NodeKind::Mapping(ones), NodeKind::Mapping(others)) => {
            let is_in_other = |one: &yaml::Entry| {
                other.entry(&one.key.text).is_some_and(|other| means_same(&one.value, &other.value))
            };
            ones.len() == others.len() && ones.iter().all(is_in_other)
        }
        _ => false,
    }
}
