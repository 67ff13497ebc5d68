//! Places in a file: from the parser's marks to spans of bytes.

use super::outdented::IndentedText;
use super::read::BYTE_ORDER_MARK;
use super::tabs::leading_tab;
use crate::source::Span;
use saphyr_parser::Marker;
use std::borrow::Cow;

/// From the parser's marks, which count characters, to bytes of the file.
pub(super) struct ByteOffsets<'t> {
    pub(super) file: usize,
    /// The text without a byte order mark.
    pub(super) parsed: &'t str,
    /// How long the byte order mark is.
    pub(super) skipped: usize,
    /// The byte of each character that the parser reads, where they differ.
    bytes: Option<Cow<'t, [usize]>>,
}

impl<'t> ByteOffsets<'t> {
    /// `indented` is what the parser reads in place of the text.
    pub(super) fn new(file: usize, text: &'t str, indented: Option<&'t IndentedText>) -> Self {
        let parsed = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let bytes = match indented {
            Some(indented) => Some(Cow::Borrowed(indented.bytes.as_slice())),
            None => (!parsed.is_ascii()).then(|| parsed.char_indices().map(|(at, _)| at).collect()),
        };
        Self { file, parsed, skipped: text.len() - parsed.len(), bytes }
    }

    /// The byte of the parsed text that a mark means.
    pub(super) fn offset(&self, mark: &Marker) -> usize {
        let byte = match &self.bytes {
            Some(bytes) => bytes.get(mark.index()).copied().unwrap_or(self.parsed.len()),
            None => mark.index(),
        };
        byte.min(self.parsed.len())
    }

    pub(super) fn span(&self, span: saphyr_parser::Span) -> Span {
        let (start, end) = (self.offset(&span.start), self.offset(&span.end));
        // a block scalar, and what ends a file, reach into the lines after them
        let end = start + self.parsed.get(start..end).map_or(0, |text| text.trim_end().len());
        Span { file: self.file, start: self.skipped + start, end: self.skipped + end }
    }

    /// The character at a mark.
    pub(super) fn mark(&self, mark: &Marker) -> Span {
        let start = self.offset(mark);
        let width = self.parsed[start..].chars().next().filter(|c| *c != '\n').map_or(0, char::len_utf8);
        Span { file: self.file, start: self.skipped + start, end: self.skipped + start + width }
    }

    /// `&name`, `*name`, `!name` at or after the start of a span.
    pub(super) fn word_from(&self, sign: char, span: Span) -> Span {
        let text = &self.parsed[span.start - self.skipped..];
        let start = text.find(sign).unwrap_or(0);
        let length = text[start..].find(|c: char| c.is_whitespace() || ",[]{}".contains(c));
        let start = span.start + start;
        Span { start, end: length.map_or(self.skipped + self.parsed.len(), |length| start + length), ..span }
    }

    /// A tab that indents the line of a byte or the one before it.
    pub(super) fn tab_before(&self, byte: usize) -> Option<Span> {
        let upto = &self.parsed[..byte - self.skipped];
        let line = upto.rfind('\n').map_or(0, |at| at + 1);
        let before = upto[..line.saturating_sub(1)].rfind('\n').map_or(0, |at| at + 1);
        [line, before].into_iter().find_map(|start| {
            let tab = leading_tab(self.parsed[start..].lines().next().unwrap_or_default())?;
            let start = self.skipped + start + tab;
            Some(Span { file: self.file, start, end: start + 1 })
        })
    }
}
