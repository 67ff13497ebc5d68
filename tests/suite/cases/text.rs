//! Strings: §2.4.1, and the decision "Strings".

use crate::Case;
use crate::client::Api;
use crate::specimen::{accepts, created, keeps, refuses, refuses_all, specimen};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("§2.4.1 a blank string is null", blank_is_null),
    ("§7.1 a blank required string is Required", blank_is_required),
    ("Strings: Unicode is kept as it is", unicode),
    ("Strings: lengths are counted in characters", lengths),
    ("§7.1 a broken length has the limit in details", length_details),
    ("Strings: a pattern", pattern),
    ("Strings: format email", email),
    ("Strings: format uri", uri),
    ("Strings: NUL and lone surrogates are InvalidText", invalid_text),
    ("§7.1 another type is WrongType", wrong_type),
];

fn blank_is_null(api: &Api) {
    accepts(api, "note", &[(json!(""), Value::Null), (json!("   "), Value::Null), (Value::Null, Value::Null)]);
}

fn blank_is_required(api: &Api) {
    refuses_all(api, "name", "Required", &[json!(""), json!("   "), Value::Null]);
}

fn unicode(api: &Api) {
    keeps(
        api,
        "note",
        &[json!("Zażółć gęślą jaźń"), json!("琥珀 🪲"), json!("tab\tline\nquote\" back\\ / \u{7f}\u{1}")],
    );
    let escaped = specimen(&json!({})).to_string().replace("Amber", r"\u00c5mber \ud83e\udeb2");
    let entity = api.request("POST", "/specimens").body(escaped.as_bytes()).send().is(201).json();
    assert_eq!(entity["name"], "Åmber 🪲");
}

fn lengths(api: &Api) {
    keeps(api, "name", &[json!("ab"), json!("🪲".repeat(2)), json!("ż".repeat(20)), json!("🪲".repeat(20))]);
    refuses_all(api, "name", "TooShort", &[json!("a"), json!("🪲")]);
    refuses_all(api, "name", "TooLong", &[json!("a".repeat(21)), json!("🪲".repeat(21))]);
}

fn length_details(api: &Api) {
    let errors = api.post("/specimens", &specimen(&json!({ "name": "a".repeat(21) }))).refused(&[("TooLong", "name")]);
    assert_eq!(errors[0]["details"], json!({ "maxLength": 20 }));
    let errors = api.post("/specimens", &specimen(&json!({ "name": "a" }))).refused(&[("TooShort", "name")]);
    assert_eq!(errors[0]["details"], json!({ "minLength": 2 }));
}

fn pattern(api: &Api) {
    let entity = created(api, &json!({ "code": "ABC-12" }));
    assert_eq!(entity["code"], "ABC-12");
    refuses_all(
        api,
        "code",
        "PatternMismatch",
        &[json!("abc-12"), json!("ABC-123"), json!(" ABC-12"), json!("ABC-12\n")],
    );
}

fn email(api: &Api) {
    keeps(api, "email", &[json!("ida@example.com"), json!("first.last+tag@mail.example.org")]);
    let refused =
        ["ida", "ida@", "@example.com", "ida example.com", "i da@example.com", "ida@exa mple.com", "a@b@example.com"];
    refuses_all(api, "email", "NotEmail", &refused.map(Value::from));
}

fn uri(api: &Api) {
    keeps(
        api,
        "link",
        &[json!("https://example.com/a/b?c=d"), json!("urn:isbn:0451450523"), json!("http://[::1]:80/")],
    );
    let refused =
        ["example.com/a", "/a", "//example.com/a", "https://exa mple.com/", "https://example.com/%zz", "1http://a/"];
    refuses_all(api, "link", "NotUri", &refused.map(Value::from));
}

fn invalid_text(api: &Api) {
    refuses(api, "note", &[(json!("nul \u{0} inside"), "InvalidText", "")]);
    for lone in [r"\ud800", r"\udc00", r"\ud800\ud800"] {
        let body = specimen(&json!({ "note": "LONE" })).to_string().replace("LONE", lone);
        let reply = api.request("POST", "/specimens").body(body.as_bytes()).send();
        reply.refused(&[("InvalidText", "note")]);
    }
}

fn wrong_type(api: &Api) {
    refuses_all(api, "note", "WrongType", &[json!(5), json!(true), json!([]), json!({}), json!(["a"])]);
}
