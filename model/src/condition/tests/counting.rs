//! How far `any` and `count` count.

use super::*;
use crate::tables::{Dialect, Table};
use crate::value::Value;
use std::cell::RefCell;
use uuid::Uuid;

/// An offer to which many watches refer, which are counted as far as somebody asks.
#[derive(Default)]
struct Watched {
    watches: u64,
    limits: RefCell<Vec<Option<u64>>>,
}

impl Facts for Watched {
    fn field(&self, of: Subject<'_>, path: &FieldPath) -> Option<Value> {
        match (of, path.dotted().as_str()) {
            (Subject::This, "id") => Some(Value::Uuid(Uuid::from_u128(1))),
            (Subject::This, "quantity") => Some(Value::Int(7)),
            _ => None,
        }
    }

    fn counted(&self, counted: &Counted<'_>) -> Option<u64> {
        self.limits.borrow_mut().push(counted.limit);
        Some(counted.limit.map_or(self.watches, |limit| self.watches.min(limit)))
    }

    fn caller(&self) -> Option<Option<Uuid>> {
        Some(Some(Uuid::from_u128(2)))
    }
}

/// How far the counts of a condition go, and whether it holds.
fn counted(text: &str, watches: u64) -> (Vec<Option<u64>>, Option<bool>) {
    let watched = Watched { watches, ..Watched::default() };
    let holds = holds(&on_offer(text).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}")), &watched);
    (watched.limits.take(), holds)
}

#[test]
fn a_comparison_with_a_constant_counts_to_it_and_one_further() {
    for (text, limits) in [
        ("any(Watch.offer)", vec![1]),
        ("caller.count(Watch.user) < 3 || this.count(Watch.offer) < 4", vec![4, 5]),
        ("count(Watch.offer) < 3", vec![4]),
        ("3 > count(Watch.offer)", vec![4]),
        ("count(Watch.offer) == 0", vec![1]),
        ("count(Watch.offer) != 2", vec![3]),
        ("count(Watch.offer) >= -5", vec![1]),
        ("count(Watch.offer) in [1, 5, 2]", vec![6]),
        ("count(Watch.offer) + 1 <= 5", vec![5]),
        ("count(Watch.offer) - 2 <= 5", vec![8]),
        ("10 - count(Watch.offer) >= 4", vec![7]),
        ("-count(Watch.offer) > -3", vec![4]),
        ("-count(Watch.offer) in [21, -1]", vec![2]),
        ("2 - count(Watch.offer) in [7, -3]", vec![6]),
        ("count(Watch.offer) * -2 in [-8, 1]", vec![9]),
        ("count(Watch.offer) * 2 < 9", vec![10]),
        ("count(Watch.offer) + count(Watch.offer, user == caller) < 4", vec![5, 5]),
        ("(quantity == 7 ? 0 : count(Watch.offer)) < 4", vec![]),
        ("(quantity == 8 ? 0 : count(Watch.offer)) < 4", vec![5]),
        ("count(Watch.offer) < 2.5", vec![4]),
        ("count(Watch.offer) < 100000", vec![100_001]),
        // known when it is evaluated
        ("count(Watch.offer) < quantity", vec![8]),
        ("quantity + 1 > count(Watch.offer)", vec![9]),
    ] {
        let (found, _) = counted(text, 50);
        assert_eq!(found, limits.into_iter().map(Some).collect::<Vec<_>>(), "{text}");
    }
    for text in [
        "count(Watch.offer) == count(Watch.offer, user == caller) * 0",
        "count(Watch.offer) * count(Watch.offer) < 3",
        "count(Watch.offer) < quantity * 1000000",
        "count(Watch.offer) + 9223372036854775807 < 5",
    ] {
        assert_eq!(counted(text, 50).0.first(), Some(&None), "{text}");
    }
}

#[test]
fn what_is_counted_no_further_says_the_same() {
    let (counts, numbers) = ("count(Watch.offer)", ["-1", "0", "1", "2", "3", "2.5"]);
    let sides = ["N", "N + 2", "2 + N", "N - 1", "3 - N", "-N", "N * 2", "N * -3", "0 * N", "N + N", "(N > 1 ? N : 9)"];
    for (side, number) in sides.iter().flat_map(|side| numbers.map(|number| (side, number))) {
        for operator in ["==", "!=", "<", "<=", ">", ">="] {
            let text = format!("{side} {operator} {number}");
            for watches in 0..9 {
                // a number in place of the count, which nothing bounds
                let known = holds(&on_offer(&text.replace('N', &watches.to_string())).unwrap(), &Watched::default());
                let (_, found) = counted(&text.replace('N', counts), watches);
                assert_eq!(found, known, "{text} of {watches}");
            }
        }
    }
}

