//! Names in Rust: how each name of a model is spelt in generated and derived code, and what it may meet there.
//!
//! Words are escaped, not refused: a keyword gets `r#`; the few that `r#` cannot escape get an underscore, which the
//! derives drop again. A definition may have the name of a type of Rust or of the library: code that names it writes
//! its path. Only `Self` cannot be the name of a type.

use super::packages::is_device;
use super::{pascal, snake};
use crate::language::SCALAR_TYPES;
use std::collections::BTreeSet;

/// The keywords of all editions, strict and reserved, that `r#` escapes.
const KEYWORDS: [&str; 48] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The keywords that `r#` cannot escape.
const NEVER_RAW: [&str; 4] = ["Self", "crate", "self", "super"];

/// Modules that would hide the root of the generated code, or a crate that generated code names.
const NO_MODULES: [&str; 5] = ["alloc", "core", "mod", "restwell", "std"];

/// The derives, which are names of traits too.
const DERIVES: [&str; 4] = ["Command", "Enum", "Object", "Resource"];

/// The types with an argument that the derives know by their names.
const GENERIC: [&str; 4] = ["BTreeMap", "Option", "Ref", "Vec"];

/// Other names of the prelude that code beside generated types needs.
const PRELUDE: [&str; 8] = ["Box", "Default", "Err", "None", "Ok", "Result", "Self", "Some"];

/// Whether no type can have this name.
#[must_use]
pub fn is_no_type(name: &str) -> bool {
    name == "Self"
}

/// Whether a word is a keyword that `r#` escapes.
#[must_use]
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.binary_search(&word).is_ok()
}

/// A word as an identifier: `r#type`, `self_`.
#[must_use]
pub fn escaped(word: &str) -> String {
    match word {
        _ if is_keyword(word) => format!("r#{word}"),
        _ if NEVER_RAW.contains(&word) => format!("{word}_"),
        _ => word.to_owned(),
    }
}

/// A name of a field or a command as an identifier in snake_case.
#[must_use]
pub fn ident(name: &str) -> String {
    escaped(&snake(name))
}

/// The variants of an enum with these values, in their order: `OFF_WHITE` is `OffWhite`, `SELF` is `Self_`. Where two
/// would be equal, as those of `A_1` and `A1`, the later one ends in an underscore.
#[must_use]
pub fn variants(values: &[String]) -> Vec<String> {
    let mut claimed = BTreeSet::new();
    values.iter().map(|value| claim(escaped(&pascal(value)), "_", |name| !claimed.insert(name.to_owned()))).collect()
}

/// The variant that holds all other values: `Unknown`, or a longer word where that is one of the variants.
#[must_use]
pub fn fallback_variant(variants: &[impl AsRef<str>]) -> String {
    let mut name = "Unknown".to_owned();
    while variants.iter().any(|variant| variant.as_ref() == name) {
        name.insert_str(0, "Otherwise");
    }
    name
}

/// The file of a definition's module, without its extension; [`escaped`], it is the module.
#[must_use]
pub fn module(name: &str) -> String {
    let name = snake(name);
    if is_no_module(&name) { name + "_" } else { name }
}

fn is_no_module(name: &str) -> bool {
    NO_MODULES.contains(&name) || NEVER_RAW.contains(&name) || is_device(name)
}

/// The wished name, with as many suffixes as it needs not to be taken.
pub fn claim(wish: String, suffix: &str, mut is_taken: impl FnMut(&str) -> bool) -> String {
    let mut name = wish;
    while is_taken(&name) {
        name.push_str(suffix);
    }
    name
}

/// The name of a type that generated code makes for a definition, `Offer` and `Query`: it ends in an underscore where
/// another definition has that name.
pub fn brought(name: &str, suffix: &str, is_defined: impl Fn(&str) -> bool) -> String {
    let wish = format!("{name}{suffix}");
    if is_defined(&wish) { wish + "_" } else { wish }
}

/// Whether the name alone, without a path, is one of Rust's or the library's for the derives, and not a definition's.
#[must_use]
pub fn is_read_by_name(name: &str) -> bool {
    GENERIC.contains(&name) || scalar(name) || instead_of(name).is_some()
}

/// Whether it is the name of a derive.
#[must_use]
pub fn is_derive(name: &str) -> bool {
    DERIVES.contains(&name)
}

/// Whether the structs of commands leave this name to Rust and the library.
#[must_use]
pub fn is_left_to_others(name: &str) -> bool {
    PRELUDE.contains(&name) || GENERIC.contains(&name) || is_derive(name) || scalar(name)
}

fn scalar(name: &str) -> bool {
    SCALAR_TYPES.iter().any(|scalar| scalar.rust.name() == name)
}

/// What to write instead of a type that a field cannot have, but that is likely to be tried.
#[must_use]
pub fn instead_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "i8" | "i16" | "i32" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => {
            "write `i64`, if necessary with `minimum` and `maximum`"
        }
        "f32" => "write `f64`",
        "str" | "char" | "Cow" => "write `String`",
        "Url" | "Uri" => "write `String` with `format = \"uri\"`",
        "Box" | "Rc" | "Arc" => "write the inner type",
        "HashMap" | "IndexMap" => "write `BTreeMap`",
        "Map" | "RawValue" => "write `serde_json::Value`",
        "HashSet" | "BTreeSet" => "write `Vec` with `unique_items`",
        "VecDeque" | "LinkedList" => "write `Vec`",
        "SystemTime" | "Instant" | "DateTime" | "OffsetDateTime" => "write `Timestamp`",
        "NaiveDate" => "write `Date`",
        "NaiveTime" => "write `Time`",
        "Duration" => "write `IsoDuration`",
        _ => return None,
    })
}

