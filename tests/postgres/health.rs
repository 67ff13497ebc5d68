//! Whether the service says that it is ready: not while the server takes no writes.

use crate::moments::{created, get};
use restwell::testing::{Running, Setup};
use restwell_testkit::postgres::{Database, Server};
use restwell_testkit::wire::{PUBLIC, Wire};
use serde_json::json;
use std::thread;
use std::time::{Duration, Instant};

/// Nothing here takes so long.
const PATIENCE: Duration = Duration::from_secs(20);
/// Refuses what is written into a table as a server does whose disk is full.
const FILL_DISK: &str = "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                         RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$";

fn start(database: &Database) -> Running {
    Setup::of(restwell_tests::generated_service()).database(database.url()).start()
}

/// Waits until `/readyz` has this status.
#[track_caller]
fn await_readiness(wire: &mut Wire, status: u16) {
    let begun = Instant::now();
    while get(wire, "/readyz").status != status {
        assert!(begun.elapsed() < PATIENCE, "it is never {status}");
        thread::sleep(Duration::from_millis(50));
    }
}

fn write(wire: &mut Wire, name: &str) -> u16 {
    wire.send("POST", b"/tags", PUBLIC, None, Some(&json!({ "name": name }))).status
}

/// After a write that failed because of a full disk the service is not ready, until a trial write succeeds.
pub(crate) fn a_full_disk_is_not_ready(server: &Server) {
    let database = server.database();
    let running = start(&database);
    let mut wire = Wire::to(running.address());
    await_readiness(&mut wire, 200);
    database.run(FILL_DISK);
    let fill = |table: &str| {
        database.run(&format!("CREATE TRIGGER full_disk BEFORE INSERT ON {table} EXECUTE FUNCTION full_disk()"));
    };
    fill("_restwell");
    fill("tags");
    assert_eq!(write(&mut wire, "amber"), 503);
    await_readiness(&mut wire, 503);
    thread::sleep(Duration::from_millis(1500));
    assert_eq!(get(&mut wire, "/readyz").status, 503, "it is not forgotten");
    assert_eq!(get(&mut wire, "/tags").status, 200, "reads go on");
    database.run("DROP TRIGGER full_disk ON _restwell; DROP TRIGGER full_disk ON tags");
    await_readiness(&mut wire, 200);
    assert_eq!(database.texts("SELECT CAST(count(*) AS text) FROM _restwell WHERE key = 'probe'"), ["0"]);
    created(&mut wire, "/tags", &json!({ "name": "amber" }));
}

/// A server that is set to read only is not ready, also before a write has failed.
pub(crate) fn a_server_that_only_reads_is_not_ready(server: &Server) {
    let database = server.database();
    let running = start(&database);
    let mut wire = Wire::to(running.address());
    await_readiness(&mut wire, 200);
    let name = database.texts("SELECT current_database()").remove(0);
    let session = database.session();
    let set = |to: &str| session.run(&format!("ALTER DATABASE \"{name}\" SET default_transaction_read_only = {to}"));
    set("on");
    database.cut();
    await_readiness(&mut wire, 503);
    assert_eq!(write(&mut wire, "early"), 503);
    let session = database.session();
    session.run("SET default_transaction_read_only = off");
    session.run(&format!("ALTER DATABASE \"{name}\" SET default_transaction_read_only = off"));
    await_readiness(&mut wire, 200);
    created(&mut wire, "/tags", &json!({ "name": "late" }));
}
