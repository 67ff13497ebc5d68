//! Nobody, and what nobody said, equals nothing; claims are the JSON that they are.

use super::evaluating::{Known, assert_all};
use crate::value::Value;
use serde_json::json;

/// An offer without a seller, and a caller without credentials.
fn nobody() -> Known {
    let mut known = Known { caller: None, scopes: Vec::new(), ..Known::new() };
    known.set(2, Value::Null);
    known
}

#[test]
fn nobody_equals_nothing() {
    let failing = [
        "seller == caller",
        "caller == seller",
        "caller in [seller]",
        "seller in [caller, this.seller.employer.employer == null ? caller : caller]",
        "caller.kind == address.city",
        "(featured ? caller : caller) == seller",
        "any(Watch.offer, offer.seller == caller)",
        "claims.team == address.city",
        "address.city == claims.team",
        "claims.team == claims.other",
        "address.city in claims.teams",
        "claims.team in tags",
        "claims.team in [address.city, \"a\"]",
        "caller == caller",
    ];
    assert_all(false, &nobody(), &failing);
    let nulls = Known { claims: json!({ "team": null, "teams": [null] }), ..nobody() };
    assert_all(false, &nulls, &failing);
    // the negations of them hold, as the language says
    assert_all(true, &nobody(), &["seller != caller", "!(seller == caller)", "claims.team != address.city"]);
}

#[test]
fn only_the_written_word_asks_for_nobody() {
    let holding = [
        "caller == null",
        "null == caller",
        "caller.kind == null",
        "claims.team == null",
        "caller in [null]",
        "caller in [seller, null]",
        "null in [claims.team]",
        "seller == null && address.city == null",
        // nothing of the caller is read here
        "seller == this.seller && address.city == seller.kind",
    ];
    assert_all(true, &nobody(), &holding);
    assert_all(false, &nobody(), &["caller != null", "claims.team != null"]);
}

#[test]
fn claims_of_another_type_are_unequal_and_not_null() {
    let claims = json!({
        "three": 3, "threeToo": 3.0, "half": 3.5, "text": "3", "yes": true, "list": ["a"], "other": ["b"],
        "object": { "a": 1 }, "large": 9_007_199_254_740_993_u64, "largest": u64::MAX, "tiny": 1e-300, "huge": 1e300,
    });
    let known = Known { claims, ..Known::new() };
    let holding = [
        "claims.three == 3",
        "claims.threeToo == quantity",
        "claims.three == claims.threeToo",
        "claims.half < 4 && claims.half > quantity && claims.half >= 3.5",
        "claims.half < 4 && 4 > claims.half",
        "claims.large == 9007199254740993 && claims.large != 9007199254740992",
        "claims.largest > 9223372036854775807 && claims.largest == claims.largest",
        "claims.tiny > 0 && claims.tiny < 0.01 && claims.huge > 1.5 && claims.huge > quantity && claims.huge > ratio",
        "claims.text == \"3\" && claims.text != 3 && claims.text != null && claims.text != address.city",
        "claims.yes == true && claims.yes && claims.list == claims.list && \"a\" in claims.list",
        "claims.object != null && claims.list != null && claims.object == claims.object",
        "3 in [claims.text, claims.threeToo]",
        "claims.three in [1, 2.5, 3]",
        "(featured ? claims.three : claims.threeToo) == quantity",
        "size(claims.list) == 1 && size(claims.three) == null",
    ];
    assert_all(true, &known, &holding);
    let failing = [
        "claims.three == claims.half",
        "claims.list == claims.other",
        "claims.yes == claims.text",
        "claims.text == quantity",
        "claims.text == address.city",
        "claims.half == quantity",
        "claims.text < 4",
        "claims.yes < claims.three",
        "claims.three == null",
        "claims.three == \"3\"",
        "claims.text in [quantity, 3]",
        "quantity in claims.list",
        "\"a\" in claims.text",
        "claims.three.startsWith(\"3\")",
    ];
    assert_all(false, &known, &failing);
}
