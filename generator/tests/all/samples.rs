//! `restwell serve --sample`, where rules and lifecycles decide which entities there can be.

use super::serve::{Served, TOLD, postgres, write};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// The paths of the collections of `tests/samples/booking`.
const BOOKING_PATHS: [&str; 14] = [
    "staff",
    "guests",
    "properties",
    "rooms",
    "rates",
    "bookings",
    "payments",
    "invoices",
    "reviews",
    "shifts",
    "amenities",
    "housekeeping-tasks",
    "discounts",
    "extras",
];

/// A folder with a service with rules across references, lifecycles, unique combinations and fields that a condition
/// requires.
fn booking() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples/booking/schemas");
    for entry in fs::read_dir(schemas).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        write(dir.path(), &format!("schemas/{name}"), &fs::read_to_string(&path).unwrap());
    }
    dir
}

/// A sample of this number of entities keeps rules and goes through lifecycles.
fn has_whole_sample(dir: &Path, each: usize, database: &str) -> Served {
    let served = Served::start(dir, &["--sample", &each.to_string(), "--database", database]);
    for path in BOOKING_PATHS {
        // the only member of the staff is not a clerk
        let expected = if each == 1 && path == "housekeeping-tasks" { 0 } else { each };
        assert_eq!(served.get(&format!("/{path}?limit=100"))["count"], expected, "{path} of {each}");
    }
    served
}

#[test]
fn a_sample_of_one_entity_has_what_later_states_need() {
    let dir = booking();
    let served = has_whole_sample(dir.path(), 1, "sqlite::memory:");
    assert_eq!(served.get("/bookings")["bookings"][0]["status"], "COMPLETED");
    let reviews = served.get("/reviews");
    assert_eq!(reviews["reviews"][0]["booking"]["id"], served.get("/bookings")["bookings"][0]["id"]);
}

#[test]
fn a_sample_keeps_rules_and_goes_through_lifecycles() {
    let dir = booking();
    let unmet = "resource: Paradox\noperations: { list: { access: anyone } }\nrules:\n  - { check: 'level > level', code: Unmet, path: level }\n\
                 fields:\n  level: { type: integer, required: true }\n";
    write(dir.path(), "schemas/paradox.yaml", unmet);
    let served = has_whole_sample(dir.path(), 12, "sqlite::memory:");
    let bookings = served.get("/bookings?limit=100");
    let states: BTreeSet<_> =
        bookings["bookings"].as_array().unwrap().iter().map(|it| it["status"].to_string()).collect();
    assert!(states.len() > 2, "{states:?}");
    let told = fs::read_to_string(dir.path().join(TOLD)).unwrap();
    let reports: Vec<_> = told.lines().filter(|line| line.contains("the sample data is not complete")).collect();
    assert_eq!(reports.len(), 1, "{told}");
    assert!(reports[0].contains("paradoxes       0      12  Unmet at level"), "{reports:?}");
}

/// An order whose rules are equations between its own fields: of decimals, times, prices, and of one kind alone.
const ORDERS: &str = "resource: Order
operations: { list: { access: anyone } }
rules:
  - { check: 'total == net + tax', code: WrongTotal, path: total }
  - { check: 'startingAt + duration(\"PT1H\") == endingAt && due == placedOn + duration(\"P14D\")', code: WrongEnd, path: endingAt }
  - { check: 'paid.amount == cost.amount && paid.currency == cost.currency', code: NotPaid, path: paid }
  - { check: 'kind == \"FREE\" ? score == 0 : score == size * 10', code: WrongPoints, path: score }
fields:
  net: { type: decimal, scale: 2, minimum: 1, maximum: 500, required: true }
  tax: { type: decimal, scale: 2, minimum: 0, maximum: 500, required: true }
  total: { type: decimal, scale: 2, minimum: 0, maximum: 600, required: true }
  startingAt: { type: timestamp, required: true }
  endingAt: { type: timestamp, required: true }
  placedOn: { type: date, required: true }
  due: { type: date, required: true }
  cost: { type: price, required: true }
  paid: { type: price, required: true }
  kind: { type: enum, values: [FREE, PAID], required: true }
  size: { type: integer, minimum: 1, maximum: 50, required: true }
  score: { type: integer, minimum: 0, maximum: 1000, required: true }
";

/// Stays whose transitions hold only for some days of three years, and reviews of stays in a later state.
const STAYS: &str = "resource: Stay
operations: { list: { access: anyone } }
commands:
  check-in: { access: anyone }
  check-out: { access: anyone }
  cancel: { access: anyone }