/// The path of a type of the prelude, which holds where another type has its name.
#[must_use]
pub fn prelude_path(name: &str) -> String {
    match name {
        "Option" | "Result" | "String" | "Vec" => format!("std::{}::{name}", snake(name)),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::{camel, is_camel};
    use heck::ToShoutySnakeCase;
    use proptest::prelude::*;

    #[test]
    fn keywords_are_sorted_for_the_search() {
        assert!(KEYWORDS.is_sorted());
    }

    #[test]
    fn keywords_are_escaped_and_other_words_are_not() {
        let cases = [
            ("type", "r#type"),
            ("gen", "r#gen"),
            ("try", "r#try"),
            ("self", "self_"),
            ("super", "super_"),
            ("crate", "crate_"),
            ("buyNow", "buy_now"),
            ("union", "union"),
            ("raw", "raw"),
            ("safe", "safe"),
            ("auto", "auto"),
            ("default", "default"),
            ("macroRules", "macro_rules"),
            ("put-up", "put_up"),
        ];
        for (name, expected) in cases {
            assert_eq!(ident(name), expected);
        }
        assert_eq!(escaped("Self"), "Self_");
    }

    proptest! {
        /// The derives find the name again without an attribute that says it, if only the case changed.
        #[test]
        fn an_escaped_name_leads_back_to_it(name in "[a-z]{1,5}|self|super|crate|[a-z]{2}[A-Z][a-z]{1,3}") {
            prop_assume!(is_camel(&name));
            let ident = ident(&name);
            prop_assert_eq!(camel(ident.strip_prefix("r#").unwrap_or(&ident)), name);
        }

        #[test]
        fn variants_are_different(values in prop::collection::hash_set("[A-C](_?[A-B1]){0,3}|SELF", 0..6)) {
            let values: Vec<_> = values.into_iter().collect();
            let variants = variants(&values);
            prop_assert_eq!(variants.iter().collect::<BTreeSet<_>>().len(), values.len());
            prop_assert!(!variants.contains(&fallback_variant(&variants)));
        }

        #[test]
        fn modules_of_different_definitions_are_different(one in "[A-Z][a-z1]{0,3}", other in "[A-Z][a-z1]{0,3}") {
            prop_assume!(snake(&one) != snake(&other));
            prop_assert_ne!(module(&one), module(&other));
        }
    }

    #[test]
    fn a_variant_is_its_value_in_pascal_case_unless_that_is_taken() {
        let of = |values: &[&str]| variants(&values.iter().map(|&value| value.to_owned()).collect::<Vec<_>>());
        let plain = ["OFF_WHITE", "SOME", "NONE", "OK", "ERR", "DEFAULT", "BOX", "GEN"];
        assert_eq!(of(&plain), ["OffWhite", "Some", "None", "Ok", "Err", "Default", "Box", "Gen"]);
        assert_eq!(of(&["SELF", "A1", "A_1"]), ["Self_", "A1", "A1_"]);
        assert_eq!("Self_".to_shouty_snake_case(), "SELF");
        assert_eq!(fallback_variant(&["White"]), "Unknown");
        assert_eq!(fallback_variant(&["Unknown", "OtherwiseUnknown"]), "OtherwiseOtherwiseUnknown");
    }

    #[test]
    fn no_module_takes_the_place_of_the_root_or_of_a_crate_or_of_a_device() {
        for name in ["Mod", "Std", "Core", "Alloc", "Self", "Super", "Crate", "Restwell", "Con", "Nul", "Aux", "Prn"] {
            assert_eq!(module(name), format!("{}_", snake(name)));
        }
        assert_eq!((module("Com1"), module("Lpt9")), ("com1_".to_owned(), "lpt9_".to_owned()));
        assert_eq!(escaped(&module("Type")), "r#type");
        for name in ["Type", "Main", "Lib", "Com", "Complex", "Console", "Message", "Generated", "Command"] {
            assert_eq!(module(name), snake(name));
        }
    }

    #[test]
    fn what_a_definition_brings_gives_way_to_definitions() {
        let is_defined = |name: &str| ["OfferQuery", "OfferQueryQuery"].contains(&name);
        assert_eq!(brought("Offer", "Query", is_defined), "OfferQuery_");
        assert_eq!(brought("OfferQuery", "Query", is_defined), "OfferQueryQuery_");
        assert_eq!(brought("Offer", "Sort", is_defined), "OfferSort");
    }

    #[test]
    fn the_derives_know_some_types_by_name() {
        for name in ["Option", "Vec", "Ref", "String", "Price", "Country", "Uuid", "IsoDuration", "Box", "Value"] {
            assert!(is_read_by_name(name), "{name}");
        }
        for name in ["Offer", "Result", "Some", "Object", "Resource", "Command", "Default", "Send", "Clone"] {
            assert!(!is_read_by_name(name), "{name}");
        }
        assert_eq!(prelude_path("Option"), "std::option::Option");
        assert_eq!(prelude_path("i64"), "i64");
    }
}
