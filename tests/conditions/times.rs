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

const STAY: &str = "
resource: Stay
operations: { create: { access: anyone }, get: {}, list: {} }
rules:
  - { check: 'days(arrivalDate, departureDate) >= 1', code: NoNight, path: departureDate }
fields:
  name: { type: string, required: true }
  arrivalDate: { type: date, required: true }
  departureDate: { type: date, required: true }
  startingAt: { type: timestamp, required: true }
  endingAt: { type: timestamp, required: true }
  price: { type: price, required: true }
  ratio: { type: number, required: true }
  length: { type: duration, is: 'departureDate - arrivalDate' }
  period: { type: duration, is: 'endingAt - startingAt' }
  pause: { type: duration, is: 'startingAt - endingAt' }
  isLong: { type: boolean, is: 'endingAt - startingAt > duration(\"P1D\")' }
  localDate: { type: date, is: 'today(\"Pacific/Auckland\")' }
  dayCount: { type: integer, is: 'days(today(\"Europe/Warsaw\"), arrivalDate)' }
  tax: { type: price, is: 'price * 0.075' }
  share: { type: price, is: 'ratio * price' }
  label: { type: string, is: 'name + \"/\" + price.currency' }
";

/// Entities that are created while the clock goes on.
const LOTS: usize = 60;

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    defaults_are_of_the_time_of_creation(server);
    conditions_of_the_clock_are_those_of_the_entity_now(server);
    fields_are_computed_from_times_prices_and_texts(server);
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

/// What SQL computes of an entity is what rules in memory read of it, also of today.
fn fields_are_computed_from_times_prices_and_texts(server: Option<&Server>) {
    let clock = TestClock::at("2027-02-28T22:30:00.000Z".parse().expect("a time"));
    let store = OwnStore::new(server);
    let service = Builder::interpreted(Interpreted::of(model(&[SERVICE, STAY])));
    let running = store.setup(service).clock(&clock).start();
    let client = running.client();
    let stay = |departure: &str| {
        json!({
            "name": "Ann", "arrivalDate": "2027-03-02", "departureDate": departure, "ratio": 0.15,
            "startingAt": "2027-03-02T14:00:00.000Z", "endingAt": "2027-03-04T10:00:00.500Z",
            "price": { "amount": "0.10", "currency": "EUR" },
        })
    };
    let refused = client.post("/stays", stay("2027-03-02")).is(422);
    assert_eq!(refused.json["errors"][0]["code"], "NoNight");
    let path = format!("/stays/{}", made(&client, "/stays", &stay("2027-03-04")));
    let price = |amount: &str| json!({ "amount": amount, "currency": "EUR" });
    let listed = client.get("/stays").is(200).json["stays"][0].clone();
    for found in [client.get(&path).is(200).json, listed] {
        for (field, expected) in [
            ("length", json!("P2D")),
            ("period", json!("PT158400.5S")),
            ("pause", Value::Null),
            ("isLong", json!(true)),
            ("localDate", json!("2027-03-01")),
            ("dayCount", json!(2)),
            ("tax", price("0.01")),
            ("share", price("0.02")),
            ("label", json!("Ann/EUR")),
        ] {
            assert_eq!(found[field], expected, "{field}");
        }
    }
    // midnight in Warsaw
    clock.advance(Duration::from_secs(60 * 60));
    assert_eq!(client.get(&path).is(200).json["dayCount"], 1);
}
