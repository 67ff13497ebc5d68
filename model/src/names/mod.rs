//! Names: case, plurals, and the words that follow from a name (§2.1).

pub mod client;
pub mod head;
pub mod packages;
mod plural;
pub mod rust;
pub mod sql;
pub mod typescript;

pub use plural::{is_plural, is_singular, singular};

use heck::{ToKebabCase, ToLowerCamelCase, ToPascalCase, ToSnakeCase};

/// `OfferQuery`: how the typed query of a resource or an object is called in Rust.
pub const QUERY: &str = "Query";
/// `OfferSort`: what it can be sorted by.
pub const SORT: &str = "Sort";

/// `OfferDraft`: those of a resource's fields that have to be given, in Rust.
pub const DRAFT: &str = "Draft";

/// `OfferCommands`: the trait of a resource's commands in Rust.
pub const COMMANDS: &str = "Commands";

/// What every entity has, set by the service (§2.3).
pub const COMMON_FIELDS: [&str; 3] = ["id", "createdAt", "updatedAt"];

/// `GeneralDelivery` → `general-delivery`.
#[must_use]
pub fn kebab(name: &str) -> String {
    name.to_kebab_case()
}

/// `general-deliveries`, `buy_now` → `generalDeliveries`, `buyNow`.
#[must_use]
pub fn camel(name: &str) -> String {
    name.to_lower_camel_case()
}

/// `buyNow` → `buy_now`: columns, Rust fields.
///
/// [`camel`] leads back to every name that [`is_camel`] accepts. The other way round an underscore before a digit is
/// lost: `line_2` becomes `line2`, and stays `line2`.
#[must_use]
pub fn snake(name: &str) -> String {
    snake_of_small_words(name).unwrap_or_else(|| name.to_snake_case())
}

/// The same where each capital or hyphen begins a word of small letters, as in nearly all names: models of a thousand
/// resources have a hundred thousand columns to name, and looking for the ends of other words takes ten times as long.
fn snake_of_small_words(name: &str) -> Option<String> {
    let mut snake = String::with_capacity(name.len() + 4);
    let mut is_after_small = false;
    for byte in name.bytes() {
        let is_first = snake.is_empty() || snake.ends_with('_');
        if byte == b'-' && !is_first {
            snake.push('_');
            is_after_small = false;
            continue;
        }
        if byte.is_ascii_uppercase() && (is_after_small || is_first) {
            if is_after_small {
                snake.push('_');
            }
            is_after_small = false;
        } else if byte.is_ascii_lowercase() {
            is_after_small = true;
        } else if !byte.is_ascii_digit() || snake.is_empty() {
            return None;
        }
        snake.push(char::from(byte.to_ascii_lowercase()));
    }
    (!snake.ends_with('_')).then_some(snake)
}

/// `parameterGroup`, `renew` → `ParameterGroup`, `Renew`.
#[must_use]
pub fn pascal(name: &str) -> String {
    name.to_pascal_case()
}

/// The path's word of a resource: `GeneralDelivery` → `general-deliveries`.
#[must_use]
pub fn plural_path(name: &str) -> String {
    kebab(&plural::plural(name))
}

/// The name of an enum or object written inline in a field: `Offer` and `status` make `OfferStatus`;
/// of an array's items the field's singular: `Product` and `parameterGroups` make `ProductParameterGroup`.
#[must_use]
pub fn inline_type(owner: &str, field: &str, in_array: bool) -> String {
    let word = if in_array { singular(field) } else { field.to_owned() };
    format!("{owner}{}", pascal(&word))
}

/// Whether a name is `camelCase`: letters and digits, a small letter first, acronyms being words like others:
/// `htmlUrl`, not `htmlURL`, and `forB2b`, not `forB2B`. `isARecord` has a word of one letter. So no two of these names
/// share a column.
#[must_use]
pub fn is_camel(name: &str) -> bool {
    let bytes = name.as_bytes();
    let capitals = bytes.windows(2).enumerate().filter(|(_, pair)| pair.iter().all(u8::is_ascii_uppercase));
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && bytes.iter().all(u8::is_ascii_alphanumeric)
        && capitals.map(|(at, _)| at).all(|at| is_one_letter_before_word(&bytes[at..]))
        && camel(name) == name
}

/// Whether two capitals begin with a word of one letter, as in `ARecord`: small letters follow the second. One small
/// letter alone is that of `IDs`.
fn is_one_letter_before_word(capitals: &[u8]) -> bool {
    capitals.get(2..4).is_some_and(|next| next.iter().all(u8::is_ascii_lowercase))
}

/// Whether a name is `PascalCase`, acronyms being words like others: `ApiKey`, not `APIKey`; `TShirt` has two words.
#[must_use]
pub fn is_pascal(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && pascal(name) == name
}

/// Whether a name is `kebab-case`.
#[must_use]
pub fn is_kebab(name: &str) -> bool {
    is_joined(name, '-', |byte| byte.is_ascii_lowercase())
}

/// Whether a name is `UPPER_SNAKE`.
#[must_use]
pub fn is_upper_snake(name: &str) -> bool {
    is_joined(name, '_', |byte| byte.is_ascii_uppercase())
}

