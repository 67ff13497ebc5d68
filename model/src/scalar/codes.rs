//! Codes of a few ASCII letters, and tables of two-letter ones: a row per first letter, holding the second letters of
//! the codes that are assigned.

/// Second letters by first letter, A to Z, all in upper case.
pub(super) type Rows = [&'static str; 26];

/// Whether a code, in upper case, is in the table.
pub(super) fn holds(rows: &Rows, [first, second]: [u8; 2]) -> bool {
    let row = first.checked_sub(b'A').and_then(|row| rows.get(usize::from(row)));
    row.is_some_and(|seconds| seconds.as_bytes().contains(&second))
}

/// A code as text; it is ASCII, so there is always one.
pub(super) fn text(code: &[u8]) -> &str {
    std::str::from_utf8(code).unwrap_or_default()
}

/// Every code of a table, in order.
pub(super) fn all(rows: &Rows) -> Vec<String> {
    let row = |(first, seconds): (char, &&'static str)| seconds.chars().map(move |s| format!("{first}{s}")).collect();
    ('A'..='Z').zip(rows).map(row).collect::<Vec<Vec<_>>>().concat()
}
