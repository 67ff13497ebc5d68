//! Identifiers: UUIDs in lower case, 8-4-4-4-12 (§2.2).

use uuid::Uuid;
use uuid::fmt::Hyphenated;

/// Reads the one form there is; the `uuid` crate alone would take upper case, braces and bare digits too.
#[must_use]
pub fn parse(text: &str) -> Option<Uuid> {
    let is_canonical = text.len() == Hyphenated::LENGTH && !text.bytes().any(|byte| byte.is_ascii_uppercase());
    is_canonical.then(|| Uuid::try_parse(text).ok())?
}

/// Appends the form.
pub fn write(uuid: &Uuid, out: &mut Vec<u8>) {
    let mut buffer = [0; Hyphenated::LENGTH];
    out.extend_from_slice(uuid.as_hyphenated().encode_lower(&mut buffer).as_bytes());
}
