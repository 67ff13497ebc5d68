//! Names: case, plurals, and the words that follow from a name (§2.1).

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
#[must_use]
pub fn snake(name: &str) -> String {
    name.to_snake_case()
}

/// `parameterGroup`, `renew` → `ParameterGroup`, `Renew`.
#[must_use]
pub fn pascal(name: &str) -> String {
    name.to_pascal_case()
}

/// The name of an enum or object written inline in a field: `Offer` and `status` make `OfferStatus`;
/// of an array's items the field's singular: `Product` and `parameterGroups` make `ProductParameterGroup`.
#[must_use]
pub fn inline_type(owner: &str, field: &str, in_array: bool) -> String {
    let word = if in_array { singular(field) } else { field.to_owned() };
    format!("{owner}{}", pascal(&word))
}
