//! Values into typed structs, and back.

use crate::typed::marketplace::{Address, Colour, Line, Offer, Renew, User, Withdraw};
use restwell::Ref;
use restwell::typed::{Decimals, Typed};
use restwell_model::Value;
use restwell_model::scalar::{Country, Currency, Date, IsoDuration, Language, Phone, Price, Time, Timestamp, Timezone};
use rust_decimal::Decimal;
use std::collections::HashSet;
use std::fmt::Debug;
use uuid::Uuid;

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn offer() -> (Offer, Value) {
    let pln = Currency::parse("PLN").expect("a currency");
    let typed = Offer {
        name: "Chair".into(),
        seller: Ref::to(Uuid::from_u128(7)),
        buy_now: Price::new(1250, pln),
        colour: Some(Colour::Cream),
        address: Address {
            city: None,
            country_code: Country::parse("PL").expect("a country"),
            lines: vec![Line { text: "Long Street".into() }],
        },
        images: vec![],
        vat_rate: Some(Decimal::new(15, 1)),
        fees: vec![Decimal::ONE, Decimal::new(25, 1)],
        r#type: Some(-3),
        ratio_2x: None,
    };
    let address = vec![Value::Null, text("PL"), Value::List(vec![Value::Object(vec![text("Long Street")])])];
    let value = Value::Object(vec![
        text("Chair"),
        Value::Uuid(Uuid::from_u128(7)),
        Value::Price(1250, pln),
        text("OFF_WHITE"),
        Value::Object(address),
        Value::List(vec![]),
        Value::Int(1500),
        Value::List(vec![Value::Int(10), Value::Int(25)]),
        Value::Int(-3),
        Value::Null,
    ]);
    (typed, value)
}

#[track_caller]
fn round_trip<T: Typed + PartialEq + Debug + Clone>(typed: T, value: Value) {
    assert_eq!(typed.to_value(), value);
    assert_eq!(T::from_value(value), Ok(typed));
}

#[test]
fn a_resource_is_its_fields_in_order() {
    let (typed, value) = offer();
    round_trip(typed, value);
}

#[test]
fn a_command_is_its_inputs() {
    let (from_date, duration) = (Timestamp::from_millis(1_000), IsoDuration::parse("P7D"));
    let renew = Renew { from_date: from_date.expect("in range"), duration: duration.expect("a duration") };
    round_trip(renew, Value::Object(vec![Value::Int(1_000), text("P7D")]));
    round_trip(Withdraw, Value::Object(vec![]));
}

#[test]
fn every_scalar_has_its_value() {
    round_trip(-7_i64, Value::Int(-7));
    round_trip(0.5_f64, Value::Float(0.5));
    round_trip(true, Value::Bool(true));
    round_trip(String::from("a"), text("a"));
    round_trip(Uuid::from_u128(1), Value::Uuid(Uuid::from_u128(1)));
    round_trip(Timestamp::from_millis(-1).expect("in range"), Value::Int(-1));
    round_trip(Date::from_days(365).expect("in range"), Value::Int(365));
    round_trip(Time::from_millis(86_399_999).expect("in range"), Value::Int(86_399_999));
    round_trip(Language::parse("pl-PL").expect("a language"), text("pl-PL"));
    round_trip(Currency::parse("EUR").expect("a currency"), text("EUR"));
    round_trip(Phone::parse("+48123456789").expect("a phone number"), text("+48123456789"));
    round_trip(Timezone::parse("Europe/Warsaw").expect("a time zone"), text("Europe/Warsaw"));
    round_trip(Some(1_i64), Value::Int(1));
    round_trip(None::<i64>, Value::Null);
    round_trip(vec![1_i64, 2], Value::List(vec![Value::Int(1), Value::Int(2)]));
}

#[test]
fn an_unknown_stored_value_is_kept_where_the_enum_has_a_place_for_it_2_4_8() {
    round_trip(Colour::Unknown("TEAL".into()), text("TEAL"));
    let mood = crate::typed::other::Mood::from_value(text("BAD")).expect_err("no such variant");
    assert_eq!(mood.to_string(), "expected Mood, found `BAD`");
}

#[test]
fn a_mismatch_names_its_place() {
    let (_, value) = offer();
    let Value::Object(mut fields) = value else { unreachable!() };
    let line = Value::Object(vec![Value::Int(1)]);
    fields[4] = Value::Object(vec![Value::Null, text("PL"), Value::List(vec![line])]);
    let mismatch = Offer::from_value(Value::Object(fields)).expect_err("a number is no text");
    assert_eq!(mismatch.to_string(), "address.lines.0.text: expected a text, found an integer");
    assert_eq!(User::from_value(Value::Object(vec![])).expect_err("no name").path(), "");
}

#[test]
fn a_decimal_is_never_rounded() {
    assert_eq!(Decimal::new(12, 1).to_units(2), Value::Int(120));
    assert_eq!(Decimal::new(1200, 3).to_units(1), Value::Int(12));
    assert_eq!(Decimal::new(125, 2).to_units(1), text("1.25"));
    assert_eq!(Decimal::MAX.to_units(2), text(&Decimal::MAX.to_string()));
    assert_eq!(Decimal::from_units(Value::Int(120), 2), Ok(Decimal::new(12, 1)));
}

#[test]
fn a_reference_asks_nothing_of_its_target() {
    struct Plain;
    let id = Uuid::from_u128(3);
    let (one, other) = (Ref::<Plain>::to(id), Ref::<Plain>::from(id));
    assert_eq!(HashSet::from([one, other]).len(), 1);
    assert_eq!(format!("{one:?}"), format!("Ref({id:?})"));
}
