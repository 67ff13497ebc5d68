//! What is logged, and what never is.

use restwell_testkit::http::Request;
use restwell_testkit::market;
use restwell_testkit::process::{DATABASE, LISTEN, Service, folder, token};
use serde_json::{Value, json};

#[test]
fn a_log_that_no_terminal_reads_is_json() {
    let folder = folder();
    let service = Service::start(folder.path());
    service.get("/offers").is(200);
    let log = service.stop();
    assert!(log.len() > 2, "{log:?}");
    for line in &log {
        let entry: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        for key in ["timestamp", "level", "message"] {
            assert!(entry[key].is_string(), "`{key}`: {line}");
        }
    }
}

#[test]
fn a_request_is_found_by_its_trace_id() {
    let folder = folder();
    let service = Service::start_with(folder.path(), &[LISTEN, DATABASE, "--log", "debug"]);
    let reply = service.get("/nowhere").is(404);
    let trace_id = reply.header("trace-id").expect("a trace id").to_owned();
    let log = service.stop();
    assert!(log.iter().any(|line| line.contains(&trace_id)), "{log:#?}");
}

#[test]
fn lines_of_the_access_log_have_its_target() {
    let folder = folder();
    let service = Service::start_with(folder.path(), &[LISTEN, DATABASE, "--access-log"]);
    let reply = service.get("/users").is(200);
    let trace_id = reply.header("trace-id").expect("a trace id").to_owned();
    let log: Vec<serde_json::Value> =
        service.stop().iter().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let line = log.iter().find(|line| line["trace_id"] == trace_id.as_str()).unwrap_or_else(|| panic!("{log:#?}"));
    assert_eq!((&line["target"], &line["path"], &line["status"]), (&json!("access"), &json!("/users"), &json!(200)));
    assert!(log.iter().filter(|line| line["target"] == "access").count() < log.len());
}

#[test]
fn secrets_are_not_logged_however_much_is() {
    const PASSWORD: &str = "correct-horse-battery-staple";
    let folder = folder();
    let service = Service::start_with(folder.path(), &[LISTEN, DATABASE, "--log", "trace"]);
    let address = service.address();
    let body = json!({ "name": "reader", "email": "reader@example.com", "password": PASSWORD });
    let user = service.send(&Request::post("/users", &body)).is(201);
    assert!(!user.text().contains(PASSWORD), "nor is it shown");
    // the same password in requests that fail: too long a name, text that does not parse
    let invalid = json!({ "name": "x".repeat(99), "email": "no", "password": PASSWORD, PASSWORD: 1 });
    service.send(&Request::post("/users", &invalid)).is(422);
    let cut = Request::post("/users", &json!(null)).body(format!("{{\"password\":\"{PASSWORD}\"").as_bytes());
    service.send(&cut).is(400);
    let id = user.id();
    let (good, bad) = (service.token(&id, "offers.admin"), "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2lnbmF0dXJl");
    market::user(address, "other");
    service.send(&Request::new("GET", "/sale/offers").bearer(&good)).is(200);
    service.send(&Request::new("GET", "/sale/offers").bearer(bad)).is(401);

    let key = std::fs::read_to_string(folder.path().join("marketplace.development-key")).expect("the key");
    let log = service.stop();
    assert!(log.iter().any(|line| line.contains("\"DEBUG\"")), "requests are logged: {log:#?}");
    for secret in [PASSWORD, &good, bad, key.trim()] {
        assert!(!log.iter().any(|line| line.contains(secret)), "{secret} was logged");
    }
}

/// It is the first line that the request writes: nothing that looks at the log before may swallow it.
#[test]
fn the_reason_of_a_401_is_logged_without_the_token() {
    let (here, elsewhere) = (folder(), folder());
    let service = Service::start(here.path());
    let foreign = token(elsewhere.path(), "019e7045-7260-726b-b2a7-4de452e6b438", "", "PT1H");
    let reply = service.send(&Request::new("GET", "/offers").bearer(&foreign)).is(401);
    let trace_id = reply.header("trace-id").expect("a trace id").to_owned();
    let log = service.stop();
    let line = log.iter().find(|line| line.contains(&trace_id)).unwrap_or_else(|| panic!("{log:#?}"));
    assert!(line.contains("not signed with the development key"), "{line}");
    let parts = foreign.split('.').chain([foreign.as_str()]);
    assert!(parts.into_iter().all(|part| log.iter().all(|line| !line.contains(part))), "{log:#?}");
}
