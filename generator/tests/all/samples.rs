//! `restwell serve --sample`, where rules and lifecycles decide which entities there can be.

use super::serve::{Served, TOLD, postgres, write};
use serde_json::Value;
use std::collections::BTreeSet;
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