lifecycle:
  field: state
  initial: BOOKED
  final: [CHECKED_OUT, CANCELLED]
  transitions:
    check-in: { from: BOOKED, to: CHECKED_IN, when: 'firstNight <= today(\"UTC\") && firstNight > today(\"UTC\") - duration(\"P3D\")' }
    check-out: { from: CHECKED_IN, to: CHECKED_OUT, when: 'lastNight < today(\"UTC\") && lastNight > today(\"UTC\") - duration(\"P3D\")' }
    cancel: { from: BOOKED, to: CANCELLED, when: 'firstNight > today(\"UTC\") + duration(\"P1D\") && firstNight < today(\"UTC\") + duration(\"P8D\")' }
rules:
  - { check: 'lastNight >= firstNight', code: EndsBeforeItBegins, path: lastNight }
fields:
  state: { type: enum, values: [BOOKED, CHECKED_IN, CHECKED_OUT, CANCELLED], readOnly: true, filter: true }
  firstNight: { type: date, required: true }
  lastNight: { type: date, required: true }
---
resource: Review
operations: { list: { access: anyone } }
rules:
  - { check: 'stay.state == \"CHECKED_OUT\"', code: StayNotOver, path: stay }
fields:
  stay: { type: ref, to: Stay, required: true }
";

/// Orders that are accepted once they are paid, parcels of those that are, and a state that comes with time.
const PAID_ORDERS: &str = "resource: Order
operations: { list: { access: anyone } }
commands:
  accept: { access: anyone }
  send: { access: anyone }
lifecycle:
  field: state
  initial: OPEN
  final: [SENT, LAPSED]
  transitions:
    accept: { from: OPEN, to: ACCEPTED, when: 'any(Payment.order, state == \"CAPTURED\")' }
    send: { from: ACCEPTED, to: SENT }
    lapse: { from: OPEN, to: LAPSED, at: heldUntil }
fields:
  state: { type: enum, values: [OPEN, ACCEPTED, SENT, LAPSED], readOnly: true, filter: true }
  heldUntil: { type: timestamp, readOnly: true, default: { is: 'now + duration(\"P3D\")' } }
---
resource: Parcel
operations: { list: { access: anyone } }
rules:
  - { check: 'order.state == \"ACCEPTED\" || order.state == \"SENT\"', code: NotAccepted, path: order }
fields:
  order: { type: ref, to: Order, required: true }
---
resource: Payment
operations: { list: { access: anyone } }
commands:
  capture: { access: anyone }
lifecycle:
  field: state
  initial: NEW
  final: [CAPTURED]
  transitions:
    capture: { from: NEW, to: CAPTURED }
fields:
  state: { type: enum, values: [NEW, CAPTURED], readOnly: true, filter: true }
  order: { type: ref, to: Order, required: true }
";

#[test]
fn a_sample_goes_on_once_others_have_what_a_transition_asks_for() {
    let (dir, served) = with_sample(PAID_ORDERS, "20", "sqlite::memory:");
    let told = fs::read_to_string(dir.path().join(TOLD)).unwrap();
    let count = |state: &str| served.get(&format!("/orders?state={state}"))["count"].as_u64().unwrap();
    assert!(count("ACCEPTED") > 1 && count("SENT") > 1 && count("OPEN") > 1, "{told}");
    assert_eq!(count("LAPSED"), 0, "its time has not come");
    assert_eq!(served.get("/parcels")["count"], 20, "{told}");
}

#[test]
fn a_sample_names_the_transitions_that_were_not_possible() {
    let schemas = PAID_ORDERS
        .replace("capture: { from: NEW, to: CAPTURED }", "capture: { from: NEW, to: CAPTURED, when: '1 > 2' }");
    let (dir, served) = with_sample(&schemas, "5", "sqlite::memory:");
    assert_eq!(served.get("/parcels")["count"], 0);
    let told = fs::read_to_string(dir.path().join(TOLD)).unwrap();
    let report = told.lines().find(|line| line.contains("the sample data is not complete")).unwrap();
    assert!(report.contains("NotAccepted at order"), "{report}");
    let never = "transitions that no entity could make: `accept` of orders, `send` of orders, `capture` of payments";
    assert!(report.contains(never), "{report}");
}

/// Lamps whose lifecycle goes in a circle, and what no entity can be, whatever state they are in.
const LAMPS: &str = "resource: Lamp
operations: { list: { access: anyone } }
commands:
  light: { access: anyone }
  dim: { access: anyone }
lifecycle:
  field: state
  initial: DARK
  transitions:
    light: { from: DARK, to: LIT }
    dim: { from: LIT, to: DARK }
fields:
  state: { type: enum, values: [DARK, LIT], readOnly: true }
---
resource: Shade
operations: { list: { access: anyone } }
rules:
  - { check: 'lamp.state == \"LIT\" && level > level', code: Unmet, path: level }