/// Whether there are words of these letters and of digits, joined one by one, and a letter comes first.
fn is_joined(name: &str, joint: char, is_letter: impl Fn(u8) -> bool) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| is_letter(byte) || byte.is_ascii_digit());
    name.split(joint).all(is_word) && name.bytes().next().is_some_and(is_letter)
}

/// No name is as long: what a client sends beyond it is not compared.
const MAX_COMPARED: usize = 64;

/// What was probably meant: the most similar candidate, if not more than a third of the word would have to change.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > MAX_COMPARED {
        return None;
    }
    let folded = word.to_lowercase();
    let bound = (word.chars().count() / 3).max(1);
    let length = folded.chars().count();
    let distance = |candidate: &str| {
        let candidate = candidate.to_lowercase();
        // it takes at least as many edits as the lengths differ by
        let is_close = candidate.chars().count().abs_diff(length) <= bound;
        is_close.then(|| strsim::osa_distance(&folded, &candidate))
    };
    candidates
        .into_iter()
        .filter_map(|candidate| Some((distance(candidate)?, candidate)))
        .filter(|(distance, _)| *distance <= bound)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_path_is_plural_lower_case_and_dashed_2_1() {
        let cases = [
            ("GeneralDelivery", "general-deliveries"),
            ("ApplicationConfiguration", "application-configurations"),
            ("Person", "people"),
            ("Category", "categories"),
            ("Analysis", "analyses"),
            ("Watch", "watches"),
            ("Address", "addresses"),
            ("OrderStatus", "order-statuses"),
            ("SalesOrder", "sales-orders"),
            ("News", "news"),
            ("TShirt", "t-shirts"),
        ];
        for (name, path) in cases {
            assert_eq!(plural_path(name), path);
        }
    }

    proptest! {
        #[test]
        fn words_of_small_letters_are_joined_as_other_words_are(name in "[A-Za-z0-9_-]{0,12}") {
            prop_assert_eq!(snake(&name), name.to_snake_case());
        }
    }

    #[test]
    fn an_inline_type_is_named_after_its_field() {
        assert_eq!(inline_type("Offer", "status", false), "OfferStatus");
        assert_eq!(inline_type("Product", "parameterGroups", true), "ProductParameterGroup");
    }

    #[test]
    fn camel_case_has_no_acronym_runs() {
        for name in
            ["name", "buyNow", "htmlUrl", "line2", "line2Text", "xAxis", "planB", "forB2b", "isARecord", "minXAxis"]
        {
            assert!(is_camel(name), "{name}");
        }
        for name in [
            "", "Name", "buy_now", "buy-now", "htmlURL", "2lines", "name ", "nąme", "planBC", "forB2B", "a.b",
            "userIDs", "isAPIKey",
        ] {
            assert!(!is_camel(name), "{name}");
        }
    }

    #[test]
    fn pascal_case_takes_acronyms_as_words() {
        for name in ["Offer", "GeneralDelivery", "ApiKey", "TShirt", "PlanB", "Line2"] {
            assert!(is_pascal(name), "{name}");
        }
        for name in ["", "offer", "OFFER", "APIKey", "General_Delivery", "General-Delivery", "2Lines", "Żółw"] {
            assert!(!is_pascal(name), "{name}");
        }
    }

    #[test]
    fn kebab_and_upper_snake_are_words_joined_one_by_one() {
        for name in ["renew", "put-up-again", "step-2", "v2"] {
            assert!(is_kebab(name), "{name}");
        }
        for name in ["", "-", "Renew", "put_up", "put--up", "-put", "put-", "2-steps", "żółw"] {
            assert!(!is_kebab(name), "{name}");
        }
        for name in ["WHITE", "NOT_READY", "SIZE_42", "X"] {
            assert!(is_upper_snake(name), "{name}");
        }
        for name in ["", "_", "White", "NOT-READY", "NOT__READY", "_A", "A_", "3D", "ŻÓŁW"] {
            assert!(!is_upper_snake(name), "{name}");
        }
    }

    #[test]
    fn the_nearest_name_is_what_was_probably_meant() {
        let names = ["required", "readOnly", "writeOnly", "maxLength", "minLength"];
        let cases = [
            ("requierd", Some("required")),
            ("readonly", Some("readOnly")),
            ("max_length", Some("maxLength")),
            ("maxLenght", Some("maxLength")),
            ("unique", None),
            ("", None),
            ("x", None),
        ];
        for (word, expected) in cases {
            assert_eq!(nearest(word, names), expected, "{word}");
        }
        assert_eq!(nearest(&"a".repeat(MAX_COMPARED + 1), ["a".repeat(MAX_COMPARED).as_str()]), None);
    }

    proptest! {
        #[test]
        fn snake_leads_back_to_camel(name in "[a-z][a-z0-9]{0,3}([A-Z][a-z0-9]{1,3}){0,3}[A-Z]?") {
            prop_assume!(is_camel(&name));
            prop_assert_eq!(camel(&snake(&name)), name);
        }

        #[test]
        fn nothing_panics(name in "\\PC{0,12}") {
            let _ = (plural_path(&name), singular(&name), is_plural(&name), is_singular(&name), is_camel(&name));
            let _ = (is_pascal(&name), is_kebab(&name), is_upper_snake(&name), nearest(&name, ["name", "żółw"]));
        }
    }
}
