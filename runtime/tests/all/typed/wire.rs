//! Typed structs as JSON: in the form of the service's own requests and responses.

use crate::typed::marketplace::{Address, Colour, Offer, Renew, User, Withdraw};
use crate::typed::other::Mood;
use restwell::{Ref, Stored, Uuid};
use rust_decimal::Decimal;
use serde_json::{Value, json};

const SELLER: &str = "01890a5d-ac96-774b-bcce-b302099a8057";
const OFFER: &str = concat!(
    r#""name":"Chair","seller":{"id":"01890a5d-ac96-774b-bcce-b302099a8057"},"#,
    r#""buyNow":{"amount":"12.50","currency":"PLN"},"colour":"OFF_WHITE","#,
    r#""address":{"city":null,"countryCode":"PL","lines":[{"text":"Long \"Street\""}]},"images":[],"#,
    r#""vatRate":"1.500","fees":["1.0","2.5"],"type":-3,"ratio2x":0.1"#,
);

fn offer() -> Offer {
    Offer {
        name: "Chair".into(),
        seller: Ref::to(SELLER.parse().expect("a UUID")),
        buy_now: "12.50 PLN".parse().expect("a price"),
        colour: Some(Colour::Cream),
        address: Address {
            city: None,
            country_code: "PL".parse().expect("a country"),
            lines: vec![crate::typed::marketplace::Line { text: "Long \"Street\"".into() }],
        },
        images: vec![],
        vat_rate: Some(Decimal::new(15, 1)),
        fees: vec![Decimal::ONE, Decimal::new(25, 1)],
        r#type: Some(-3),
        ratio_2x: Some(0.1),
    }
}

/// The body of a POST with what is required.
fn body() -> Value {
    json!({
        "name": "Chair",
        "seller": { "id": SELLER },
        "buyNow": { "amount": "12.5", "currency": "PLN" },
        "address": { "countryCode": "PL" },
        "fees": [],
    })
}

#[test]
fn a_struct_is_written_by_the_conventions_and_read_back() {
    let json = format!("{{{OFFER}}}");
    assert_eq!(serde_json::to_string(&offer()).expect("JSON"), json);
    assert_eq!(serde_json::from_str::<Offer>(&json).expect("an offer"), offer());
}

#[test]
fn a_stored_entity_keeps_what_its_references_show() {
    let head = r#"{"id":"01890a5d-ac96-774b-bcce-b302099a8058","createdAt":"2027-01-01T00:00:00.000Z","updatedAt":"2027-01-02T00:00:00.007Z","#;
    let beside = r#"a8057","zone":"B","name":"Ida","score":0.5,"tags":[{"b":1,"a":null}]}"#;
    let json = format!("{head}{}}}", OFFER.replace("a8057\"}", beside));
    let mut stored: Stored<Offer> = serde_json::from_str(&json).expect("an offer");
    assert_eq!(serde_json::to_string(&stored).expect("JSON"), json);
    assert_eq!(stored.value, offer());
    assert_eq!(stored.updated_at.to_string(), "2027-01-02T00:00:00.007Z");
    assert_eq!(stored.shown("seller", stored.seller)["name"], "Ida");
    // another seller has another name
    stored.seller = Ref::to(Uuid::from_u128(7));
    let json = serde_json::to_value(&stored).expect("JSON");
    assert_eq!(json["seller"], json!({ "id": Uuid::from_u128(7) }));
}

#[test]
fn what_is_not_given_has_its_default() {
    let read: Offer = serde_json::from_value(body()).expect("an offer");
    assert_eq!((read.colour, read.vat_rate), (Some(Colour::White), Some(Decimal::new(15, 1))));
    assert_eq!((read.images, read.r#type, read.address.city), (vec![], None, None));
    let mut blank = body();
    blank["colour"] = Value::Null;
    blank["address"]["city"] = json!("  ");
    let read: Offer = serde_json::from_value(blank).expect("an offer");
    assert_eq!((read.colour, read.address.city), (None, None));
}

#[test]
fn unknown_properties_are_passed_over() {
    let mut body = body();
    body["beta"] = json!({ "of": ["a", "newer"], "service": 1 });
    body["seller"]["name"] = json!("Ida");
    body["address"]["planet"] = json!("Earth");
    serde_json::from_value::<Offer>(body).expect("an offer");
}

#[test]
fn an_error_names_its_place_and_what_is_expected() {
    let cases = [
        ("/name", json!(5), "invalid type: integer `5`, expected a string in `name`"),
        ("/name", Value::Null, "invalid type: null, expected a string in `name`"),
        (
            "/seller",
            json!(SELLER),
            &*format!("invalid type: string \"{SELLER}\", expected a reference like {{\"id\": …}} in `seller`"),
        ),
        ("/seller", json!({}), "missing field `seller.id`"),
        ("/seller/id", json!("7"), "invalid value: string \"7\", expected a UUID in lower case"),
        (
            "/buyNow/amount",
            json!("12,50"),
            "invalid value: string \"12,50\", expected an amount like 12.30 in `buyNow.amount`",
        ),
        ("/buyNow", json!({ "amount": "1" }), "missing field `buyNow.currency`"),
        ("/address", json!({}), "missing field `address.countryCode`"),
        (
            "/address/countryCode",
            json!("pl"),
            "invalid value: string \"pl\", expected a country like PL in `address.countryCode`",
        ),
        (
            "/fees",
            json!(["1.0", "1.25"]),
            "invalid value: string \"1.25\", expected a string of a decimal with at most 1 digits after the point in `fees.1`",
        ),
        (
            "/fees",
            json!([null]),
            "invalid type: null, expected a string of a decimal with at most 1 digits after the point in `fees.0`",
        ),
        ("/fees", Value::Null, "invalid type: null, expected an array in `fees`"),
    ];
    for (pointer, value, message) in cases {
        let mut body = body();
        *body.pointer_mut(pointer).expect("a place") = value;
        assert_eq!(serde_json::from_value::<Offer>(body).expect_err(message).to_string(), message);
    }
    let twice = r#"{"name":"a","name":"b"}"#;
    let error = serde_json::from_str::<User>(twice).expect_err("two names").to_string();
    assert!(error.starts_with("duplicate field `name`"), "{error}");
}

#[test]
fn enum_values_that_the_type_does_not_know_are_kept_where_it_has_a_place_2_4_8() {
    let teal: Colour = serde_json::from_str("\"TEAL\"").expect("a place for it");
    assert_eq!(teal, Colour::Unknown("TEAL".into()));
    assert_eq!(serde_json::to_string(&teal).expect("JSON"), "\"TEAL\"");
    let error = serde_json::from_str::<Mood>("\"BAD\"").expect_err("no place").to_string();
    assert_eq!(error, "expected Mood, found `BAD`");
}

#[test]
fn a_decimal_of_more_digits_than_its_scale_is_not_written() {
    let offer = Offer { fees: vec![Decimal::new(125, 2)], ..offer() };
    let error = serde_json::to_string(&offer).expect_err("two digits").to_string();
    assert_eq!(error, "the value is not a string of a decimal with at most 1 digits after the point");
}

#[test]
fn a_command_is_an_object() {
    let json = r#"{"fromDate":"1970-01-01T00:00:01.000Z","duration":"P7D"}"#;
    let renew: Renew = serde_json::from_str(json).expect("a command");
    assert_eq!(serde_json::to_string(&renew).expect("JSON"), json);
    assert_eq!(serde_json::to_string(&Withdraw).expect("JSON"), "{}");
    assert_eq!(serde_json::from_str::<Withdraw>("{}").expect("a command"), Withdraw);
}
