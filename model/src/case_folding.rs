//! Texts that differ in case alone are one text for `unique: ignoreCase`, for filters such as `containsIgnoreCase` and
//! for `lower` in conditions. This is the only place that says which.
//!
//! Neither database may decide: the `lower` of SQLite knows ASCII, that of PostgreSQL the locale of the server. SQLite
//! calls [`fold_case`] itself; PostgreSQL has a function whose tables are written from it ([`postgres_function`]). Both
//! are called [`FOLD_CASE`], and indexes are on its values.

use crate::check::Checked;
use crate::condition::{Condition, LOWER, parse};
use std::sync::LazyLock;

/// The name of the function in both databases.
pub const FOLD_CASE: &str = "_restwell_fold_case";

/// Bytes that a character has at most once it is folded.
pub(crate) const FOLDED_BYTES: usize = 6;

/// A text without the differences of case: the full case folding of Unicode, with the same result in every language.
/// `ẞ`, `ß` and `SS` are one, and `Σ`, `σ` and `ς`; `ı` and `i` are two. What is written by different code points
/// (`é` as one or as two) stays different: only case is folded, nothing is normalized.
#[must_use]
pub fn fold_case(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars().flat_map(fold_char).collect()
}

/// What differs in case meets in lower case after a detour through upper case. Only `ı` would meet `i` there.
fn fold_char(c: char) -> impl Iterator<Item = char> {
    const DOTLESS: char = 'ı';
    let folded = c.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    let kept = (c == DOTLESS).then_some(c);
    kept.into_iter().chain(folded.filter(move |_| c != DOTLESS))
}

/// Whether SQL calls the function.
#[must_use]
pub fn folds_case(sql: &str) -> bool {
    sql.contains(FOLD_CASE)
}

/// Whether conditions or filters of a service call the function. An index that calls it brings it along.
#[must_use]
pub fn is_called_by_queries(service: &Checked) -> bool {
    let objects = service.objects.iter().flat_map(|object| &object.fields);
    let mut fields = service.resources.iter().flat_map(|resource| &resource.fields).chain(objects);
    is_called_by_conditions(service) || fields.any(|field| field.filter.ignores_case())
}

fn is_called_by_conditions(service: &Checked) -> bool {
    let calls = |condition: &Condition| parse(condition.as_str()).is_ok_and(|expr| expr.calls(LOWER));
    service.roles.values().chain(service.conditions.values()).any(calls)
        || service.resources.iter().any(|resource| resource.all_conditions().into_iter().any(calls))
}

/// A text in SQL, folded.
#[must_use]
pub fn folded(sql: &str) -> String {
    format!("\"{FOLD_CASE}\"({sql})")
}

/// The statement that makes the function on PostgreSQL. It reads nothing but its tables: neither locale nor collation.
#[must_use]
pub fn postgres_function() -> &'static str {
    static FUNCTION: LazyLock<String> = LazyLock::new(write_postgres_function);
    &FUNCTION
}

/// Looks at every character that may have a case: letters, and what counts as one.
fn write_postgres_function() -> String {
    let (mut from, mut to, mut longer) = (String::new(), String::new(), Vec::new());
    for c in ('\0'..=char::MAX).filter(|c| !c.is_ascii() && c.is_alphabetic()) {
        let folded: Vec<char> = fold_char(c).collect();
        match folded.as_slice() {
            [one] if *one == c => {}
            [one] => {
                from.push(c);
                to.push(*one);
            }
            _ => longer.push((c, String::from_iter(folded))),
        }
    }
    let ascii = ('A'..='Z').collect::<String>();
    let lower = ascii.to_ascii_lowercase();
    let sources: String = longer.iter().map(|(c, _)| c).collect();
    let replaced = longer.iter().fold("folded".to_owned(), |sql, (c, to)| format!("replace({sql}, '{c}', '{to}')"));
    format!(
        "CREATE FUNCTION \"{FOLD_CASE}\"(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$\n\
         DECLARE folded text := translate(given, '{ascii}', '{lower}');\n\
         BEGIN\n\
         IF octet_length(folded) = length(folded) THEN RETURN folded; END IF;\n\
         folded := translate(folded, '{from}', '{to}');\n\
         IF translate(folded, '{sources}', '') = folded THEN RETURN folded; END IF;\n\
         RETURN {replaced};\n\
         END $$"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use twox_hash::XxHash3_128;

    #[test]
    fn case_alone_makes_no_difference() {
        let same = [
            ("Ann@Example.COM", "ann@example.com"),
            ("STRASSE", "straße"),
            ("STRAẞE", "strasse"),
            ("ΟΔΥΣΣΕΥΣ", "οδυσσευς"),
            ("ΟΔΥΣΣΕΥΣ", "οδυσσευσ"),
            ("İ", "i\u{307}"),
            ("ŁÓDŹ", "łódź"),
            ("ŉ", "ʼN"),
            ("ᾳ", "ΑΙ"),
            ("\u{212A}", "k"),
            ("ſ", "S"),
            ("Ꭰ", "ꭰ"),
            ("ǅ", "ǆ"),
            ("ﬀ", "FF"),
        ];
        for (one, other) in same {
            assert_eq!(fold_case(one), fold_case(other), "{one} {other}");
        }
    }

    #[test]
    fn what_differs_in_more_stays_different() {
        for (one, other) in [("I", "ı"), ("é", "e\u{301}"), ("é", "e"), ("a", "а"), ("a ", "a"), ("Å", "A\u{30a}")]
        {
            assert_ne!(fold_case(one), fold_case(other), "{one} {other}");
        }
    }

    #[test]
    fn every_character_is_like_its_cases_and_folds_once() {
        for c in '\0'..=char::MAX {
            let text = c.to_string();
            let folded = fold_case(&text);
            assert_eq!(fold_case(&folded), folded, "{c:?}");
            assert_eq!(fold_case(&text.to_lowercase()), folded, "{c:?}");
            // the upper case of `ı` is that of `i`
            assert!(c == 'ı' || fold_case(&text.to_uppercase()) == folded, "{c:?}");
            assert!(folded.len() <= FOLDED_BYTES, "{c:?}");
            assert!(folded == text || c.is_alphabetic(), "{c:?}");
        }
    }

    /// Stored indexes hold what this function made of their texts. Later versions of Unicode add characters with two
    /// cases; the older ones fold as before.
    #[test]
    fn characters_fold_as_they_did() {
        let mut text = String::new();
        // the blocks of Unicode 14 below those that still grow
        for c in ('\0'..'\u{1c80}').chain('\u{1c90}'..'\u{a7c0}') {
            let folded: String = fold_char(c).collect();
            if folded != c.to_string() {
                text.push(c);
                text.push_str(&folded);
            }
        }
        assert_eq!(format!("{:032x}", XxHash3_128::oneshot(text.as_bytes())), FOLDED_AS_OF_UNICODE_14);
    }

    const FOLDED_AS_OF_UNICODE_14: &str = "fb9a415e3beb3bbd7a72e571779411de";
}
