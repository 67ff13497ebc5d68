//! The files that were read, and places in them.
//!
//! A [`Span`] is a range of bytes in one file; lines and columns are computed only when a diagnostic is shown.

use crate::messages;
use std::ops::Range;

/// What the origins of files begin with that are not in the folder.
pub(crate) const OUTSIDE: &str = "../";

/// A file as it was found: bytes that may be no text at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The path in diagnostics.
    pub path: String,
    /// The path in generated files, independent of the location of the folder: `schemas/offer.yaml`.
    pub origin: String,
    /// The contents.
    pub bytes: Vec<u8>,
}

impl File {
    /// A file of this path, wherever it is looked at from, and these contents.
    #[must_use]
    pub fn new(path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self { path: path.to_owned(), origin: path.to_owned(), bytes: bytes.into() }
    }

    /// Whether it holds messages for users, no schema.
    #[must_use]
    pub fn is_messages(&self) -> bool {
        self.origin.ends_with(messages::ENDING)
    }

    /// Whether it is beside the folder that is read. What it says counts for nothing.
    pub(crate) fn is_outside(&self) -> bool {
        self.origin.starts_with(OUTSIDE)
    }
}

/// A text that diagnostics can point into.
#[derive(Debug)]
pub struct Source {
    /// The path in diagnostics.
    pub path: String,
    /// The path in generated files.
    pub origin: String,
    /// The contents; what was no UTF-8 is replaced.
    pub text: String,
    line_starts: Vec<usize>,
}

impl Source {
    pub(crate) fn new(file: &File, text: String) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let line_starts = std::iter::once(0).chain(breaks).collect();
        Self { path: file.path.clone(), origin: file.origin.clone(), text, line_starts }
    }

    /// The line and column of a byte, both from 1, the column in characters.
    #[must_use]
    pub fn position(&self, byte: usize) -> Position {
        let line = self.line_of(byte);
        let column = self.text.get(self.line_starts[line]..byte).map_or(0, |before| before.chars().count());
        Position { line: line + 1, column: column + 1, byte }
    }

    /// The whole lines that a range of bytes touches, and the number of the first.
    pub(crate) fn lines(&self, range: &Range<usize>) -> (Range<usize>, usize) {
        let (first, last) = (self.line_of(range.start), self.line_of(range.end));
        let end = self.line_starts.get(last + 1).copied().unwrap_or(self.text.len());
        (self.line_starts[first]..end, first + 1)
    }

    /// The index of the line that holds a byte.
    fn line_of(&self, byte: usize) -> usize {
        // the first line starts at 0, so at least one start is not past any byte
        self.line_starts.partition_point(|start| *start <= byte).saturating_sub(1)
    }
}

/// The position of a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Position {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// From 0.
    pub byte: usize,
}

/// A range of bytes in one of the sources. Ordered by file, then place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The index of the source.
    pub file: usize,
    /// The first byte.
    pub start: usize,
    /// Past the last byte.
    pub end: usize,
}

impl Span {
    /// Whether this span contains the whole other span.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// Its beginning, where there is nothing smaller to point at.
    #[must_use]
    pub const fn head(self) -> Self {
        Self { end: self.start, ..self }
    }

    /// The bytes, as a range.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}
