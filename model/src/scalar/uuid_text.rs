//! Identifiers: UUIDs in lower case, 8-4-4-4-12 (§2.2).

use uuid::Uuid;
use uuid::fmt::Hyphenated;

/// Reads the one form there is; the `uuid` crate alone would take upper case, braces and bare digits too.
#[must_use]
pub fn parse(text: &str) -> Option<Uuid> {
    // all bytes are looked at, which is faster than to stop at one
    let has_upper = || text.bytes().fold(false, |found, byte| found | byte.is_ascii_uppercase());
    let is_canonical = text.len() == Hyphenated::LENGTH && !has_upper();
    is_canonical.then(|| Uuid::try_parse(text).ok())?
}

/// Appends the form.
pub fn write(uuid: &Uuid, out: &mut Vec<u8>) {
    let mut buffer = [0; Hyphenated::LENGTH];
    out.extend_from_slice(uuid.as_hyphenated().encode_lower(&mut buffer).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_of_2_2_is_read_and_written_back() {
        let text = "01890a5d-ac96-774b-bcce-b302099a8057";
        let mut out = Vec::new();
        write(&parse(text).unwrap(), &mut out);
        assert_eq!(out, text.as_bytes());
    }

    #[test]
    fn other_forms_of_a_uuid_are_refused() {
        let texts = [
            "",
            "01890A5D-AC96-774B-BCCE-B302099A8057",
            "01890a5d-ac96-774b-bcce-b302099a805F",
            "01890a5dac96774bbcceb302099a8057",
            "{01890a5d-ac96-774b-bcce-b302099a8057}",
            "urn:uuid:01890a5d-ac96-774b-bcce-b302099a8057",
            "01890a5d-ac96-774b-bcce-b302099a805",
            "01890a5d-ac96-774b-bcce-b302099a80577",
            "01890a5da-c96-774b-bcce-b302099a8057",
            "01890a5d-ac96-774b-bcce-b302099a805g",
            "01890a5d-ac96-774b-bcce-b302099a80é",
        ];
        for text in texts {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