fields:
  lamp: { type: ref, to: Lamp, required: true }
  level: { type: integer, required: true }
";

#[test]
fn a_search_ends_where_states_go_in_a_circle() {
    let (_dir, served) = with_sample(LAMPS, "4", "sqlite::memory:");
    assert_eq!(served.get("/lamps")["count"], 4);
    assert_eq!(served.get("/shades")["count"], 0);
}

/// A service with a sample, in its folder.
fn with_sample(schemas: &str, sample: &str, database: &str) -> (TempDir, Served) {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "schemas/service.yaml", "service: shop\n");
    for (number, schema) in schemas.split("---\n").enumerate() {
        write(dir.path(), &format!("schemas/resource-{number}.yaml"), schema);
    }
    let served = Served::start(dir.path(), &["--sample", sample, "--database", database]);
    (dir, served)
}

#[test]
fn a_sample_is_spread_over_the_states_that_conditions_let_it_reach() {
    let (dir, served) = with_sample(STAYS, "12", "sqlite::memory:");
    for state in ["BOOKED", "CHECKED_IN", "CHECKED_OUT", "CANCELLED"] {
        assert_eq!(served.get(&format!("/stays?state={state}"))["count"], 3, "{state}");
    }
    assert_eq!(served.get("/reviews")["count"], 12, "{}", fs::read_to_string(dir.path().join(TOLD)).unwrap());
}

#[test]
fn a_sample_solves_equations() {
    let (dir, served) = with_sample(ORDERS, "20", "sqlite::memory:");
    let orders = served.get("/orders?limit=100");
    assert_eq!(orders["count"], 20, "{}", fs::read_to_string(dir.path().join(TOLD)).unwrap());
    let kinds: BTreeSet<_> = orders["orders"].as_array().unwrap().iter().map(|it| it["kind"].to_string()).collect();
    assert_eq!(kinds.len(), 2, "{kinds:?}");
}

/// A search that takes long says how far it is.
#[test]
fn a_long_search_tells_of_its_progress() {
    let (dir, served) = with_sample(ORDERS, "2000", "sqlite://orders.db");
    assert_eq!(served.get("/orders?limit=1")["count"], 2000);
    let told = fs::read_to_string(dir.path().join(TOLD)).unwrap();
    let of_orders = |line: &&str| line.contains("sample data: ") && line.contains(" of 2000 orders");
    assert!(told.lines().any(|line| of_orders(&line)), "{told}");
}

/// The entities of each collection, without what differs from run to run: ids, which are numbered, and times.
fn comparable(served: &Served) -> Vec<Value> {
    let mut ids = HashMap::new();
    let lists = BOOKING_PATHS.iter().map(|path| {
        let mut list = served.get(&format!("/{path}?limit=100"));
        number_ids(&mut list, &mut ids);
        list
    });
    lists.collect()
}

fn number_ids(value: &mut Value, ids: &mut HashMap<String, usize>) {
    match value {
        Value::String(text) if text.len() == 36 && text.matches('-').count() == 4 => {
            let next = ids.len();
            *value = Value::from(*ids.entry(text.clone()).or_insert(next));
        }
        // what follows from the time at which it is made
        Value::String(text) if text.ends_with('Z') && text.contains('T') => *value = Value::from("a time"),
        Value::Array(items) => items.iter_mut().for_each(|item| number_ids(item, ids)),
        Value::Object(members) => members.values_mut().for_each(|member| number_ids(member, ids)),
        _ => {}
    }
}

#[test]
fn a_sample_is_the_same_on_postgres() {
    let dir = booking();
    let Some(server) = postgres(dir.path()) else { return };
    let database = server.database();
    let [of_postgres, of_sqlite] = [database.url(), "sqlite::memory:"].map(|database| {
        let served = has_whole_sample(dir.path(), 12, database);
        comparable(&served)
    });
    for (path, (one, other)) in BOOKING_PATHS.iter().zip(of_postgres.iter().zip(&of_sqlite)) {
        assert_eq!(one, other, "{path}");
    }
}

#[test]
fn a_sample_is_whole_on_postgres_too() {
    let dir = booking();
    let Some(server) = postgres(dir.path()) else { return };
    for each in [1, 12] {
        let database = server.database();
        let served = has_whole_sample(dir.path(), each, database.url());
        let reviews = served.get("/reviews?limit=100");
        let of_completed = |review: &Value| {
            let booking = review["booking"]["id"].as_str().unwrap();
            served.get(&format!("/bookings/{booking}"))["status"] == "COMPLETED"
        };
        assert!(reviews["reviews"].as_array().unwrap().iter().all(of_completed), "{reviews}");
    }
}
