//! Names in the database, short enough for SQLite and PostgreSQL.

use twox_hash::XxHash3_128;

/// The longest name, in bytes: PostgreSQL cuts off what is longer and says nothing, so that two long names could become
/// one. SQLite would take any, and gets the same ones, so that the plans hold for both.
pub const MAX_IDENTIFIER: usize = 63;

/// The name itself, or its beginning and a hash of the whole. Names are ASCII: the model allows no other.
pub(crate) fn identifier(name: String) -> String {
    if name.len() <= MAX_IDENTIFIER {
        return name;
    }
    let hash = format!("{:032x}", XxHash3_128::oneshot(name.as_bytes()));
    let kept: String = name.chars().filter(char::is_ascii).take(MAX_IDENTIFIER - HASH - 1).collect();
    format!("{kept}_{}", &hash[..HASH])
}

/// Digits of the hash: 64 bits.
const HASH: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_fits_is_kept() {
        let name = "n".repeat(MAX_IDENTIFIER);
        assert_eq!(identifier(name.clone()), name);
    }

    /// The hash is written out, for a database that was made yesterday has it in its names.
    #[test]
    fn a_long_name_is_cut_to_the_same_one_always_and_differs_from_its_like() {
        let name = |end: char| identifier(format!("{}{end}", "offers.".repeat(10)));
        assert_eq!(name('a').len(), MAX_IDENTIFIER);
        assert_eq!(name('a'), HASHED);
        assert_ne!(name('a'), name('b'));
    }

    const HASHED: &str = "offers.offers.offers.offers.offers.offers.offe_1cc329a679efbe43";
}
