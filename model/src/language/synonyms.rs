//! The words that other languages have for the types of this one: what people write first. A word for
//! what no type holds, such as the content of a file, is none of them: a similar type would be wrong advice.

/// A word, and what to write for it.
const SYNONYMS: &[(&str, &str)] = &[
    ("any", "json"),
    ("bigdecimal", "decimal"),
    ("bigint", "integer"),
    ("bool", "boolean"),
    ("byte", "integer"),
    ("char", "string"),
    ("choice", "enum"),
    ("date-time", "timestamp"),
    ("datetime", "timestamp"),
    ("dict", "map"),
    ("dictionary", "map"),
    ("double", "number"),
    ("email", "string"),
    ("f64", "number"),
    ("flag", "boolean"),
    ("float", "number"),
    ("guid", "uuid"),
    ("hash", "map"),
    ("hashmap", "map"),
    ("i32", "integer"),
    ("i64", "integer"),
    ("id", "uuid"),
    ("instant", "timestamp"),
    ("int", "integer"),
    ("int32", "integer"),
    ("int64", "integer"),
    ("interval", "duration"),
    ("jsonb", "json"),
    ("link", "ref"),
    ("list", "array"),
    ("locale", "language"),
    ("long", "integer"),
    ("money", "price"),
    ("numeric", "decimal"),
    ("password", "string"),
    ("real", "number"),
    ("record", "map"),
    ("reference", "ref"),
    ("relation", "ref"),
    ("set", "array"),
    ("short", "integer"),
    ("smallint", "integer"),
    ("str", "string"),
    ("tel", "phone"),
    ("telephone", "phone"),
    ("text", "string"),
    ("timedelta", "duration"),
    ("timestamptz", "timestamp"),
    ("tz", "timezone"),
    ("uri", "string"),
    ("url", "string"),
    ("varchar", "string"),
];

/// The type that a word of another language means.
#[must_use]
pub fn synonym(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    SYNONYMS.iter().find(|(known, _)| *known == word).map(|(_, ty)| *ty)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::type_table;

    #[test]
    fn every_synonym_stands_for_a_type_and_is_not_one() {
        for (word, ty) in SYNONYMS {
            assert!(type_table(ty).is_some(), "{ty}");
            assert!(type_table(word).is_none(), "{word}");
        }
        assert!(SYNONYMS.is_sorted(), "in the order of the alphabet");
    }

    #[test]
    fn what_no_type_holds_has_none_to_write_for_it() {
        for word in ["file", "binary", "blob", "bytes", "image"] {
            assert_eq!(synonym(word), None, "{word}");
        }
    }
}
