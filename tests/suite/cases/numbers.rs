//! Integers, numbers, decimals and booleans: the decisions "Numbers" and "Decimals".

use crate::Case;
use crate::client::Api;
use crate::specimen::{accepts, keeps, refuses_all, specimen};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("Numbers: an integer is a JSON number, 1.0 too", integers),
    ("Numbers: an integer has 64 bits", integer_range),
    ("§7.1 a broken bound has the limit in details", integer_bounds),
    ("Numbers: a number is a finite double", numbers),
    ("Decimals are strings with exactly their scale's digits", decimals),
    ("Decimals have 18 digits at most", decimal_digits),
    ("Decimals that are none are refused", decimals_refused),
    ("Booleans are true and false", booleans),
];

fn integers(api: &Api) {
    keeps(api, "size", &[json!(0), json!(1000), Value::Null]);
    accepts(api, "size", &[(json!(1.0), json!(1))]);
    refuses_all(api, "size", "*", &[json!(1.5), json!("")]);
    refuses_all(api, "size", "WrongType", &[json!("5"), json!(true), json!([5]), json!({})]);
}

fn integer_range(api: &Api) {
    keeps(api, "serial", &[json!(i64::MAX), json!(i64::MIN), json!(9_007_199_254_740_993_i64)]);
    refuses_all(api, "serial", "*", &[json!(9_223_372_036_854_775_808_u64), json!(1e19), json!(-1e19)]);
    with_literal(api, "serial", "1e400");
    with_literal(api, "serial", "-9223372036854775809");
}

fn integer_bounds(api: &Api) {
    refuses_all(api, "size", "TooSmall", &[json!(-1)]);
    refuses_all(api, "size", "TooLarge", &[json!(1001)]);
    let errors = api.post("/specimens", &specimen(&json!({ "size": 1001 }))).refused(&[("TooLarge", "size")]);
    assert_eq!(errors[0]["details"], json!({ "maximum": 1000 }));
    let errors = api.post("/specimens", &specimen(&json!({ "size": -1 }))).refused(&[("TooSmall", "size")]);
    assert_eq!(errors[0]["details"], json!({ "minimum": 0 }));
}

fn numbers(api: &Api) {
    keeps(api, "measure", &[json!(0.5), json!(-1.25e-7), json!(1.797_693_134_862_315_7e308), Value::Null]);
    let given = specimen(&json!({ "measure": 3 }));
    assert_eq!(api.create("/specimens", &given)["measure"].as_f64(), Some(3.0));
    refuses_all(api, "measure", "*", &[json!("")]);
    refuses_all(api, "measure", "WrongType", &[json!("0.5"), json!(false), json!([])]);
    with_literal(api, "measure", "1e400");
    refuses_all(api, "ratio", "TooSmall", &[json!(-1.01)]);
    refuses_all(api, "ratio", "TooLarge", &[json!(1.01)]);
}

fn decimals(api: &Api) {
    let rendered = [("1.5", "1.500"), ("0", "0.000"), ("1000", "1000.000"), ("0.001", "0.001"), ("12.340", "12.340")];
    accepts(api, "weight", &rendered.map(|(given, shown)| (json!(given), json!(shown))));
    accepts(
        api,
        "share",
        &[(json!("-12.3"), json!("-12.30")), (json!("7"), json!("7.00")), (Value::Null, Value::Null)],
    );
}

fn decimal_digits(api: &Api) {
    accepts(api, "share", &[(json!("9999999999999999.99"), json!("9999999999999999.99"))]);
    refuses_all(api, "share", "*", &[json!("99999999999999999.99"), json!("9".repeat(40))]);
    refuses_all(api, "weight", "TooManyDigits", &[json!("1.2345"), json!("0.0001")]);
}

fn decimals_refused(api: &Api) {
    refuses_all(api, "weight", "TooSmall", &[json!("-0.001")]);
    refuses_all(api, "weight", "TooLarge", &[json!("1000.001")]);
    refuses_all(
        api,
        "weight",
        "InvalidDecimal",
        &["abc", "1,5", "1e3", " 1", "1 ", "0x1", "NaN", "1.5.5"].map(Value::from),
    );
    refuses_all(api, "weight", "WrongType", &[json!(1.5), json!(1), json!(true), json!({})]);
    refuses_all(api, "weight", "*", &[json!("")]);
}

fn booleans(api: &Api) {
    keeps(api, "fragile", &[json!(true), json!(false), Value::Null]);
    refuses_all(api, "fragile", "WrongType", &[json!("true"), json!(1), json!(0), json!([])]);
    refuses_all(api, "fragile", "*", &[json!("")]);
}

/// A number that `serde_json` would not write is refused at its field, not as malformed JSON.
#[track_caller]
fn with_literal(api: &Api, field: &str, literal: &str) {
    let body = specimen(&json!({ field: "LITERAL" })).to_string().replace("\"LITERAL\"", literal);
    api.request("POST", "/specimens").body(body.as_bytes()).send().refused(&[("*", field)]);
}
