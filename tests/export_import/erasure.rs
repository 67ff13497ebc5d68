//! `erase`: a text that is in everything of a person is nowhere afterwards.

use crate::export_import::filled::export;
use crate::export_import::trips::rows;
use restwell_testkit::http::{Reply, Request};
use restwell_testkit::postgres::Server;
use restwell_testkit::process::{Folder, LISTEN, Service, folder, refusal, run};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::net::SocketAddr;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// What nothing else has.
const TOKEN: &str = "Zwq7Tk3vXy9b";
const SCOPES: &str = "contests.admin deliveries.write offers.admin payments.read payments.refund shipments.read \
                      transactions.read users.admin";
const PATIENCE: Duration = Duration::from_secs(30);

/// Who uses the marketplace.
struct Party {
    at: SocketAddr,
    id: String,
    token: String,
}

impl Party {
    /// A user whose token has claims with a text.
    #[track_caller]
    fn join(service: &Service, folder: &Folder, user: &Value, text: &str) -> Self {
        let id = service.send(&Request::post("/users", user)).is(201).id();
        let claims = [format!("name={text}"), format!("email={text}@example.com")];
        let made = run(
            folder.path(),
            ["token", "--sub", &id, "--scope", SCOPES, "--claim", &claims[0], "--claim", &claims[1]],
        );
        let token = String::from_utf8(made.stdout).expect("text").trim_end().to_owned();
        Self { at: service.address(), id, token }
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Reply {
        let request = Request::new(method, path).bearer(&self.token);
        let request = if body.is_null() { request } else { request.json(body) };
        request.send(self.at)
    }

    #[track_caller]
    fn create(&self, path: &str, body: &Value) -> Value {
        json!({ "id": self.send("POST", path, body).is(201).id() })
    }

    /// Sends a command and waits for its end; its path.
    #[track_caller]
    fn command(&self, entity: &str, command: &str, input: &Value, status: &str) -> String {
        let path = format!("{entity}/{command}-commands/{}", Uuid::now_v7());
        let deadline = Instant::now() + PATIENCE;
        while self.send("PUT", &path, input).is(201).json()["status"] != status {
            assert!(Instant::now() < deadline, "{path} does not end as {status}");
            thread::sleep(Duration::from_millis(10));
        }
        path
    }
}

fn price() -> Value {
    json!({ "amount": "12.50", "currency": "PLN" })
}

fn address(text: &str) -> Value {
    json!({ "street": text, "city": text, "postalCode": text, "countryCode": "PL" })
}

fn user(text: &str) -> Value {
    json!({ "name": text, "email": format!("{text}@example.com"), "password": "correct horse", "address": address(text) })
}

fn contest(organizer: &str, text: &str) -> Value {
    json!({
        "name": format!("{text} {organizer}"), "organizer": { "id": organizer }, "task": text,
        "startingAt": "2026-01-01T00:00:00.000Z", "duration": "P30D", "prizes": [{ "place": 1, "name": text }],
    })
}

fn offer(seller: &str, text: &str) -> Value {
    json!({
        "name": text, "description": text, "seller": { "id": seller }, "buyNow": price(), "address": address(text),
        "images": [format!("https://example.com/{text}.jpg")], "catalogueNumber": text, "stock": 100,
    })
}

fn purchase(buyer: &str, offer: &Value, text: &str) -> Value {
    json!({ "offer": offer, "buyer": { "id": buyer }, "quantity": 1, "totalAmount": price(), "message": text })
}

fn shipment(sender: &str, offer: &Value, text: &str) -> Value {
    let recipient = json!({ "name": text, "email": format!("{text}@example.com") });
    json!({ "offer": offer, "sender": { "id": sender }, "recipient": recipient, "address": address(text) })
}

fn path(resource: &str, entity: &Value) -> String {
    format!("/{resource}/{}", entity["id"].as_str().expect("an id"))
}

/// What is looked at after the erasure.
struct Planted {
    ann: String,
    /// A contest of somebody else that Ann has won, and somebody else's eye on an offer of hers.
    won: String,
    watch: String,
    /// Her command to what is not hers.
    refund: String,
    /// Somebody else's command that names her.
    award: String,
    /// The same, FAILED.
    failed: [String; 2],
    searches: [String; 2],
}

/// A person in everything that a database holds.
fn plant(ann: &Party, bob: &Party) -> Planted {
    let me = json!({ "id": ann.id });
    let of_bob = bob.create("/offers", &offer(&bob.id, "lamp"));
    // what she owns
    let mine = ann.create("/offers", &offer(&ann.id, TOKEN));
    let mut sale = offer(&ann.id, TOKEN);
    (sale["stockKeepingUnit"], sale["note"]) = (TOKEN.into(), TOKEN.into());
    ann.send("PUT", &path("sale/offers", &mine), &sale).is(200);
    let contest_of_hers = ann.create("/contests", &contest(&ann.id, TOKEN));
    ann.create("/watches", &json!({ "user": me, "offer": of_bob }));
    let bought = ann.create("/transactions", &purchase(&ann.id, &of_bob, TOKEN));
    let paid = json!({ "transaction": bought, "payer": me, "amount": price(), "method": "CARD" });
    ann.create("/payments", &paid);
    ann.create("/shipments", &shipment(&ann.id, &of_bob, TOKEN));
    let sent = bob.create("/shipments", &shipment(&bob.id, &of_bob, "Jan"));
    let office = json!({ "name": TOKEN, "address": address(TOKEN) });
    let waits = json!({ "shipment": sent, "recipient": me, "postOffice": office, "storedUntil": "2026-12-24" });
    ann.create("/general-deliveries", &waits);
    // what she owned
    let former = ann.create("/offers", &offer(&ann.id, TOKEN));
    let seen = bob.create("/watches", &json!({ "user": { "id": bob.id }, "offer": former }));
    ann.send("DELETE", &path("offers", &former), &Value::Null).is(204);
    bob.send("GET", &path("watches", &seen), &Value::Null).is(404);
    // what others have that shows her
    let watch = bob.create("/watches", &json!({ "user": { "id": bob.id }, "offer": mine }));
    let won = bob.create("/contests", &contest(&bob.id, "a race"));
    let award_of_hers = json!({ "winner": me, "justification": "the fastest" });
    let award = bob.command(&path("contests", &won), "award", &award_of_hers, "SUCCESSFUL");
    bob.send("PUT", &path("contests", &won), &contest(&bob.id, "a race")).is(200);
    // commands
    ann.command(&path("offers", &mine), "end", &json!({ "reason": "OTHER", "comment": TOKEN }), "SUCCESSFUL");
    let over = json!({ "fromDate": "2020-01-01T00:00:00.000Z", "duration": "PT1H" });
    ann.command(&path("offers", &mine), "renew", &over, "FAILED");
    let justified = json!({ "winner": { "id": bob.id }, "justification": TOKEN });
    ann.command(&path("contests", &contest_of_hers), "award", &justified, "SUCCESSFUL");
    let bought = bob.create("/transactions", &purchase(&bob.id, &of_bob, "quickly"));
    let paid = json!({ "transaction": bought, "payer": { "id": bob.id }, "amount": price(), "method": "CARD" });
    let paid = path("payments", &bob.create("/payments", &paid));
    let refund = json!({ "amount": price(), "reason": TOKEN });
    let mut later = contest(&bob.id, "a later race");
    later["startingAt"] = "2100-01-01T00:00:00.000Z".into();
    let later = bob.create("/contests", &later);
    let failed = [
        bob.command(&path("contests", &later), "award", &award_of_hers, "FAILED"),
        ann.command(
            &paid,
            "refund",
            &json!({ "amount": { "amount": "99.00", "currency": "PLN" }, "reason": TOKEN }),
            "FAILED",
        ),
    ];
    let refund = ann.command(&paid, "refund", &refund, "SUCCESSFUL");
    // searches, one of hers and one for what is hers
    let searches = [
        ann.create("/offer-searches", &json!({ "name": [TOKEN] })),
        bob.create("/offer-searches", &json!({ "seller": { "id": [ann.id] } })),
    ];
    let searches = searches.map(|search| path("offer-searches", &search));
    let (won, watch) = (path("contests", &won), path("watches", &watch));
    Planted { ann: ann.id.clone(), won, watch, refund, award, failed, searches }
}

/// What others do meanwhile, until it is over: offers and commands, and changes of what shows the person.
fn trade(bob: &Party, planted: &Planted, is_over: &AtomicBool) {
    while !is_over.load(Ordering::SeqCst) {
        let offer = bob.create("/offers", &offer(&bob.id, "book"));
        bob.command(&path("offers", &offer), "end", &json!({ "reason": "OTHER", "comment": "gone" }), "SUCCESSFUL");
        bob.send("PUT", &planted.won, &contest(&bob.id, "a race")).is(200);
        let alert = json!({ "priceAlert": price() });
        let changed = bob.send("PUT", &planted.watch, &alert).status;
        assert!([200, 404].contains(&changed), "{changed}");
    }
}

/// `erase`, which must succeed: the receipt.
#[track_caller]
fn erase(folder: &Folder, url: &str, user: &str, more: &[&str]) -> Value {
    let database = format!("--database={url}");
    let done = run(folder.path(), [&["erase", user, &database], more].concat());
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    serde_json::from_slice(&done.stdout).expect("a receipt")
}

fn has_token(bytes: &[u8]) -> bool {
    bytes.windows(TOKEN.len()).any(|part| part == TOKEN.as_bytes())
}

/// In a file, of which nothing else is left.
pub(crate) fn of_sqlite() {
    let (folder, url) = (folder(), "sqlite://test.db");
    let service = Service::start_with(folder.path(), &[LISTEN, &format!("--database={url}")]);
    let (ann, bob) =
        (Party::join(&service, &folder, &user(TOKEN), TOKEN), Party::join(&service, &folder, &user("bobby"), "bobby"));
    let planted = plant(&ann, &bob);
    amid_trade(&bob, &planted, || thread::sleep(Duration::from_millis(500)));
    let told = refusal(&run(folder.path(), ["erase", &ann.id, &format!("--database={url}")]));
    assert!(told.contains("another process is using the database"), "{told}");
    let (bob_id, bob_token) = (bob.id.clone(), bob.token.clone());
    service.stop();

    let files = || {
        let all = fs::read_dir(folder.path()).expect("the folder").map(|entry| entry.expect("an entry").path());
        all.filter(|path| path.to_string_lossy().contains("test.db")).collect::<Vec<_>>()
    };
    let is_in_files = || files().iter().any(|path| has_token(&fs::read(path).expect("a file")));
    assert!(is_in_files(), "it was planted");
    let before = export(folder.path(), url, "before.ndjson");
    let planned = erase(&folder, url, &planted.ann, &["--dry-run"]);
    assert_eq!(export(folder.path(), url, "still.ndjson"), before, "a dry run changes nothing");
    let receipt = erase(&folder, url, &planted.ann, &[]);
    assert_eq!(planned["tables"], receipt["tables"]);
    check_receipt(&receipt, &planted);
    assert!(!is_in_files(), "{receipt:#}");
    assert_eq!(erase(&folder, url, &planted.ann, &[])["tables"], json!({}), "nothing is left");

    let service = Service::start_with(folder.path(), &[LISTEN, &format!("--database={url}")]);
    let bob = Party { at: service.address(), id: bob_id, token: bob_token };
    check_served(&bob, &planted);
    check_retries(&folder, url, &bob, &planted);
    service.stop();
    check_export(&before, &export(folder.path(), url, "after.ndjson"), &planted);
}

/// On a server, while instances go on.
pub(crate) fn of_postgres(server: &Server) {
    let (folder, database) = (folder(), server.database());
    let url = database.url();
    let service = Service::start_with(folder.path(), &[LISTEN, &format!("--database={url}")]);
    let (ann, bob) =
        (Party::join(&service, &folder, &user(TOKEN), TOKEN), Party::join(&service, &folder, &user("bobby"), "bobby"));
    let planted = plant(&ann, &bob);
    let dump = || {
        let dumped = Command::new("pg_dump").arg(url).output().expect("`pg_dump` is there");
        assert!(dumped.status.success(), "{}", String::from_utf8_lossy(&dumped.stderr));
        dumped.stdout
    };
    assert!(has_token(&dump()), "it was planted");
    let before = export(folder.path(), url, "before.ndjson");
    erase(&folder, url, &planted.ann, &["--dry-run"]);
    assert!(has_token(&dump()), "a dry run changes nothing");
    let receipt = amid_trade(&bob, &planted, || {
        thread::sleep(Duration::from_millis(300));
        erase(&folder, url, &planted.ann, &[])
    });
    check_receipt(&receipt, &planted);
    assert!(!has_token(&dump()), "{receipt:#}");
    assert_eq!(erase(&folder, url, &planted.ann, &[])["tables"], json!({}), "nothing is left");
    check_served(&bob, &planted);
    check_retries(&folder, url, &bob, &planted);
    service.stop();
    check_export(&before, &export(folder.path(), url, "after.ndjson"), &planted);
}

/// Does something while others trade.
fn amid_trade<T>(bob: &Party, planted: &Planted, work: impl FnOnce() -> T) -> T {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| trade(bob, planted, &is_over));
        }
        let done = work();
        thread::sleep(Duration::from_millis(200));
        is_over.store(true, Ordering::SeqCst);
        done
    })
}