#[test]
fn what_is_among_values_is_the_same() {
    let (counts, sides) = ("count(Watch.offer)", ["N", "-N", "2 - N", "N - 3", "N * -2", "N + N", "-(N - 2)"]);
    for (side, list) in
        sides.iter().flat_map(|side| ["[21, -1]", "[-4, 0, 3]", "[-2.5, 2]", "[-6, null]"].map(|list| (side, list)))
    {
        let text = format!("{side} in {list}");
        for watches in 0..12 {
            let known = holds(&on_offer(&text.replace('N', &watches.to_string())).unwrap(), &Watched::default());
            let (_, found) = counted(&text.replace('N', counts), watches);
            assert_eq!(found, known, "{text} of {watches}");
        }
    }
}

#[test]
fn databases_count_no_further_either() {
    let service = market();
    let tables = service.resources.iter().map(|it| (it.name.clone(), Table::of(&service, it))).collect();
    for dialect in [Dialect::Sqlite, Dialect::Postgres] {
        let target = sql::SqlTarget { dialect, tables: &tables, resource: "Offer", alias: "t" };
        let written = |text: &str| sql::predicate(&on_offer(text).unwrap(), target).unwrap().text;
        let limited =
            "(SELECT count(*) FROM (SELECT 1 FROM \"watches\" t_r1 WHERE t_r1.\"offer_id\" = t.\"id\" LIMIT 4) t_n2)";
        assert!(written("count(Watch.offer) < 3").contains(limited), "{}", written("count(Watch.offer) < 3"));
        assert!(!written("count(Watch.offer) < quantity").contains("LIMIT"));
        assert!(!written("any(Watch.offer)").contains("LIMIT"), "EXISTS stops at the first");
    }
}

/// What refers to the caller tells which entities are meant: it is read once, where no null is among the references.
#[test]
fn what_refers_to_the_caller_is_read_once() {
    struct Me;
    impl Facts for Me {
        fn caller(&self) -> Option<Option<Uuid>> {
            Some(Some(Uuid::from_u128(2)))
        }
    }
    let service = market();
    let tables = service.resources.iter().map(|it| (it.name.clone(), Table::of(&service, it))).collect();
    let target = sql::SqlTarget { dialect: Dialect::Sqlite, tables: &tables, resource: "Offer", alias: "t" };
    for (text, expected) in [
        (
            "caller.any(Watch.user, offer == outer)",
            "(t.\"id\" IN (SELECT t_r1.\"offer_id\" FROM \"watches\" t_r1 WHERE t_r1.\"user_id\" = ?))",
        ),
        (
            "caller.any(User.employer, this == outer.seller && kind == \"X\")",
            "(t.\"seller_id\" IN (SELECT t_r1.\"id\" FROM \"users\" t_r1 WHERE t_r1.\"employer_id\" = ? AND \
             (t_r1.\"kind\" = ?)))",
        ),
        // null equals null
        (
            "caller.any(Watch.user, user == outer.seller)",
            "EXISTS (SELECT 1 FROM \"watches\" t_r1 WHERE t_r1.\"user_id\" = ? AND \
             (t_r1.\"user_id\" IS t.\"seller_id\"))",
        ),
        (
            "seller.any(Watch.user, offer == outer)",
            "EXISTS (SELECT 1 FROM \"watches\" t_r1 WHERE t_r1.\"user_id\" = t.\"seller_id\" AND \
             (t_r1.\"offer_id\" IS t.\"id\"))",
        ),
    ] {
        let reduced = reduce(&on_offer(text).unwrap(), &Me);
        assert_eq!(sql::predicate(&reduced, target).unwrap().text, expected, "{text}");
    }
    let target = sql::SqlTarget { dialect: Dialect::Postgres, ..target };
    let ids = "SELECT t_r1.\"offer_id\" FROM \"watches\" t_r1 WHERE t_r1.\"user_id\" = CAST(? AS uuid)";
    for (text, expected) in [
        ("caller.any(Watch.user, offer == outer)", format!("(t.\"id\" = ANY (ARRAY({ids})))")),
        ("!caller.any(Watch.user, offer == outer)", format!("(NOT (COALESCE((t.\"id\" IN ({ids})), false)))")),
    ] {
        let reduced = reduce(&on_offer(text).unwrap(), &Me);
        assert_eq!(sql::predicate(&reduced, target).unwrap().text, expected, "{text}");
    }
}

#[test]
fn a_condition_that_never_holds_counts_nothing() {
    assert_eq!(counted("count(Watch.offer, caller == null) == 0", 50), (vec![], Some(true)));
}
