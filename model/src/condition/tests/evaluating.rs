//! The evaluator in memory.

use super::super::*;
use super::on_offer;
use crate::scalar::{Currency, Timestamp};
use crate::value::Value;
use serde_json::{Value as Json, json};
use uuid::Uuid;

/// An offer of a seller, and what else is known.
pub(super) struct Known {
    pub(super) offer: Value,
    pub(super) caller: Option<Uuid>,
    pub(super) scopes: Vec<String>,
    pub(super) claims: Json,
}

const SELLER: Uuid = Uuid::from_u128(7);

impl Known {
    pub(super) fn new() -> Self {
        let price = |minor| Value::Price(minor, Currency::parse("PLN").unwrap());
        let option = |name: &str, minor| Value::Object(vec![Value::Text(name.into()), price(minor)]);
        let offer = Value::Object(vec![
            Value::Text("Łódź".into()),
            Value::Text("ACTIVE".into()),
            Value::Uuid(SELLER),
            price(1_050),
            Value::Int(3),
            Value::Int(1_500),
            Value::Float(0.5),
            Value::Int(Timestamp::parse("2027-01-31T12:00:00.000Z").unwrap().millis()),
            Value::Null,
            Value::Int(20_000),
            Value::Text("P1M".into()),
            Value::Null,
            Value::Null,
            Value::List(vec![Value::Text("a".into()), Value::Text("b".into())]),
            Value::List(vec![option("x", 900), option("y", 2_000)]),
        ]);
        Self { offer, caller: Some(SELLER), scopes: vec!["offers.admin".into()], claims: json!({}) }
    }

    /// Another value of a field of the offer.
    pub(super) fn set(&mut self, field: usize, value: Value) {
        if let Value::Object(fields) = &mut self.offer {
            fields[field] = value;
        }
    }
}

impl Facts for Known {
    fn field(&self, of: Subject<'_>, path: &FieldPath) -> Option<Value> {
        match of {
            Subject::This if path.dotted() == "id" => Some(Value::Uuid(Uuid::from_u128(1))),
            Subject::This => path.within(&self.offer),
            Subject::Old => Some(Value::Null),
            Subject::Entity { id, .. } if path.dotted() == "status" => {
                Some(Value::Text(if id == SELLER { "ACTIVE" } else { "ENDED" }.into()))
            }
            Subject::Entity { id, .. } if path.dotted() == "user" => Some(Value::Uuid(id)),
            Subject::Entity { .. } => Some(Value::Null),
        }
    }

    fn referring(&self, _: &str, _: &FieldPath, _: Uuid) -> Option<Vec<Uuid>> {
        Some(vec![SELLER, Uuid::from_u128(8)])
    }

    fn caller(&self) -> Option<Option<Uuid>> {
        Some(self.caller)
    }

    fn scopes(&self) -> Option<&[String]> {
        Some(&self.scopes)
    }

    fn claim(&self, path: &str) -> Option<Option<&Json>> {
        Some(self.claims.pointer(&format!("/{}", path.replace('.', "/"))))
    }

    fn now(&self) -> Option<i64> {
        Some(Timestamp::parse("2027-02-01T00:00:00.000Z").unwrap().millis())
    }
}

