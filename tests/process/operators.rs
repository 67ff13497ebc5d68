//! Operators and commands: `marketplace commands`, beside the service that executes them (decisions, "Commands").

use restwell_testkit::http::Request;
use restwell_testkit::market;
use restwell_testkit::process::{DATABASE, Folder, LISTEN, Service, folder, program, refusal, run};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Output;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// No command takes so long.
const PATIENCE: Duration = Duration::from_secs(60);
/// Commands that are cancelled while they end.
const RACES: usize = 16;

/// The carriers' service: takes every call, and answers once that is allowed.
struct Carriers {
    url: String,
    answers: Arc<AtomicBool>,
}

impl Carriers {
    fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let answers = Arc::new(AtomicBool::new(false));
        let allowed = Arc::clone(&answers);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let allowed = Arc::clone(&allowed);
                thread::spawn(move || answer(stream, &allowed));
            }
        });
        Self { url, answers }
    }

    fn allow(&self, answers: bool) {
        self.answers.store(answers, Ordering::SeqCst);
    }
}

fn answer(mut stream: TcpStream, allowed: &AtomicBool) {
    let mut head = [0; 4096];
    let _ = stream.read(&mut head);
    let begun = Instant::now();
    while !allowed.load(Ordering::SeqCst) {
        if begun.elapsed() > PATIENCE {
            return;
        }
        thread::sleep(Duration::from_millis(2));
    }
    let body = r#"{"deliveryDate":"2099-12-01"}"#;
    let length = body.len();
    // whoever asked may have gone
    let _ = write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
}

/// A marketplace, and somebody who sends parcels.
struct Market {
    folder: Folder,
    service: Service,
    carriers: Carriers,
    token: String,
    user: String,
    offer: String,
}

impl Market {
    fn start() -> Self {
        let (folder, carriers) = (folder(), Carriers::start());
        let mut command = program(folder.path());
        let arguments = [LISTEN.to_owned(), folder.argument()];
        let service = Service::spawn(command.args(arguments).env("CARRIERS_URL", &carriers.url), folder.path());
        let user = market::user(service.address(), "somebody");
        let token = service.token(&user, "deliveries.write");
        let offer = Request::post("/offers", &market::offer(&user, "Bicycle")).bearer(&token);
        let offer = service.send(&offer).is(201).id();
        Self { folder, service, carriers, token, user, offer }
    }

    fn shipment(&self) -> String {
        market::shipment(self.service.address(), &self.user, &self.token, &self.offer)
    }

    /// Sends a parcel; the path of the command, and its id.
    fn dispatch(&self, shipment: &str) -> (String, String) {
        let id = Uuid::now_v7().to_string();
        let path = format!("/shipments/{shipment}/dispatch-commands/{id}");
        let body = json!({ "carrier": "POST", "trackingNumber": "00359007738913296532" });
        self.service.send(&Request::new("PUT", &path).json(&body).bearer(&self.token)).is(201);
        (path, id)
    }

    /// Asks for a parcel that the post office has sent back; the path of the command, and its id.
    fn collect_too_late(&self, shipment: &str) -> (String, String) {
        let delivery = market::parcel_kept_too_long(self.service.address(), &self.user, &self.token, shipment);
        let id = Uuid::now_v7().to_string();
        let path = format!("/general-deliveries/{delivery}/collect-commands/{id}");
        let put = Request::new("PUT", &path).json(&json!({ "code": "402817" })).bearer(&self.token);
        self.service.send(&put).is(201);
        (path, id)
    }

    fn get(&self, path: &str) -> Value {
        self.service.send(&Request::new("GET", path).bearer(&self.token)).is(200).json()
    }