#[track_caller]
fn check_receipt(receipt: &Value, planted: &Planted) {
    assert_eq!(receipt["erased"], planted.ann);
    let expected = [
        ("users", 1, 0),
        ("offers", 1, 0),
        ("contests", 1, 1),
        ("watches", 2, 0),
        ("transactions", 1, 0),
        ("payments", 1, 0),
        ("shipments", 1, 0),
        ("general_deliveries", 1, 0),
        ("_restwell_searches", 2, 0),
        // two of the offer, one of the contest; the refunds, and the awards that name her
        ("_restwell_commands", 3, 4),
    ];
    for (table, deleted, cleared) in expected {
        assert_eq!(receipt["tables"][table], json!({ "deleted": deleted, "cleared": cleared }), "{table}: {receipt:#}");
    }
    assert!(receipt["tables"]["_restwell_events"]["cleared"].as_u64() > Some(20), "{receipt:#}");
    assert!(receipt["remains"].as_array().is_some_and(|remains| remains.len() > 4), "{receipt:#}");
}

/// What is not the person's is as it was.
#[track_caller]
fn check_served(bob: &Party, planted: &Planted) {
    let get = |path: &str| bob.send("GET", path, &Value::Null);
    get(&format!("/users/{}", planted.ann)).is(404);
    let won = get(&planted.won).is(200).json();
    assert_eq!((&won["winner"], &won["task"]), (&Value::Null, &json!("a race")));
    get(&planted.watch).is(404);
    let refund = get(&planted.refund).is(200).json();
    assert_eq!((&refund["status"], &refund["reason"]), (&json!("SUCCESSFUL"), &Value::Null));
    // its id still keeps it from being executed again
    let again = bob.send("PUT", &planted.refund, &json!({ "amount": price(), "reason": "again" }));
    assert_eq!(again.is(422).codes(), ["CommandIdUsed"]);
    let award = get(&planted.award).is(200).json();
    assert_eq!((&award["winner"], &award["justification"]), (&Value::Null, &json!("the fastest")));
    for search in &planted.searches {
        get(search).is(404);
    }
    let offers = get(&format!("/offers?seller.id={}", bob.id)).is(200).json();
    assert!(offers["count"].as_u64() > Some(1), "{offers}");
}

