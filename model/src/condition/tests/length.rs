//! The SQL of a condition grows with its text, and no faster.

use super::super::sql::{SqlTarget, predicate};
use super::super::*;
use super::{market, on_offer};
use crate::tables::{Dialect, Table};
use crate::value::Value;
use uuid::Uuid;

struct Caller;

impl Facts for Caller {
    fn caller(&self) -> Option<Option<Uuid>> {
        Some(Some(Uuid::from_u128(7)))
    }
}

/// The bytes of the SQL of a condition.
fn length(text: &str, dialect: Dialect) -> usize {
    let service = market();
    let tables = service.resources.iter().map(|it| (it.name.clone(), Table::of(&service, it))).collect();
    let target = SqlTarget { dialect, tables: &tables, resource: "Offer", alias: "t" };
    let typed = on_offer(text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"));
    let sql = predicate(&reduce(&typed, &Caller), target).unwrap_or_else(|| panic!("not SQL: {text}"));
    assert!(sql.values.iter().all(|value| *value != Value::Null), "{text}");
    sql.text.len()
}

/// Conditions of a number of terms.
fn forms(terms: usize) -> Vec<String> {
    let chain = |term: &str, operator: &str| vec![term; terms].join(operator);
    let nested =
        |before: &str, inner: &str, after: &str| format!("{}{inner}{}", before.repeat(terms), after.repeat(terms));
    vec![
        format!("{} == 12", chain("quantity", " + ")),
        format!("{} == 12", chain("quantity", " * ")),
        format!("{} == 1.5", chain("weight", " + ")),
        format!("{} < 1.5", chain("buyNow.amount", " - ")),
        format!("{} == 0.5", chain("ratio", " * ")),
        format!("{} > quantity", chain("ratio", " + ")),
        format!("startingAt{} < endingAt", " + duration(\"P1D\")".repeat(terms)),
        format!("startingAt{} < endingAt", " + duration(\"P1M\")".repeat(terms)),
        format!("day{} != day", " + period".repeat(terms)),
        format!("{} == buyNow", chain("buyNow", " + ")),
        format!("({}).currency == \"PLN\"", chain("buyNow", " - ")),
        format!("({}).amount in [1, 2, quantity]", chain("buyNow", " + ")),
        format!("{} in [buyNow, null]", chain("buyNow", " + ")),
        format!("{} in [1.5, ratio, null]", chain("ratio", " + ")),
        format!("{} in [1, weight, null]", chain("quantity", " + ")),
        nested("!(", "featured", ")"),
        nested("-(", "quantity", ")") + " == 1",
        nested("-(", "ratio", ")") + " == 1",
        nested("lower(", "name", ")") + ".endsWith(name)",
        nested("(featured ? buyNow : ", "buyNow", ")") + " == buyNow",
        nested("(featured ? weight : ", "quantity", ")") + " == weight",
        nested("(name.endsWith(name) ? quantity : ", "1", ")") + " in [quantity, null]",
    ]
}

#[test]
fn sql_grows_with_the_text() {
    for dialect in [Dialect::Sqlite, Dialect::Postgres] {
        let lengths = |terms| -> Vec<_> { forms(terms).iter().map(|text| length(text, dialect)).collect() };
        let (few, more, many) = (lengths(2), lengths(4), lengths(10));
        for (at, text) in forms(10).iter().enumerate() {
            // two terms more cost as much each time; aliases get longer
            let bound = more[at] + (more[at] - few[at]) * 3 * 11 / 10;
            assert!(many[at] <= bound, "{text} on {dialect:?}: {} {} {}", few[at], more[at], many[at]);
        }
    }
}
