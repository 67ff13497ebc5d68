//! Names: case, plurals, and the words that follow from a name (§2.1).

mod plural;

pub use plural::{is_plural, is_singular, singular};

use heck::{ToKebabCase, ToLowerCamelCase, ToPascalCase, ToSnakeCase};

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
/// [`camel`] leads back to every name that [`is_camel`] accepts. The other way round digits stand in between: `line_2`
/// becomes `line2`, which stays `line2`.
#[must_use]
pub fn snake(name: &str) -> String {
    name.to_snake_case()
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

/// Whether a name is `camelCase`: letters and digits, a small letter first, no two capitals in a row (`htmlUrl`, not
/// `htmlURL`).
#[must_use]
pub fn is_camel(name: &str) -> bool {
    let bytes = name.as_bytes();
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && bytes.iter().all(u8::is_ascii_alphanumeric)
        && !bytes.windows(2).any(|pair| pair.iter().all(u8::is_ascii_uppercase))
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
    let distance = |candidate: &str| strsim::osa_distance(&folded, &candidate.to_lowercase());
    candidates
        .into_iter()
        .map(|candidate| (distance(candidate), candidate))
        .filter(|(distance, _)| *distance <= bound)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
