//! Finds the parts of the text that the tree does not contain: comments, and the headers of block scalars.
//!
//! Between two tokens of the tree there are only spaces, punctuation and comments, so that a `#` there begins one.

use crate::yaml::{Node, NodeKind};
use std::collections::HashMap;

/// A comment with its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Comment<'t> {
    pub(super) start: usize,
    /// With its `#`.
    pub(super) text: &'t str,
    /// Nothing but spaces is before it on its line.
    pub(super) is_alone: bool,
}

/// The parts that the tree does not contain.
#[derive(Debug, Default)]
pub(super) struct Scan<'t> {
    /// In the order of writing.
    pub(super) comments: Vec<Comment<'t>>,
    /// `|`, `>-`: by the byte at which the scalar begins.
    pub(super) headers: HashMap<usize, &'t str>,
}

/// Looks through the gaps between the tokens of a tree.
pub(super) fn scan<'t>(text: &'t str, root: &Node) -> Scan<'t> {
    let mut scan = Scan::default();
    let mut cursor = 0;
    scan.node(text, root, &mut cursor);
    scan.gap(text, cursor, text.len());
    scan
}

impl<'t> Scan<'t> {
    fn node(&mut self, text: &'t str, node: &Node, cursor: &mut usize) {
        match &node.kind {
            NodeKind::Scalar { .. } => self.token(text, node.span.range(), cursor),
            NodeKind::Sequence(items) => items.iter().for_each(|item| self.node(text, item, cursor)),
            NodeKind::Mapping(entries) => {
                for entry in entries {
                    self.token(text, entry.key.span.range(), cursor);
                    self.node(text, &entry.value, cursor);
                }
            }
            NodeKind::Refused => {}
        }
    }

    fn token(&mut self, text: &'t str, range: std::ops::Range<usize>, cursor: &mut usize) {
        if range.start > *cursor && !range.is_empty() {
            self.gap(text, *cursor, range.start);
        }
        if !range.is_empty() {
            *cursor = range.end.max(*cursor);
        }
    }

    fn gap(&mut self, text: &'t str, start: usize, end: usize) {
        let mut at = start;
        while let Some(found) = text.get(at..end).and_then(|gap| gap.find(['#', '|', '>'])) {
            let sign = at + found;
            let line_end = text[sign..].find('\n').map_or(text.len(), |length| sign + length);
            at = line_end.max(sign + 1);
            if text[sign..].starts_with('#') {
                self.comment(text, sign, line_end);
            } else {
                let header = &text[sign..line_end];
                let word = header.find([' ', '\t', '#', '\r']).map_or(header, |length| &header[..length]);
                self.headers.insert(end, word);
                if let Some(hash) = header.find('#') {
                    self.comment(text, sign + hash, line_end);
                }
            }
        }
    }

    fn comment(&mut self, text: &'t str, start: usize, end: usize) {
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let is_alone = text[line..start].trim_matches([' ', '\t', '\u{feff}']).is_empty();
        self.comments.push(Comment { start, text: text[start..end].trim_end(), is_alone });
    }
}
