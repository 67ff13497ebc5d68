//! The reading of cursors, for the fuzzers of this workspace (feature `fuzzing`).

use super::cursor::Cursor;

/// What a `Last-Event-ID` stands for, written out again; `None` where it is not a cursor.
#[must_use]
pub fn read_cursor(text: &str) -> Option<String> {
    Cursor::parse(text).map(|cursor| cursor.to_string())
}