pub(super) fn assert_all(expected: bool, known: &Known, texts: &[&str]) {
    for text in texts {
        let typed = on_offer(text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
        assert_eq!(holds(&typed, known), Some(expected), "{text}");
    }
}

#[test]
fn nulls_are_equal_and_have_no_order() {
    let known = Known::new();
    let holding = ["endingAt == null", "endingAt != startingAt", "null in [null]", "old == null", "!featured"];
    assert_all(true, &known, &holding);
    let failing = ["endingAt < now", "endingAt >= now", "!(endingAt == null)", "featured", "featured == false"];
    assert_all(false, &known, &failing);
    assert_all(true, &known, &["endingAt + duration(\"P1D\") == null", "address.city == null", "address == null"]);
    assert_all(false, &known, &["address.city.startsWith(\"a\")", "size(address.city) == 0"]);
}

#[test]
fn arithmetic_is_exact() {
    let holding = [
        "buyNow.amount == 10.50",
        "buyNow.amount == 10.5",
        "weight == 1.5 && weight * 2 == 3",
        "buyNow.amount * weight == 15.75",
        "(buyNow + buyNow).amount == 21 && (buyNow * 3).currency == \"PLN\"",
        "(buyNow - buyNow * 2).amount == -10.5",
        "quantity * 9223372036854775807 == null",
        "ratio * 1.5 == 0.75 && ratio + quantity == 3.5",
        "-quantity == -3 && quantity - -1 == 4",
        "quantity < ratio + 2.75 && quantity > ratio * 5 && ratio + 2.5 == quantity",
    ];
    assert_all(true, &Known::new(), &holding);
}

/// §conditions: nothing but what overflows is null.
#[test]
fn doubles_are_null_only_where_they_overflow() {
    let mut known = Known::new();
    for (ratio, holding) in [
        (1e300, ["-ratio == 0 - ratio && -ratio != null", "ratio + ratio != null", "ratio * ratio == null"]),
        (f64::MAX, ["ratio + ratio == null", "ratio - ratio == 0", "ratio * 0.5 != null"]),
        (1e-200, ["ratio * ratio == 0", "ratio * ratio != null", "ratio * 2 > ratio"]),
        (
            9_007_199_254_740_992.0,
            [
                "ratio != 9007199254740993",
                "ratio < 9007199254740993 && ratio == 9007199254740992",
                "9007199254740993 > ratio",
            ],
        ),
    ] {
        known.set(6, Value::Float(ratio));
        assert_all(true, &known, &holding);
    }
    known.set(4, Value::Int((1 << 53) + 1));
    assert_all(true, &known, &["quantity != ratio && quantity > ratio"]);
}

#[test]
fn enums_are_texts_of_their_values() {
    let service = super::market();
    let scope = Scope { service: &service, entity: service.resource("Offer"), old: false };
    let status = StaticType::Enum("Status".to_owned());
    let value = |text: &str| check_value(&parse(text).unwrap(), &scope, &status);
    for text in ["featured ? \"ACTIVE\" : \"ENDED\"", "featured ? seller.status : \"ENDED\"", "null", "claims.status"] {
        assert!(value(text).is_ok(), "{text}: {:?}", value(text));
    }
    let wrong = value("featured ? \"ACTIVE\" : \"GONE\"").unwrap_err();
    assert_eq!((wrong[0].span.clone(), wrong[0].message.as_str()), (22..28, "`GONE` is not a value of `Status`"));
    assert_eq!(evaluate(&value("\"ENDED\"").unwrap(), &Known::new()), Some(Value::Text("ENDED".into())));
}

#[test]
fn months_clamp() {
    let holding = [
        "startingAt + duration(\"P1M\") == timestamp(\"2027-02-28T12:00:00.000Z\")",
        "startingAt + period == timestamp(\"2027-02-28T12:00:00.000Z\")",
        "startingAt - duration(\"P2M1D\") == timestamp(\"2026-11-29T12:00:00.000Z\")",
        "duration(\"PT12H\") + startingAt == now",
        "day + duration(\"P1D\") > day",
        "startingAt + duration(\"P9000Y\") == null",
    ];
    assert_all(true, &Known::new(), &holding);
}

#[test]
fn prices_are_multiplied_and_rounded_half_up() {
    let mut known = Known::new();
    // 10.50 × 1.5, and 10.50 × 0.5
    assert_all(true, &known, &["(buyNow * weight).amount == 15.75", "(ratio * buyNow).amount == 5.25"]);
    known.set(3, Value::Price(5, Currency::parse("PLN").unwrap()));
    let holding = [
        "(buyNow * 0.1).amount == 0.01 && (buyNow * 0.09).amount == 0",
        "((buyNow - buyNow * 2) * 0.1).amount == 0 && ((buyNow - buyNow * 2) * 0.11).amount == -0.01",
        "buyNow * ratio + buyNow == buyNow * 1.6",
        "(buyNow * 999999999999999999).amount == null",
    ];
    assert_all(true, &known, &holding);
    // the number that its text says, which is a little less as a double
    known.set(6, Value::Float(1.3));
    known.set(3, Value::Price(15, Currency::parse("PLN").unwrap()));
    assert_all(true, &known, &["(buyNow * ratio).amount == 0.20"]);
}

#[test]
fn times_differ_by_durations() {
    let mut known = Known::new();
    // starting on 2027-01-31T12:00, now at 2027-02-01T00:00; the day is 2024-10-04
    let holding = [
        "now - startingAt == duration(\"PT12H\") && now - startingAt <= \"P0.5D\"",
        "now - startingAt < duration(\"P1D\") && startingAt - now < duration(\"PT0S\")",
        "startingAt + (now - startingAt) == now && now - (now - startingAt) == startingAt",
        "day + (now - startingAt) == day && day + (now + duration(\"P3D\") - now) == \"2024-10-07\"",
        "today(\"Europe/Warsaw\") == \"2027-02-01\" && today(\"America/New_York\") == \"2027-01-31\"",
        "days(day, \"2024-10-01\") == -3 && days(\"2024-02-28\", \"2024-03-01\") == 2",
        "today(\"UTC\") - day == duration(\"P850D\") && endingAt - now == null && days(null, day) == null",
        "claims.longest == null || now - startingAt <= claims.longest",
    ];
    assert_all(true, &known, &holding);
    known.claims = json!({ "longest": "PT13H" });
    assert_all(true, &known, &["now - startingAt <= claims.longest", "duration(\"PT12H\") < claims.longest"]);
}

#[test]
fn durations_without_months_have_an_order() {
    let mut known = Known::new();
    assert_all(false, &known, &["period < duration(\"P1000D\")", "period >= duration(\"PT0S\")"]);
    known.set(10, Value::Text("P1W".into()));
    let holding = ["period > duration(\"P6DT23H\") && period <= \"P7D\" && period >= \"P7D\"", "period == \"P1W\""];
    assert_all(true, &known, &holding);
    // as it is written, unless one side is a difference
    assert_all(true, &known, &["period != \"P7D\"", "period == startingAt + duration(\"P7D\") - startingAt"]);
}

#[test]
fn differences_are_durations_of_days_or_seconds() {
    let service = super::market();
    let scope = Scope { service: &service, entity: service.resource("Offer"), old: false };
    for (text, expected) in [
        ("today(\"UTC\") - day", Some("P850D")),
        ("now - startingAt", Some("PT43200S")),
        ("startingAt + duration(\"PT1.250S\") - startingAt", Some("PT1.25S")),
        ("now - now", Some("PT0S")),
        ("featured ? day - day : duration(\"PT36H\")", Some("PT129600S")),
        ("featured ? day - day : \"PT36H\"", Some("PT129600S")),
        // no duration is negative
        ("startingAt - now", None),
        ("day - today(\"UTC\")", None),
        ("endingAt - now", None),
    ] {
        let typed = check_value(&parse(text).unwrap(), &scope, &StaticType::Duration).unwrap();
        let expected = expected.map_or(Value::Null, |text| Value::Text(text.into()));
        assert_eq!(evaluate(&typed, &Known::new()), Some(expected), "{text}");
    }
}

#[test]
fn texts_are_joined() {
    let holding = [
        "name + \"!\" == \"Łódź!\" && status + \"-\" + name == \"ACTIVE-Łódź\"",
        "name + address.city == null && name + claims.city == null",
    ];
    assert_all(true, &Known::new(), &holding);
}

#[test]
fn texts_lists_and_the_others() {
    let holding = [
        "lower(name) == lower(\"ŁÓDŹ\") && size(name) == 4 && name.endsWith(\"dź\") && name.contains(\"\")",
        "\"a\" in tags && !(\"c\" in tags) && size(tags) == 2",
        "options.exists(o, o.price.amount < 10 && o.name == \"x\") && !options.all(o, o.price.amount < 10)",
        "options.exists(o, options.exists(p, p.price.amount > o.price.amount))",
        "any(Watch.offer, user == caller) && count(Watch.offer) == 2 && count(Watch.offer, user.status == \"ENDED\") == 1",
        "seller == caller && seller.status == \"ACTIVE\"",
        "caller.any(Watch.user, user == outer.seller) && seller.count(Watch.user, user == outer.seller) == 1",
        "seller.employer.count(User.employer) == 0 && !seller.employer.any(User.employer)",
        "any(Watch.offer, user == outer.seller) && this.count(Watch.offer, outer.quantity == 3) == 2",
        "any(Watch.offer, user.any(Watch.user, user == outer.user)) && !any(Watch.offer, outer.quantity == 4)",
        "status in [\"ENDED\", \"ACTIVE\"] ? true : false",
        "\"offers.admin\" in scopes",
    ];
    assert_all(true, &Known::new(), &holding);
}

#[test]
fn claims_are_what_their_use_wants() {
    let claims = json!({ "roles": ["moderator"], "realm": { "level": 3, "role": "x" }, "admin": true });
    let known = Known { claims, ..Known::new() };
    let holding = [
        "\"moderator\" in claims.roles",
        "claims.realm.level >= 3",
        "claims.admin",
        "claims.realm != null",
        "claims.a == null",
    ];
    assert_all(true, &known, &holding);
    let failing = ["\"admin\" in claims.roles", "claims.realm.role == \"y\"", "claims.absent", "\"x\" in claims.none"];
    assert_all(false, &known, &failing);
}

/// Knows the caller only.
struct CallerOnly(Option<Uuid>);

impl Facts for CallerOnly {
    fn caller(&self) -> Option<Option<Uuid>> {
        Some(self.0)
    }

    fn scopes(&self) -> Option<&[String]> {
        Some(&[])
    }
}

#[test]
fn what_the_caller_decides_is_decided_without_the_entity() {
    let reduced = |text: &str, caller| reduce(&on_offer(text).unwrap(), &CallerOnly(caller));
    assert!(reduced("\"admin\" in scopes && status == \"ACTIVE\"", None).is_never());
    assert!(reduced("caller == null || status == \"ACTIVE\"", None).is_true());
    assert!(reduced("caller != null && seller == caller", None).is_never());
    let rest = reduced("caller != null && seller == caller", Some(SELLER));
    assert_eq!(rest, reduced("seller == caller", Some(SELLER)));
    assert!(rest.value().is_none() && !rest.reads().caller);
    let any = reduced("any(Watch.offer, user == caller)", Some(SELLER));
    assert!(!any.reads().caller);
    // nothing refers to nobody
    assert!(reduced("caller.any(Watch.user, offer == outer) || caller.count(Offer.seller) > 0", None).is_never());
    assert!(reduced("caller.count(Offer.seller) == 0 && !caller.any(Watch.user)", None).is_true());
    let open = reduced("caller.any(Watch.user, offer == outer)", Some(SELLER));
    assert!(open.value().is_none() && !open.reads().caller && open.reads_entity());
    let open = reduced("caller.any(Watch.user, offer.status == \"ACTIVE\")", Some(SELLER));
    assert!(open.value().is_none() && !open.reads_entity(), "it has to be read, of the caller alone");
}
