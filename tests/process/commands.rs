//! Commands of the whole program: sent by many at once, done once.

use restwell_testkit::http::{Connection, Request};
use restwell_testkit::market;
use restwell_testkit::process::{Service, folder};
use serde_json::json;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};
use uuid::Uuid;

const CLIENTS: usize = 32;
/// No command takes so long.
const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn a_command_that_many_send_at_once_is_done_once() {
    let folder = folder();
    let service = Service::start(folder.path());
    let user = market::user(service.address(), "somebody");
    let token = service.token(&user, "");
    let mut body = market::offer(&user, "Bicycle");
    body["stock"] = 10.into();
    let offer = service.send(&market::sell(&body)).is(201).id();
    let price = json!({ "amount": "12.50", "currency": "PLN" });
    let body = json!({ "offer": { "id": offer }, "buyer": { "id": user }, "quantity": 3, "totalAmount": price });
    let purchase = service.send(&Request::post("/transactions", &body).bearer(&token)).is(201).id();
    let stock = || service.get(&format!("/offers/{offer}")).is(200).json()["stock"].clone();
    assert_eq!(stock(), 7);

    let id = Uuid::now_v7().to_string();
    let target = format!("/transactions/{purchase}/cancel-commands/{id}");
    let put = Request::new("PUT", &target).json(&json!({ "reason": "CHANGED_MIND" })).bearer(&token);
    let (address, start) = (service.address(), Barrier::new(CLIENTS));
    thread::scope(|scope| {
        let send = || {
            let mut connection = Connection::open(address).expect("the service listens");
            start.wait();
            connection.exchange(&put).expect("an answer").is(201).id()
        };
        let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(send)).collect();
        for client in clients {
            assert_eq!(client.join().expect("a client ends"), id);
        }
    });
    let begun = Instant::now();
    let ended = loop {
        let found = service.send(&put).is(201).json();
        if found["status"] != "RUNNING" {
            break found;
        }
        assert!(begun.elapsed() < PATIENCE, "{found}");
        thread::sleep(Duration::from_millis(5));
    };
    assert_eq!(ended["status"], "SUCCESSFUL", "{ended}");
    assert_eq!(stock(), 10);
    service.stop();
    let told = |status: &str| {
        let data = format!("{{\"id\":\"{id}\",\"status\":\"{status}\"}}");
        folder.count(&format!("SELECT count(*) FROM \"_restwell_events\" WHERE \"data\" = '{data}'"))
    };
    assert_eq!((told("RUNNING"), told("SUCCESSFUL")), (1, 1));
}