    #[track_caller]
    fn ended(&self, path: &str) -> Value {
        let begun = Instant::now();
        loop {
            let found = self.get(path);
            if found["status"] != "RUNNING" {
                return found;
            }
            assert!(begun.elapsed() < PATIENCE, "{found}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// The statuses that events tell of a command.
    fn told(self, id: &str) -> Vec<(&'static str, i64)> {
        self.service.stop();
        let told = |status: &str| {
            let data = format!("{{\"id\":\"{id}\",\"status\":\"{status}\"}}");
            let events =
                |table: &str| self.folder.count(&format!("SELECT count(*) FROM \"{table}\" WHERE \"data\" = '{data}'"));
            // on PostgreSQL they may not have a position yet
            let drafts = if restwell_testkit::postgres::is_chosen() { events("_restwell_drafts") } else { 0 };
            events("_restwell_events") + drafts
        };
        ["RUNNING", "SUCCESSFUL", "FAILED"].map(|status| (status, told(status))).to_vec()
    }
}

/// `marketplace commands …` on the database of the folder.
fn commands(folder: &Path, arguments: &[&str]) -> Output {
    run(folder, ["commands"].iter().chain(arguments).chain([&DATABASE]))
}

#[track_caller]
fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("text").trim_end().to_owned()
}

#[track_caller]
fn listed(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let arguments: Vec<_> = ["list", "--format", "json"].into_iter().chain(arguments.iter().copied()).collect();
    let printed: Value = serde_json::from_str(&printed(&commands(folder, &arguments))).expect("JSON");
    printed["commands"].as_array().expect("commands").clone()
}

#[test]
fn operators_see_the_commands_of_a_running_service() {
    let market = Market::start();
    market.carriers.allow(true);
    let (shipment, at) = (market.shipment(), market.folder.path());
    assert_eq!(listed(at, &[]), Vec::<Value>::new());
    let (done, done_id) = market.dispatch(&shipment);
    market.ended(&done);
    let (refused, refused_id) = market.collect_too_late(&shipment);
    assert_eq!(market.ended(&refused)["errors"][0]["code"], "StoredTooLong");
    let all = listed(at, &[]);
    assert_eq!([&all[0]["id"], &all[1]["id"]], [&json!(refused_id), &json!(done_id)], "the latest first");
    assert_eq!(all[0]["errors"], json!(["StoredTooLong"]));
    assert_eq!((&all[1]["resource"], &all[1]["type"]), (&json!("Shipment"), &json!("dispatch")));
    assert_eq!(all[1]["entity"]["id"], json!(shipment));
    for (arguments, expected) in [
        (&["--status", "FAILED"][..], 1),
        (&["--status", "RUNNING"][..], 0),
        (&["--resource", "Shipment", "--type", "dispatch"][..], 1),
        (&["--resource", "Offer"][..], 0),
        (&["--limit", "1"][..], 1),
    ] {
        assert_eq!(listed(at, arguments).len(), expected, "{arguments:?}");
    }
    let text = printed(&commands(at, &["list"]));
    assert!(text.starts_with("ID ") && text.lines().count() == 3, "{text}");
    assert!(text.contains("FAILED StoredTooLong"), "{text}");
    let shown: Value =
        serde_json::from_str(&printed(&commands(at, &["show", &done_id, "--format", "json"]))).expect("JSON");
    assert_eq!(shown["command"], market.get(&done), "as clients see it");
    assert_eq!(shown["caller"]["id"], json!(market.user));
    assert!(printed(&commands(at, &["show", &done_id])).contains("SUCCESSFUL"));
    // what cannot be done
    let nothing = Uuid::now_v7().to_string();
    for command in ["show", "retry", "cancel"] {
        assert!(refusal(&commands(at, &[command, &nothing])).contains("there is no command"), "{command}");
    }
    assert!(refusal(&commands(at, &["retry", &done_id])).contains("is SUCCESSFUL"));
    assert!(refusal(&commands(at, &["cancel", &done_id])).contains("is SUCCESSFUL"));
    assert!(refusal(&commands(at, &["cancel", &refused_id])).contains("is FAILED"));
    assert!(refusal(&commands(at, &["list", "--resource", "Nothing"])).contains("not a resource"));
    assert_eq!(market.told(&done_id), [("RUNNING", 1), ("SUCCESSFUL", 1), ("FAILED", 0)]);
}

#[test]
fn a_command_that_an_operator_cancels_is_failed_and_can_be_executed_again() {
    let market = Market::start();
    let shipment = market.shipment();
    let (path, id) = market.dispatch(&shipment);
    assert_eq!(printed(&commands(market.folder.path(), &["cancel", &id])), format!("{id} is FAILED: Cancelled"));
    let cancelled = market.get(&path);
    assert_eq!((&cancelled["status"], &cancelled["errors"][0]["code"]), (&json!("FAILED"), &json!("Cancelled")));
    let polish = Request::new("GET", &path).bearer(&market.token).header("accept-language", "pl-PL");
    let message = market.service.send(&polish).is(200).json()["errors"][0]["userMessage"].clone();
    assert_eq!(message, "Anulowano to przed wykonaniem.");
    // the handler goes on, and what it wants to do is refused
    market.carriers.allow(true);
    thread::sleep(Duration::from_millis(500));
    assert_eq!(market.get(&path), cancelled);
    assert_eq!(market.get(&format!("/shipments/{shipment}"))["status"], "PREPARED");
    printed(&commands(market.folder.path(), &["retry", &id]));
    let ended = market.ended(&path);
    assert_eq!((&ended["status"], &ended["errors"]), (&json!("SUCCESSFUL"), &json!([])));
    assert_eq!(market.get(&format!("/shipments/{shipment}"))["status"], "DISPATCHED");
    assert_eq!(market.told(&id), [("RUNNING", 2), ("SUCCESSFUL", 1), ("FAILED", 1)]);
}

#[test]
fn a_command_that_is_stuck_is_executed_again_and_done_once() {
    let market = Market::start();
    let shipment = market.shipment();
    let (path, id) = market.dispatch(&shipment);
    for _ in 0..2 {
        let printed = printed(&commands(market.folder.path(), &["retry", &id]));
        assert!(printed.contains("is RUNNING"), "{printed}");
    }
    market.carriers.allow(true);
    assert_eq!(market.ended(&path)["status"], "SUCCESSFUL");
    assert_eq!(market.get(&format!("/shipments/{shipment}"))["status"], "DISPATCHED");
    assert_eq!(market.told(&id), [("RUNNING", 1), ("SUCCESSFUL", 1), ("FAILED", 0)], "its status did not change");
}

#[test]
fn a_command_that_ends_while_it_is_cancelled_has_one_end() {
    let market = Market::start();
    let sent: Vec<_> = (0..RACES)
        .map(|_| {
            let shipment = market.shipment();
            let (path, id) = market.dispatch(&shipment);
            (shipment, path, id)
        })
        .collect();
    let at = market.folder.path();
    let outcomes: Vec<_> = thread::scope(|scope| {
        let cancels: Vec<_> = sent
            .chunks(RACES / 4)
            .map(|part| {
                scope.spawn(move || {
                    part.iter().map(|(_, _, id)| commands(at, &["cancel", id]).status.success()).collect::<Vec<_>>()
                })
            })
            .collect();
        thread::sleep(Duration::from_millis(100));
        market.carriers.allow(true);
        cancels.into_iter().flat_map(|cancel| cancel.join().expect("it ends")).collect()
    });
    for ((shipment, path, _), is_cancelled) in sent.iter().zip(&outcomes) {
        let ended = market.ended(path);
        let status = market.get(&format!("/shipments/{shipment}"))["status"].clone();
        let expected = if *is_cancelled { ("FAILED", "PREPARED") } else { ("SUCCESSFUL", "DISPATCHED") };
        assert_eq!((&ended["status"], &status), (&json!(expected.0), &json!(expected.1)), "{ended}");
    }
    println!("{} of {RACES} were cancelled", outcomes.iter().filter(|it| **it).count());
}
