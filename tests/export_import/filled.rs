//! A marketplace that has something of everything, and the program's two tasks.

use restwell_testkit::http::Request;
use restwell_testkit::market;
use restwell_testkit::process::{DATABASE, Service, run};
use serde_json::json;
use std::path::Path;
use std::process::Output;
use std::thread;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// No command of these takes so long.
const PATIENCE: Duration = Duration::from_secs(30);
/// Every scope that the schemas speak of.
const SCOPES: &str = "catalogue.write configurations.write contests.admin deliveries.write offers.admin payments.read payments.refund shipments.read transactions.read users.admin";

/// Fills `test.db` of a folder: entities of all kinds, changed and deleted ones, commands that succeeded and failed, a search, and
/// texts that are easily spoilt.
#[track_caller]
pub(crate) fn fill(folder: &Path) {
    let service = Service::start_with(folder, &["--listen=127.0.0.1:0", DATABASE]);
    let user = market::user(service.address(), "somebody");
    let token = service.token(&user, SCOPES);
    let ids = market::one_of_each(service.address(), &user, &token);
    for text in
        ["\"quoted\" \\ back\\slash", "line\nbreak\ttab \u{7f}\u{1}", "Zażółć 🦀 \u{202e}rtl\u{2028}", "' OR 1=1 --"]
    {
        let mut offer = market::offer(&user, text);
        offer["images"] = json!(["https://example.com/one.jpg", "https://example.com/two.jpg"]);
        offer["buyNow"]["amount"] = "9999999.99".into();
        service.send(&market::sell(&offer).bearer(&token)).is(201);
    }
    let offer = service.send(&market::sell(&market::offer(&user, "one that goes"))).is(201).id();
    let path = format!("/offers/{offer}");
    service.send(&market::resell(&path, &market::offer(&user, "one that went")).bearer(&token)).is(200);
    service.send(&Request::new("DELETE", &path).bearer(&token)).is(204);
    let too_much = json!({ "amount": { "amount": "99.00", "currency": "PLN" }, "reason": "More than was paid." });
    for (entity, command, input, status) in [
        (format!("offers/{}", ids["Offer"]), "end", json!({ "reason": "OTHER" }), "SUCCESSFUL"),
        (format!("payments/{}", ids["Payment"]), "refund", too_much, "FAILED"),
    ] {
        let path = format!("/{entity}/{command}-commands/{}", Uuid::now_v7());
        let request = Request::new("PUT", &path).json(&input).bearer(&token);
        let deadline = Instant::now() + PATIENCE;
        while service.send(&request).is(201).json()["status"] != status {
            assert!(Instant::now() < deadline, "the command does not end as {status}");
            thread::sleep(Duration::from_millis(10));
        }
    }
    service.send(&Request::post("/offer-searches", &json!({ "category": ["BOOKS", "SPORT"] }))).is(201);
    service.stop();
    // as if there were a bus, which has the first three events
    let database = rusqlite::Connection::open(folder.join("test.db")).expect("the database opens");
    database.execute("INSERT INTO \"_restwell\" VALUES ('events.published', '3')", []).expect("a row");
}

/// `export` of a database to a file, which must succeed; the file.
#[track_caller]
pub(crate) fn export(folder: &Path, database: &str, file: &str) -> Vec<u8> {
    let done = run(folder, ["export", &format!("--database={database}"), &format!("--out={file}")]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(done.stdout.is_empty());
    std::fs::read(folder.join(file)).expect("the file is there")
}

/// `import` of a file.
pub(crate) fn import(folder: &Path, database: &str, file: &str) -> Output {
    run(folder, ["import", &format!("--database={database}"), &format!("--from={file}")])
}

/// `import` of a file, which must succeed.
#[track_caller]
pub(crate) fn imported(folder: &Path, database: &str, file: &str) -> String {
    let done = import(folder, database, file);
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success() && done.stdout.is_empty(), "{said}");
    said
}