/// A command whose input was erased cannot be executed again: it stays FAILED.
#[track_caller]
fn check_retries(folder: &Folder, url: &str, bob: &Party, planted: &Planted) {
    let database = format!("--database={url}");
    for command in &planted.failed {
        let (_, id) = command.rsplit_once('/').expect("a path");
        let told = refusal(&run(folder.path(), ["commands", "retry", id, &database]));
        let sentence = format!("`erase` has cleared the input of the command {id}, so it cannot be executed again");
        assert!(told.contains(&sentence), "{told}");
        assert_eq!(bob.send("GET", command, &Value::Null).is(200).json()["status"], "FAILED");
    }
}

/// Positions and ids of events are as before, so that readers go on; what they say of what is gone is that.
#[track_caller]
fn check_export(before: &[u8], after: &[u8], planted: &Planted) {
    assert!(has_token(before) && !has_token(after));
    let (before, after) = (rows(before, "_restwell_events"), rows(after, "_restwell_events"));
    let positions: Vec<_> = after.iter().map(|event| event[0].as_i64().expect("a position")).collect();
    assert_eq!(positions, (1..=positions.len() as i64).collect::<Vec<_>>());
    let ids = |events: &[Value]| events.iter().map(|event| event[1].clone()).collect::<Vec<_>>();
    assert_eq!(ids(&before)[..], ids(&after)[..before.len()]);
    let of_ann = after.iter().filter(|event| event[4] == planted.ann.as_str());
    let kinds: BTreeSet<_> = of_ann.map(|event| event[3].as_str().expect("a kind")).collect();
    assert_eq!(kinds, BTreeSet::from(["deleted"]), "whoever follows the events knows that the user is gone");
    let ann = format!("\"{}\"", planted.ann);
    let mut named: BTreeMap<String, usize> = BTreeMap::new();
    for event in after.iter().filter(|event| event[2] != "user" && event.to_string().contains(&ann)) {
        *named.entry(event.to_string()).or_default() += 1;
    }
    assert!(named.is_empty(), "{named:#?}");
}

