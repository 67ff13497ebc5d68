//! What the clock costs a service whose entities wait for their time: it reads those that are due, not all of a state.

use crate::access::model;
use libtest_mimic::Failed;
use restwell::testing::Setup;
use restwell::{Builder, Interpreted};
use restwell_testkit::http::Request;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::thread;
use std::time::Duration;
use uuid::Uuid;

const SERVICE: &str = "
service: market
";

const LOT: &str = "
resource: Lot
operations: { list: {} }
lifecycle:
  field: status
  initial: OPEN
  final: [CLOSED]
  transitions:
    close: { from: OPEN, to: CLOSED, at: endingAt }
fields:
  status: { type: enum, values: [OPEN, CLOSED], readOnly: true, filter: true }
  endingAt: { type: timestamp }
";

/// Lots that are open and end in the far future, or never.
const LOTS: u128 = 4_000;
/// How long the clock is left alone: it asks a few times.
const WHILE: Duration = Duration::from_secs(2);
/// Steps of SQLite that it may take meanwhile. To read all lots takes twice as many, each time.
const STEPS: f64 = 20_000.0;

pub(crate) fn run() -> Result<(), Failed> {
    let lots = (0..LOTS).map(|number| {
        let time = (number % 2 == 0).then_some("2999-01-01T00:00:00.000Z");
        json!({ "resource": "lots", "id": Uuid::from_u128(number + 1), "body": { "endingAt": time } })
    });
    let data = Value::from(lots.collect::<Vec<_>>()).to_string();
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let service = Builder::interpreted(Interpreted::of(model(&[SERVICE, LOT])));
    let running = Setup::of(service).file(&folder.path().join("test.db")).data(&data).start();
    let before = steps(running.address());
    thread::sleep(WHILE);
    let taken = steps(running.address()) - before;
    if taken > STEPS { Err(format!("{taken} steps in {WHILE:?} without a request").into()) } else { Ok(()) }
}

/// The steps of all reads so far.
fn steps(at: SocketAddr) -> f64 {
    let page = Request::new("GET", "/metrics").send(at).is(200).text();
    let line = page.lines().find_map(|line| line.strip_prefix("restwell_store_steps_total")?.rsplit(' ').next());
    line.and_then(|number| number.parse().ok()).expect("a counter of steps")
}
