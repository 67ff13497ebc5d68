//! Prices: §2.4.7 and the decision "Prices".

use crate::Case;
use crate::client::Api;
use crate::specimen::{accepts, price, refuses, refuses_all, specimen};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("§2.4.7 an amount is rendered with two decimals", amounts),
    ("§2.4.7 any other form of an amount is refused", amounts_refused),
    ("§2.4.7 a price is an object with amount and currency", shape),
    ("Prices: bounds and currencies", constraints),
];

fn amounts(api: &Api) {
    let rendered = [
        ("0", "0.00"),
        ("0.00", "0.00"),
        ("10", "10.00"),
        ("10.5", "10.50"),
        ("9999999.99", "9999999.99"),
        ("9999999999999999.99", "9999999999999999.99"),
        ("007.5", "7.50"),
    ];
    accepts(api, "value", &rendered.map(|(given, shown)| (price(given, "PLN"), price(shown, "PLN"))));
    accepts(api, "value", &[(price("10", "JPY"), price("10.00", "JPY")), (Value::Null, Value::Null)]);
}

fn amounts_refused(api: &Api) {
    let refused =
        [".50", "10.", "1,000.00", "10,50", "-1.00", "+1.00", "1e3", " 1.00", "1.00 ", "abc", "1.0.0", "١.00"];
    refuses(api, "value", &refused.map(|amount| (price(amount, "PLN"), "InvalidAmount", "amount")));
    let too_long = ["10.555", "12345678901234567", "12345678901234567.00"];
    refuses(api, "value", &too_long.map(|amount| (price(amount, "PLN"), "*", "amount")));
}

fn shape(api: &Api) {
    refuses_all(api, "value", "WrongType", &[json!("10.00 PLN"), json!(10), json!([]), json!(["10.00", "PLN"])]);
    refuses(
        api,
        "value",
        &[
            (json!({ "amount": 10.5, "currency": "PLN" }), "WrongType", "amount"),
            (json!({ "currency": "PLN" }), "Required", "amount"),
            (json!({ "amount": null, "currency": "PLN" }), "Required", "amount"),
            (json!({ "amount": "10.00" }), "Required", "currency"),
            (json!({ "amount": "10.00", "currency": "pln" }), "InvalidCurrency", "currency"),
            (json!({ "amount": "10.00", "currency": "DEM" }), "InvalidCurrency", "currency"),
            (json!({ "amount": "10.00", "currency": 985 }), "WrongType", "currency"),
            (json!({ "amount": "10.00", "currency": "PLN", "net": "8.13" }), "UnknownProperty", "net"),
        ],
    );
    api.post("/specimens", &specimen(&json!({ "value": {} })))
        .refused(&[("Required", "value.amount"), ("Required", "value.currency")]);
}

fn constraints(api: &Api) {
    accepts(
        api,
        "insurance",
        &[(price("1", "PLN"), price("1.00", "PLN")), (price("1000.00", "EUR"), price("1000.00", "EUR"))],
    );
    refuses(
        api,
        "insurance",
        &[
            (price("0.99", "PLN"), "TooSmall", "amount"),
            (price("1000.01", "PLN"), "TooLarge", "amount"),
            (price("10.00", "USD"), "CurrencyNotAllowed", "currency"),
        ],
    );
}
