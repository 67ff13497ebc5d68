//! Plans of PostgreSQL grow with the text of a condition, and no faster: nodes are counted, for conditions of more and
//! more terms, and for random ones near the limits of size.
//!
//! A night plans many more random ones, and prints the longest time.

use crate::expressions::Expressions;
use crate::world::{CallerFacts, Random, World, service};
use crate::{PostgresRows, Rows, inlined, well_typed};
use libtest_mimic::Failed;
use restwell_model::condition::sql::{SqlTarget, predicate};
use restwell_model::condition::{Condition, Scope, reduce};
use restwell_model::tables::Dialect;
use restwell_testkit::effort::{at_night, is_night, seed_or};
use restwell_testkit::postgres::Server;
use serde_json::Value as Json;

/// Random conditions that are planned, and those of a night.
const PLANS: (usize, usize) = (200, 5_000);
/// Bytes that one of them has at least.
const LARGE: usize = 1_200;
/// Bytes of SQL for a byte of text, at most. A date that is moved by a field's months is the longest.
const BYTES_FOR_A_BYTE: usize = 250;
/// Nodes of a plan for a byte of text, at most.
const NODES_FOR_A_BYTE: f64 = 0.5;

/// A statement's plan.
struct Plan {
    nodes: usize,
    milliseconds: f64,
    sql: usize,
}

pub(crate) fn run(server: &Server) -> Result<(), Failed> {
    let seed = seed_or(7);
    let (mut random, service) = (Random::new(seed), service());
    let world = World::new(&service, &mut random, 20);
    let rows = PostgresRows::new(server, &world);
    let scope = Scope { service: &service, entity: service.resource("Offer"), old: false };
    let plan = |text: &str, caller: &CallerFacts| -> Result<Option<Plan>, String> {
        let Some(typed) = well_typed(text, Condition::new(text).typed(&scope))? else { return Ok(None) };
        let reduced = reduce(&typed, caller);
        let target = SqlTarget { dialect: Dialect::Postgres, tables: &world.tables, resource: "Offer", alias: "t" };
        let sql = predicate(&reduced, target).ok_or_else(|| format!("not SQL: {text}"))?;
        let condition = inlined(&sql, Dialect::Postgres);
        let explain = "EXPLAIN (FORMAT JSON, SUMMARY)";
        let found =
            rows.texts(&format!("{explain} SELECT CAST(t.\"id\" AS text) FROM \"offers\" t WHERE {condition}"))?;
        let found: Json = serde_json::from_str(&found.concat()).map_err(|error| error.to_string())?;
        let milliseconds = found[0]["Planning Time"].as_f64().ok_or("no planning time")?;
        Ok(Some(Plan { nodes: nodes(&found[0]["Plan"]), milliseconds, sql: condition.len() }))
    };
    let caller = CallerFacts::random(&world, &mut random);
    for (few, more, many) in forms(2).iter().zip(forms(4)).zip(forms(10)).map(|((few, more), many)| (few, more, many)) {
        let found = [few, &more, &many].map(|text| plan(text, &caller));
        let [Some(few), Some(more), Some(most)] = found.map(|plan| plan.ok().flatten()) else {
            return Err(Failed::from(format!("no plan: {many}")));
        };
        // two terms more cost as much each time
        if most.nodes > more.nodes + (more.nodes - few.nodes) * 3 {
            return Err(Failed::from(format!("{many}: {} {} {} nodes", few.nodes, more.nodes, most.nodes)));
        }
    }
    let plans = at_night(PLANS);
    let (mut planned, mut slowest) = (0, (0.0, String::new()));
    while planned < plans {
        let text = Expressions::new(&mut random).boolean(5);
        if text.len() < LARGE {
            continue;
        }
        let caller = CallerFacts::random(&world, &mut random);
        let Some(plan) = plan(&text, &caller).map_err(|error| format!("seed {seed}: {error}"))? else { continue };
        planned += 1;
        if plan.sql > text.len() * BYTES_FOR_A_BYTE || plan.nodes as f64 > text.len() as f64 * NODES_FOR_A_BYTE {
            return Err(Failed::from(format!("seed {seed}: {} bytes of SQL, {} nodes: {text}", plan.sql, plan.nodes)));
        }
        if plan.milliseconds > slowest.0 {
            slowest = (plan.milliseconds, text);
        }
    }
    if is_night() {
        println!("{planned} conditions; the slowest was planned in {} ms: {}", slowest.0, slowest.1);
    }
    Ok(())
}

/// The nodes of a plan, with those of its subplans.
fn nodes(plan: &Json) -> usize {
    1 + plan["Plans"].as_array().into_iter().flatten().map(nodes).sum::<usize>()
}

/// Conditions of a number of terms.
fn forms(terms: usize) -> Vec<String> {
    let chain = |term: &str, operator: &str| vec![term; terms].join(operator);
    let nested =
        |before: &str, inner: &str, after: &str| format!("{}{inner}{}", before.repeat(terms), after.repeat(terms));
    vec![
        format!("{} == 12", chain("quantity", " + ")),
        format!("{} == 12", chain("weight", " * 2 + ")),
        format!("{} > quantity", chain("ratio", " * ")),
        format!("startingAt{} < endingAt", " + duration(\"P1D\")".repeat(terms)),
        format!("startingAt{} < endingAt", " + duration(\"P1M\")".repeat(terms)),
        format!("day{} != day", " + period".repeat(terms)),
        format!("{} == price", chain("price", " + ")),
        format!("{} in [price, shipping, null]", chain("shipping", " - ")),
        format!("{} in [1.5, quantity, null]", chain("ratio", " + ")),
        nested("-(", "quantity", ")") + " == 1",
        nested("-(", "ratio", ")") + " == 1",
        nested("(featured ? price : ", "shipping", ")") + " == price",
    ]
}
