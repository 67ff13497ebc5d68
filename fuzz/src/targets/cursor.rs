//! A cursor of an event stream, as `Last-Event-ID` brings it.

use restwell::fuzzing::read_cursor;

/// Bytes of the longest cursor: a position in hexadecimal digits, and eight bytes of an id.
const MAX_CURSOR_BYTES: usize = 16 + 1 + 16;

pub(crate) fn judge(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Some(written) = read_cursor(text) else { return };
    assert_eq!(written, text, "each cursor is written in one way");
    assert!(text.len() <= MAX_CURSOR_BYTES);
}
