//! Closing brackets that stand below their key, as in `values: [`, `"A"`, `]` on three lines.
//!
//! By the letter of YAML they are indented further than the key, and the parser insists on it after some values only.
//! So when it refuses one, the file is read again with spaces before this bracket; they have no place in the file.

use super::byte_offsets::ByteOffsets;
use crate::source::Span;
use std::collections::BTreeMap;

/// Brackets of a file that are indented at most: the file is read again for each.
const MAX_OUTDENTED: usize = 100;

/// The spaces to put before brackets, by the bytes at which they stand.
#[derive(Debug, Default)]
pub(super) struct Indents {
    spaces: BTreeMap<usize, usize>,
}

/// A text with these spaces, and the byte that each of its characters has in the file.
#[derive(Debug)]
pub(super) struct IndentedText {
    pub(super) text: String,
    pub(super) bytes: Vec<usize>,
}

impl Indents {
    /// Adds a bracket; whether the file is to be read again.
    pub(super) fn add(&mut self, (byte, spaces): (usize, usize)) -> bool {
        self.spaces.len() < MAX_OUTDENTED && self.spaces.insert(byte, spaces).is_none()
    }

    /// The text with the spaces; `None` if there are none.
    pub(super) fn apply(&self, text: &str) -> Option<IndentedText> {
        if self.spaces.is_empty() {
            return None;
        }
        let mut indented = IndentedText { text: String::with_capacity(text.len()), bytes: Vec::new() };
        for (at, c) in text.char_indices() {
            for _ in 0..self.spaces.get(&at).copied().unwrap_or_default() {
                indented.text.push(' ');
                indented.bytes.push(at);
            }
            indented.text.push(c);
            indented.bytes.push(at);
        }
        Some(indented)
    }
}

/// If a closing bracket begins the line at this byte: the byte, and the spaces that put it behind the bracket that it
/// closes.
pub(super) fn outdented(places: &ByteOffsets<'_>, byte: usize, opening: Option<Span>) -> Option<(usize, usize)> {
    let text = places.parsed;
    let start_of_line = |byte: usize| text[..byte].rfind('\n').map_or(0, |at| at + 1);
    let is_first = text[start_of_line(byte)..byte].trim_start_matches(' ').is_empty();
    if !is_first || !text[byte..].starts_with([']', '}']) {
        return None;
    }
    let opening = opening?.start - places.skipped;
    Some((byte, text[start_of_line(opening)..opening].chars().count() + 1))
}
