//! One way to write a document: the order of keys, the indentation, what stands on a line.
//!
//! ```text
//! text ── read ──► tree ─┬─ scan ──► comments ─┬─ lay out ──► pieces ── print ──► text
//!                        └─────────────────────┘
//! ```
//!
//! Scalars are copied as they are written, comments go with what follows them or stands before them on their line, and
//! single blank lines stay. Lists, fields, views and commands keep their order, which means something; only keys of
//! the language are put in theirs. A text that would read differently afterwards is not given out.

mod layout;
mod order;
mod print;
mod scan;

use crate::diagnostic::Diagnostic;
use crate::source::{File, Source};
use crate::yaml::{self, Kind, Node, scalar::resolve};
use order::Inside;
use restwell_model::FaultCode;

/// The longest line, as far as it is the formatter's to choose.
const WIDTH: usize = 120;

/// Formats the one document of a file, the `index`-th that is looked at.
///
/// # Errors
///
/// The file does not read as YAML; what is wrong with it. Nothing can be said of how it should be written.
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
    let fault =
        Diagnostic::new(FaultCode::YamlSyntax, root.span.head(), "the document cannot be formatted as it stands")
            .help("write block style where lines are long, then format again");
    (source, Err(vec![fault]))
}

/// Whether two trees say the same, the order of keys aside.
fn means_same(one: &Node, other: &Node) -> bool {
    match (&one.kind, &other.kind) {
        (Kind::Scalar { .. }, Kind::Scalar { .. }) => resolve(one) == resolve(other),
        (Kind::Sequence(ones), Kind::Sequence(others)) => {
            ones.len() == others.len() && ones.iter().zip(others).all(|(one, other)| means_same(one, other))
        }
        (Kind::Mapping(ones), Kind::Mapping(others)) => {
            let is_in_other = |one: &yaml::Entry| {
                other.entry(&one.key.text).is_some_and(|other| means_same(&one.value, &other.value))
            };
            ones.len() == others.len() && ones.iter().all(is_in_other)
        }
        _ => false,
    }
}
