//! Defaults, examples, timeouts.

use super::{assert_faults, assert_fine, enumeration, object, shop_with_command, shop_with_fields};
use serde_json::{Value, json};

fn with(key: &str, mut field: Value, value: Value) -> crate::Service {
    field[key] = value;
    let mut service = shop_with_fields(json!({ "thing": field }));
    service.enums.push(enumeration("Colour", &["WHITE", "BLACK"]));
    service.objects.push(object(
        "Address",
        json!({
            "city": { "type": "string", "required": true },
            "colour": { "type": "named", "of": "Colour" },
        }),
    ));
    // so that both are used, for any kind of part
    let user = super::resource("User", json!({ "fields": { "address": { "type": "named", "of": "Address" } } }));
    service.resources[1] = user;
    service
}

#[test]
fn a_default_is_a_value_of_its_field() {
    let bad = &["bad-default Offer.fields.thing.default"];
    assert_faults(with("default", json!({ "type": "integer", "maximum": 5 }), json!(6)), bad);
    assert_faults(with("default", json!({ "type": "integer" }), json!("5")), bad);
    assert_faults(with("default", json!({ "type": "named", "of": "Colour" }), json!("GREEN")), bad);
    assert_faults(with("default", json!({ "type": "timestamp" }), json!("today")), bad);
    assert_faults(with("default", json!({ "type": "named", "of": "Address" }), json!({})), bad);
    assert_fine(with("default", json!({ "type": "integer", "maximum": 5 }), json!(5)));
    assert_fine(with("default", json!({ "type": "named", "of": "Colour" }), json!("WHITE")));
    assert_fine(with("default", json!({ "type": "named", "of": "Address" }), json!({ "city": "Poznań" })));
    assert_fine(with("default", json!({ "type": "string", "required": true }), json!("new")));
}

#[test]
fn an_example_is_a_value_of_its_field() {
    let price = json!({ "type": "price", "currencies": ["PLN"] });
    let example = |currency: &str| json!({ "amount": "1.00", "currency": currency });
    assert_faults(with("example", price.clone(), example("EUR")), &["bad-example Offer.fields.thing.example"]);
    assert_fine(with("example", price, example("PLN")));
}

#[test]
fn an_empty_array_is_a_value_where_a_request_may_send_it() {
    let array = |required: bool| {
        let mut array = json!({ "type": "array", "items": { "type": "integer" }, "minItems": 2, "required": required });
        array["allow"] = json!({ "plural-array": "the field is called `thing` here" });
        array
    };
    for key in ["example", "default"] {
        assert_fine(with(key, array(false), json!([])));
        let bad = format!("bad-{key} Offer.fields.thing.{key}");
        assert_faults(with(key, array(true), json!([])), &[&bad]);
    }
}

#[test]
fn a_default_makes_sense() {
    let senseless = &["senseless-default Offer.fields.thing.default"];
    assert_faults(with("default", json!({ "type": "string", "unique": true }), json!("new")), senseless);
    let id = json!({ "id": "018f4e9e-7a2a-7c3b-9d55-0a1b2c3d4e5f" });
    assert_faults(with("default", json!({ "type": "ref", "to": "User" }), id), senseless);
    let secret = json!({ "type": "string", "secret": "argon2", "writeOnly": true });
    assert_faults(with("default", secret, json!("secret")), senseless);
    assert_fine(with("default", json!({ "type": "string", "readOnly": true }), json!("new")));
}

#[test]
fn a_timeout_is_a_duration_of_a_command() {
    for timeout in ["30s", "PT0.5S", "P1M", "P2D", ""] {
        let service = shop_with_command("renew", json!({ "timeout": timeout }));
        assert_faults(service, &["bad-timeout Offer.commands.renew.timeout"]);
    }
    for timeout in ["PT1S", "PT30S", "PT2H", "P1D"] {
        assert_fine(shop_with_command("renew", json!({ "timeout": timeout })));
    }
}
