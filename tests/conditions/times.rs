//! The time of a write is one, and the clock makes a transition once both its time has come and its condition holds.

use crate::access::{model, serve};
use crate::market::made;
use crate::stores::OwnStore;
use libtest_mimic::Failed;
use restwell::testing::TestClock;
use restwell::{Builder, Interpreted};
use restwell_testkit::postgres::Server;
use serde_json::{Value, json};
use std::time::Duration;

const SERVICE: &str = "
service: market
";

const LOT: &str = "
resource: Lot
operations: { create: { access: anyone }, get: {}, update: { access: anyone } }
rules:
  - { check: 'listedAt == null || listedAt >= now || old != null', code: ListedBefore, path: listedAt }
lifecycle:
  field: status
  initial: OPEN
  final: [SOLD, CLOSED]
  transitions:
    sell: { from: OPEN, to: SOLD, at: endingAt, when: 'count(Bid.lot) > 0 && isHeld != true' }
    close: { from: OPEN, to: CLOSED, at: closingAt, when: isHeld != true }
fields:
  status: { type: enum, values: [OPEN, SOLD, CLOSED], readOnly: true, filter: true }
  isHeld: { type: boolean }
  endingAt: { type: timestamp }
  closingAt: { type: timestamp }
  listedAt: { type: timestamp, default: { is: now } }
";

const BID: &str = "
resource: Bid
operations: { create: { access: anyone } }
fields:
  lot: { type: ref, to: Lot, required: true }
";

/// Entities that are created while the clock goes on.
const LOTS: usize = 60;

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    defaults_are_of_the_time_of_creation(server);
    conditions_of_the_clock_are_those_of_the_entity_now(server);
    Ok(())
}

/// What a default has from `now` is the time that rules and `createdAt` have.
fn defaults_are_of_the_time_of_creation(server: Option<&Server>) {
    let api = serve(&[SERVICE, LOT, BID], server);
    let client = api.client();
    for _ in 0..LOTS {
        let lot: Value = client.post("/lots", json!({})).is(201).read();
        assert_eq!(lot["listedAt"], lot["createdAt"]);
    }
}

fn conditions_of_the_clock_are_those_of_the_entity_now(server: Option<&Server>) {
    let clock = TestClock::at("2027-03-01T12:00:00.000Z".parse().expect("a time"));
    let store = OwnStore::new(server);
    let service = Builder::interpreted(Interpreted::of(model(&[SERVICE, LOT, BID])));
    let running = store.setup(service).clock(&clock).start();
    let client = running.client();
    let lot = |body: Value| format!("/lots/{}", made(&client, "/lots", &body));
    let (one, other) = ("2027-03-01T13:00:00.000Z", "2027-03-01T15:00:00.000Z");
    let bidden = lot(json!({ "endingAt": one, "closingAt": other }));
    let alone = lot(json!({ "endingAt": one, "closingAt": other }));
    let held = lot(json!({ "endingAt": one, "closingAt": one, "isHeld": true }));
    let late = lot(json!({ "endingAt": one }));
    let bid = |lot: &str| made(&client, "/bids", &json!({ "lot": { "id": lot.trim_start_matches("/lots/") } }));
    bid(&bidden);
    let status = |path: &str, status: &str| client.get_until(path, |lot| lot["status"] == status);
    let hours = |hours: u64| clock.advance(Duration::from_secs(hours * 60 * 60));
    hours(2);
    status(&bidden, "SOLD");
    for open in [&alone, &held, &late] {
        assert_eq!(client.get(open).is(200).json["status"], "OPEN", "{open}");
    }
    // at its own time a transition is made, whatever another one waits for
    hours(2);
    status(&alone, "CLOSED");
    // and what waited for its condition is made when that holds: by another entity, and by its own change
    bid(&late);
    status(&late, "SOLD");
    assert_eq!(client.get(&held).is(200).json["status"], "OPEN");
    client.put(&held, json!({ "endingAt": one, "closingAt": one, "isHeld": false })).is(200);
    status(&held, "CLOSED");
}
