//! A walk through a whole collection by `id.gt`, while others create, change and delete (decisions, "Filters").
//!
//! A night has many more entities.

use restwell::testing::{Running, Setup};
use restwell_testkit::effort::at_night;
use restwell_testkit::postgres::{self, Database};
use restwell_testkit::wire::{PUBLIC, Wire};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

/// Entities, and those of a night.
const ENTITIES: (usize, usize) = (3_000, 100_000);
/// Entities on a page.
const PAGE: usize = 100;
/// Clients that make the entities.
const MAKERS: usize = 4;
/// One entity in so many is deleted during the walk, another one changed.
const TOUCHED: usize = 5;

#[test]
fn a_walk_by_id_meets_each_entity_once_while_others_write() {
    let database = postgres::chosen();
    let setup = Setup::of(restwell_tests::generated_service());
    let running = match &database {
        Some(database) => setup.database(database.url()),
        None => setup,
    }
    .start();
    let ids = made(&running, at_night(ENTITIES));
    let is_over = AtomicBool::new(false);
    let (walked, created) = thread::scope(|scope| {
        let writers = [
            scope.spawn(|| create(&running, &is_over)),
            scope.spawn(|| touch(&running, &ids, 1, &is_over, &delete)),
            scope.spawn(|| touch(&running, &ids, 2, &is_over, &replace)),
        ];
        let walked = walk(&running);
        is_over.store(true, Ordering::Relaxed);
        let done: Vec<_> = writers.into_iter().map(|writer| writer.join().expect("the writer succeeds")).collect();
        assert!(done.iter().all(|ids| !ids.is_empty()), "each writer wrote during the walk");
        (walked, done.into_iter().next().unwrap_or_default())
    });
    assert!(walked.windows(2).all(|pair| pair[0] < pair[1]), "ascending, so none comes twice");
    let seen: HashSet<_> = walked.iter().collect();
    let stayed = ids.iter().enumerate().filter(|(index, _)| index % TOUCHED != 1);
    let missed: Vec<_> = stayed.filter(|(_, id)| !seen.contains(id)).collect();
    assert!(missed.is_empty(), "{} of {} were missed, the first is {:?}", missed.len(), ids.len(), missed[0]);
    let known: HashSet<_> = ids.iter().chain(&created).collect();
    assert_eq!(walked.iter().find(|id| !known.contains(id)), None, "only what somebody created");
    drop(running);
    if let Some(database) = &database {
        assert_walks_the_primary_key(database, &ids[ids.len() / 2]);
    }
}

/// The ids of this number of new keepers, in ascending order.
fn made(running: &Running, count: usize) -> Vec<String> {
    let make = |maker: usize| {
        let mut wire = Wire::to(running.address());
        (maker..count).step_by(MAKERS).map(|_| create_one(&mut wire)).collect::<Vec<_>>()
    };
    let mut ids: Vec<_> = thread::scope(|scope| {
        let makers: Vec<_> = (0..MAKERS).map(|maker| scope.spawn(move || make(maker))).collect();
        makers.into_iter().flat_map(|maker| maker.join().expect("keepers are made")).collect()
    });
    ids.sort_unstable();
    ids
}

fn create_one(wire: &mut Wire) -> String {
    let reply = wire.send("POST", b"/keepers", PUBLIC, None, Some(&json!({ "name": "Ida" })));
    assert_eq!(reply.status, 201, "{}", reply.body);
    text(&reply.json()["id"])
}

/// Creates until the walk is over.
fn create(running: &Running, is_over: &AtomicBool) -> Vec<String> {
    let mut wire = Wire::to(running.address());
    std::iter::from_fn(|| (!is_over.load(Ordering::Relaxed)).then(|| create_one(&mut wire))).collect()
}

/// Does something to one entity in [`TOUCHED`], spread over the collection, until the walk is over; the ids of these.
fn touch(
    running: &Running,
    ids: &[String],
    rest: usize,
    is_over: &AtomicBool,
    change: &(dyn Fn(&mut Wire, &str) + Sync),
) -> Vec<String> {
    let mut wire = Wire::to(running.address());
    let (front, back) = ids.split_at(ids.len() / 2 / TOUCHED * TOUCHED);
    let of = |half: &'_ [String]| half.iter().skip(rest).step_by(TOUCHED).cloned().collect::<Vec<_>>();
    // from the middle: what the walk has passed, and what it has yet to come to
    let spread = of(back).into_iter().zip(of(front)).flat_map(|(one, other)| [one, other]);
    let until_over = spread.take_while(|_| !is_over.load(Ordering::Relaxed));
    until_over.inspect(|id| change(&mut wire, id)).collect()
}

fn delete(wire: &mut Wire, id: &str) {
    let reply = wire.send("DELETE", format!("/keepers/{id}").as_bytes(), PUBLIC, None, None);
    assert_eq!(reply.status, 204, "{}", reply.body);
}

fn replace(wire: &mut Wire, id: &str) {
    let reply = wire.send("PUT", format!("/keepers/{id}").as_bytes(), PUBLIC, None, Some(&json!({ "name": "Jan" })));
    assert_eq!(reply.status, 200, "{}", reply.body);
}

/// All pages, each after the last id of the one before. No page has an offset.
fn walk(running: &Running) -> Vec<String> {
    let mut wire = Wire::to(running.address());
    let (mut walked, begun): (Vec<String>, _) = (Vec::new(), Instant::now());
    loop {
        let after = walked.last().map(|id| format!("&id.gt={id}")).unwrap_or_default();
        let target = format!("/keepers?sort=id&limit={PAGE}{after}");
        let reply = wire.send("GET", target.as_bytes(), PUBLIC, None, None);
        assert_eq!(reply.status, 200, "{}", reply.body);
        let page = reply.json()["keepers"].as_array().cloned().unwrap_or_default();
        walked.extend(page.iter().map(|keeper| text(&keeper["id"])));
        if page.len() < PAGE {
            println!("{} entities in {:.1?}", walked.len(), begun.elapsed());
            return walked;
        }
    }
}

fn text(id: &Value) -> String {
    id.as_str().expect("an id").to_owned()
}

/// A page reads its own rows along the primary key and sorts nothing: a walk costs what it shows. (SQLite's plans are
/// asserted beside its store.)
fn assert_walks_the_primary_key(database: &Database, id: &str) {
    database.run("ANALYZE keepers");
    let sql = format!("EXPLAIN SELECT t.* FROM keepers t WHERE t.id > '{id}' ORDER BY t.id LIMIT {PAGE}");
    let plan = database.texts(&sql).join("\n");
    assert!(plan.contains("Index Scan using \"keepers.pk\""), "{plan}");
    assert!(!plan.contains("Sort"), "{plan}");
}
