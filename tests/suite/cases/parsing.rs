//! What counts as text that is not JSON: 400 of §7.2, and the limits of a body.

use crate::Case;
use crate::client::Api;
use crate::specimen::{created, path, specimen};
use serde_json::json;

pub(super) const CASES: &[Case] = &[
    ("§7.2 a body that does not parse is 400", malformed),
    ("Errors: a duplicate key is 400, at any depth", duplicate_keys),
    ("Errors: more than 64 levels are 400", depth),
    ("§7.2 a body that is not UTF-8 is 400", encoding),
    ("Order of checks: a body that is too large is 413", too_large),
];

fn malformed(api: &Api) {
    let kept = path("specimens", &created(api, &json!({})));
    let valid = specimen(&json!({})).to_string();
    let trailing = format!("{valid} x");
    let truncated = &valid[..valid.len() - 1];
    for body in [
        "",
        " ",
        "{",
        "{]",
        "{'name':'x'}",
        "{name:1}",
        "{\"name\":1,}",
        "[1,]",
        "nul",
        "01",
        "+1",
        "\"\n\"",
        "\"\\x\"",
        &trailing,
        truncated,
    ] {
        api.request("POST", "/specimens").body(body.as_bytes()).send().fails(400, "MalformedJson");
        api.request("PUT", &kept).body(body.as_bytes()).send().fails(400, "MalformedJson");
    }
    api.request("POST", "/specimens").body(format!(" \r\n\t{valid}\n").as_bytes()).send().is(201);
}

fn duplicate_keys(api: &Api) {
    let bodies = [
        r#"{"name":"Amber","name":"Amber","storage":{"shelf":"A1"},"readings":[7]}"#,
        r#"{"name":"Amber","storage":{"shelf":"A1","shelf":"A2"},"readings":[7]}"#,
        r#"{"name":"Amber","n\u0061me":"Amber","storage":{"shelf":"A1"},"readings":[7]}"#,
        r#"{"name":"Amber","storage":{"shelf":"A1"},"readings":[7],"parts":[{"name":"a","name":"b"}]}"#,
        r#"{"name":"Amber","storage":{"shelf":"A1"},"readings":[7],"hue":{"a":1,"a":1}}"#,
    ];
    for body in bodies {
        api.request("POST", "/specimens").body(body.as_bytes()).send().fails(400, "MalformedJson");
    }
}

fn depth(api: &Api) {
    let nested = |levels: usize| {
        let inner = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let body = specimen(&json!({ "hue": "DEEP" })).to_string().replace("\"DEEP\"", &inner);
        api.request("POST", "/specimens").body(body.as_bytes()).send()
    };
    // the body itself is a level, too
    nested(63).refused(&[("UnknownProperty", "hue")]);
    nested(64).fails(400, "MalformedJson");
    nested(100_000).fails(400, "MalformedJson");
}

fn encoding(api: &Api) {
    let valid = specimen(&json!({ "note": "LATIN" })).to_string();
    let mut latin = valid.into_bytes();
    let at = latin.windows(5).position(|five| five == b"LATIN").expect("the note");
    latin[at] = 0xe9;
    api.request("POST", "/specimens").body(&latin).send().fails(400, "MalformedJson");
}

fn too_large(api: &Api) {
    // the announced length is enough: no service reads a gigabyte to say no
    let request = api.request("POST", "/specimens").json(&json!({})).header("content-length", "1000000000");
    request.send().fails(413, "BodyTooLarge");
}