/// Where something of others needs what is hers, all of it stays, and the command says what that is.
pub(crate) fn hindered(server: &Server) {
    let database = server.database();
    for url in ["sqlite://test.db", database.url()] {
        let folder = folder();
        let service = Service::start_with(folder.path(), &[LISTEN, &format!("--database={url}")]);
        let (ann, bob) = (
            Party::join(&service, &folder, &user(TOKEN), TOKEN),
            Party::join(&service, &folder, &user("bobby"), "bobby"),
        );
        let mine = ann.create("/offers", &offer(&ann.id, TOKEN));
        let bought = bob.create("/transactions", &purchase(&bob.id, &mine, "quickly"));
        let (id, nobody) = (ann.id.clone(), Uuid::now_v7().to_string());
        service.stop();
        let before = export(folder.path(), url, "before.ndjson");
        let told = refusal(&run(folder.path(), ["erase", &id, &format!("--database={url}")]));
        let bought = bought["id"].as_str().expect("an id");
        assert!(told.contains("nothing was erased: `Transaction.offer` of 1") && told.contains(bought), "{told}");
        assert_eq!(erase(&folder, url, &nobody, &[])["tables"], json!({}));
        assert_eq!(export(folder.path(), url, "after.ndjson"), before);
    }
    let folder = folder();
    let told = refusal(&run(folder.path(), ["erase", &Uuid::now_v7().to_string(), "--database=sqlite://no.db"]));
    assert!(told.contains("there is no database no.db") && !folder.path().join("no.db").exists(), "{told}");
}
