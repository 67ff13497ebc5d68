//! Rules switched off at a place.

use super::{assert_faults, assert_fine, shop_with, shop_with_fields};
use crate::check;
use serde_json::{Value, json};

fn data(allow: Value) -> Value {
    json!({ "data": { "type": "string" }, "colours": { "type": "string", "allow": allow } })
}

#[test]
fn a_rule_is_switched_off_at_a_field() {
    assert_faults(shop_with_fields(data(json!({}))), &["singular-field Offer.fields.colours"]);
    assert_fine(shop_with_fields(data(json!({ "singular-field": "the paint shop's word" }))));
}

#[test]
fn a_rule_is_switched_off_in_a_whole_definition() {
    let offer = json!({ "allow": { "singular-field": "the paint shop's words" }, "fields": data(json!({})) });
    assert_fine(shop_with(offer));
}

#[test]
fn another_field_is_not_exempt() {
    let fields = json!({
        "colours": { "type": "string", "allow": { "singular-field": "the paint shop's word" } },
        "sizes": { "type": "string" },
    });
    assert_faults(shop_with_fields(fields), &["singular-field Offer.fields.sizes"]);
}

#[test]
fn an_exemption_names_a_rule() {
    let faults = &["singular-field Offer.fields.colours", "unknown-rule Offer.fields.colours.allow.singular-feild"];
    assert_faults(shop_with_fields(data(json!({ "singular-feild": "the paint shop's word" }))), faults);
}

#[test]
fn only_rules_of_taste_can_be_switched_off() {
    let fields = json!({ "buy_now": { "type": "price", "allow": { "camel-case": "we like it" } } });
    let faults = &["camel-case Offer.fields.buy_now", "not-allowable Offer.fields.buy_now.allow.camel-case"];
    assert_faults(shop_with_fields(fields), faults);
}

#[test]
fn an_exemption_has_a_reason() {
    let faults = &["singular-field Offer.fields.colours", "empty-reason Offer.fields.colours.allow.singular-field"];
    assert_faults(shop_with_fields(data(json!({ "singular-field": " " }))), faults);
}

#[test]
fn an_exemption_is_of_use() {
    let fields = json!({ "name": { "type": "string", "allow": { "singular-field": "it is singular" } } });
    assert_faults(shop_with_fields(fields), &["unused-allow Offer.fields.name.allow.singular-field"]);
}

#[test]
fn local_rules_heed_exemptions_too() {
    let offer = |allow: Value| super::resource("Offer", json!({ "fields": data(allow) }));
    assert_eq!(check::resource(&offer(json!({ "singular-field": "the paint shop's word" }))), []);
    assert_eq!(check::resource(&offer(json!({}))).len(), 1);
}

#[test]
fn a_warning_refuses_nothing() {
    let fields = json!({ "name": { "type": "string", "allow": { "singular-field": "it is singular" } } });
    let checked = check::Checked::new(shop_with_fields(fields)).expect("warnings only");
    assert_eq!(checked.warnings().len(), 1);
}
