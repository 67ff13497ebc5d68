//! Types: their constraints, by themselves and together.

use super::{assert_faults, assert_fine, enumeration, shop_with_fields};
use serde_json::{Value, json};

#[track_caller]
fn field(ty: Value, expected: &[&str]) {
    assert_faults(shop_with_fields(json!({ "thing": ty })), expected);
}

#[track_caller]
fn array(ty: Value, expected: &[&str]) {
    assert_faults(shop_with_fields(json!({ "things": ty })), expected);
}

#[test]
fn a_lower_bound_is_not_above_the_upper_one() {
    let below = |key: &str| format!("contradictory-bounds Offer.fields.thing.{key}");
    field(json!({ "type": "string", "minLength": 5, "maxLength": 4 }), &[&below("minLength")]);
    field(json!({ "type": "integer", "minimum": 2, "maximum": 1 }), &[&below("minimum")]);
    field(json!({ "type": "number", "minimum": 0.2, "maximum": 0.1 }), &[&below("minimum")]);
    field(json!({ "type": "decimal", "minimum": "2", "maximum": "1" }), &[&below("minimum")]);
    field(json!({ "type": "price", "minimum": "2", "maximum": "1" }), &[&below("minimum")]);
    field(json!({ "type": "date", "minimum": "2027-01-02", "maximum": "2027-01-01" }), &[&below("minimum")]);
    let instant = |day: u8| format!("2027-01-0{day}T00:00:00.000Z");
    field(json!({ "type": "timestamp", "minimum": instant(2), "maximum": instant(1) }), &[&below("minimum")]);
    field(json!({ "type": "integer", "minimum": 1, "maximum": 1 }), &[]);
    field(json!({ "type": "string", "minLength": 0, "maxLength": 4 }), &[]);
}

#[test]
fn something_fits_under_an_upper_bound() {
    field(json!({ "type": "string", "maxLength": 0 }), &["contradictory-bounds Offer.fields.thing.maxLength"]);
    let strings = json!({ "type": "string" });
    array(
        json!({ "type": "array", "items": strings, "maxItems": 0 }),
        &["contradictory-bounds Offer.fields.things.maxItems"],
    );
    array(
        json!({ "type": "array", "items": strings, "minItems": 3, "maxItems": 2 }),
        &["contradictory-bounds Offer.fields.things.minItems"],
    );
    array(json!({ "type": "array", "items": strings, "minItems": 2, "maxItems": 2 }), &[]);
}

#[test]
fn what_has_to_be_there_fits_into_a_body() {
    field(json!({ "type": "string", "minLength": 4_000_000_000_u32 }), &["bad-bound Offer.fields.thing.minLength"]);
    field(json!({ "type": "string", "minLength": 1_048_577 }), &["bad-bound Offer.fields.thing.minLength"]);
    field(json!({ "type": "string", "minLength": 1_048_576 }), &[]);
    field(json!({ "type": "string", "maxLength": 4_000_000_000_u32 }), &[]);
    let strings = json!({ "type": "string" });
    let least = |count: u32| json!({ "type": "array", "items": strings, "minItems": count });
    array(least(1_000_000_000), &["bad-bound Offer.fields.things.minItems"]);
    array(least(524_288), &[]);
    let long = json!({ "type": "string", "minLength": 2_000_000 });
    array(json!({ "type": "array", "items": long }), &["bad-bound Offer.fields.things.items.minLength"]);
}

#[test]
fn there_are_as_many_different_items_as_are_asked_for() {
    let colours = |least: u32| {
        let items = json!({ "type": "named", "of": "Colour" });
        let array = json!({ "type": "array", "items": items, "minItems": least, "uniqueItems": true });
        let mut service = shop_with_fields(json!({ "things": array }));
        service.enums.push(enumeration("Colour", &["WHITE", "BLACK"]));
        service
    };
    assert_faults(colours(3), &["contradictory-bounds Offer.fields.things.minItems"]);
    assert_fine(colours(2));
}

#[test]
fn a_bound_is_a_value_of_the_type() {
    let bad = &["bad-bound Offer.fields.thing.minimum"];
    field(json!({ "type": "price", "minimum": "-1" }), bad);
    field(json!({ "type": "price", "minimum": "0.001" }), bad);
    field(json!({ "type": "price", "minimum": "10000000000000000" }), bad);
    field(json!({ "type": "price", "minimum": "0.010", "maximum": "9999999999999999.99" }), &[]);
    field(json!({ "type": "decimal", "minimum": "0.001" }), bad);
    field(json!({ "type": "decimal", "minimum": "10000000000000000" }), bad);
    field(json!({ "type": "decimal", "minimum": "-0.001", "scale": 3 }), &[]);
}

#[test]
fn a_numbers_bound_is_finite() {
    let mut service = shop_with_fields(json!({ "thing": { "type": "number" } }));
    service.resources[0].fields[0].ty = crate::Type::Number { minimum: None, maximum: Some(f64::INFINITY) };
    assert_faults(service, &["bad-bound Offer.fields.thing.maximum"]);
}

#[test]
fn a_decimal_has_eighteen_digits_at_most() {
    field(json!({ "type": "decimal", "scale": 19 }), &["bad-scale Offer.fields.thing.scale"]);
    field(json!({ "type": "decimal", "scale": 18 }), &[]);
    field(json!({ "type": "decimal", "scale": 0 }), &[]);
}

#[test]
fn a_pattern_compiles_within_bounds() {
    let bad = &["bad-pattern Offer.fields.thing.pattern"];
    for pattern in ["^[0-9{13}$", "(?=a)b", r"(a)\1", "a{1000}{1000}{1000}"] {
        field(json!({ "type": "string", "pattern": pattern }), bad);
    }
    field(json!({ "type": "string", "pattern": "^[0-9]{13}$" }), &[]);
}

#[test]
fn the_type_of_items_is_looked_at_too() {
    array(
        json!({ "type": "array", "items": { "type": "string", "pattern": "[" } }),
        &["bad-pattern Offer.fields.things.items.pattern"],
    );
}

#[test]
fn a_currency_is_one_of_iso_4217_in_use() {
    let prices = |currencies: &[&str]| json!({ "type": "price", "currencies": currencies });
    field(
        prices(&["PLN", "EURO", "pln"]),
        &["unknown-currency Offer.fields.thing.currencies[1]", "unknown-currency Offer.fields.thing.currencies[2]"],
    );
    field(prices(&["PLN", "PLN"]), &["repeated-name Offer.fields.thing.currencies[1]"]);
    field(prices(&["DEM"]), &["unknown-currency Offer.fields.thing.currencies[0]"]);
    field(prices(&["PLN", "EUR"]), &[]);
}

#[test]
fn an_array_holds_no_arrays() {
    let inner = json!({ "type": "array", "items": { "type": "string" } });
    array(json!({ "type": "array", "items": inner }), &["nested-array Offer.fields.things.items"]);
}
