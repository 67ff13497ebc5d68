//! Resources, a view and a command are renamed in two releases: until their day, the old paths, names and events are
//! served beside the new ones, also for what was stored before.

use restwell::testing::{Running, Setup, TestClient, TestResponse, bring_along};
use restwell::{Builder, Interpreted};
use restwell_generator::{File, compile};
use restwell_model::Checked;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;
use uuid::Uuid;

/// The names of the first release, of the one that has both, and of the one after the day.
const RELEASES: [Names; 3] = [
    Names { shop: "Shop", offer: "Offer", view: "open", end: "end", formerly: false },
    Names { shop: "Store", offer: "Listing", view: "fresh", end: "finish", formerly: true },
    Names { shop: "Store", offer: "Listing", view: "fresh", end: "finish", formerly: false },
];
/// What every response under a former name has.
const SUNSET: &str = "Wed, 30 Jun 2027 00:00:00 GMT";
/// How long an event may take.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) struct Names {
    pub(crate) shop: &'static str,
    pub(crate) offer: &'static str,
    pub(crate) view: &'static str,
    pub(crate) end: &'static str,
    pub(crate) formerly: bool,
}

pub(crate) fn model(release: &Names) -> Checked {
    let Names { shop, offer, view, end, formerly } = release;
    let day = "sunset: \"2027-06-30\"";
    let former = |name: &str, before: &str, after: &str| match *formerly && ![shop, offer].contains(&&name) {
        true => format!("{before}formerly: {{ name: {name}, {day} }}{after}"),
        false => String::new(),
    };
    let anyone = "{ access: anyone }";
    let all = format!("create: {anyone}, list: {anyone}, get: {anyone}, update: {anyone}, delete: {anyone}");
    let shops = format!(
        "resource: {shop}\n{}operations: {{ {all} }}\nfields:\n  name: {{ type: string }}\n",
        former("Shop", "", "\n")
    );
    let offers = format!(
        "resource: {offer}\n{}under: [shop]\nsearch: true\noperations: {{ {all} }}\n\
         views:\n  {view}:\n    operations: {{ list: {anyone}, get: {anyone} }}\n{}\
         commands:\n  {end}: {{ access: anyone{} }}\n\
         lifecycle:\n  field: status\n  initial: ACTIVE\n  final: [ENDED]\n  transitions:\n    \
         {end}: {{ from: ACTIVE, to: ENDED }}\n\
         fields:\n  name: {{ type: string, filter: true }}\n  shop: {{ type: ref, to: {shop} }}\n  \
         status: {{ type: enum, values: [ACTIVE, ENDED], readOnly: true, filter: true }}\n",
        former("Offer", "", "\n"),
        former("open", "    ", "\n"),
        former("end", ", ", ""),
    );
    let files = [("service", "service: market\n".to_owned()), ("shop", shops), ("offer", offers)];
    let compiled = compile(&files.map(|(name, text)| File::new(&format!("{name}.yaml"), text)));
    compiled.service.unwrap_or_else(|| panic!("the schemas are wrong: {:?}", compiled.diagnostics)).0
}

/// Another release takes over the database.
fn release(running: &mut Option<Running>, number: usize, url: &str) -> TestClient {
    // dropped first: a database belongs to one program
    *running = None;
    let model = model(&RELEASES[number]);
    bring_along(model.clone().into_inner(), url).expect("the rows are kept");
    let started = Setup::of(Builder::interpreted(Interpreted::of(model))).database(url).start();
    let client = started.client();
    *running = Some(started);
    client
}

/// What is stored in the first release.
struct Stored {
    shop: String,
    offer: String,
    search: String,
    command: Uuid,
}

impl Stored {
    fn of(client: &TestClient) -> Self {
        let shop = created(&client.post("/shops", json!({ "name": "Corner" })));
        let offer = created(&client.post(&format!("/shops/{shop}/offers"), json!({ "name": "Lamp" })));
        let search = created(&client.post("/offer-searches", json!({ "name": "Lamp" })));
        let command = Uuid::now_v7();
        let path = format!("/offers/{offer}/end-commands/{command}");
        client.put(&path, json!({})).is(201);
        client.get_until(&path, |command| command["status"] == "SUCCESSFUL");
        Self { shop, offer, search, command }
    }
}

#[track_caller]
pub(crate) fn created(reply: &TestResponse) -> String {
    assert_eq!(reply.status, 201, "{}", reply.json);
    reply.json["id"].as_str().expect("an id").to_owned()
}

#[track_caller]
fn header<'r>(reply: &'r TestResponse, name: &str) -> Option<&'r str> {
    reply.headers.iter().find(|(known, _)| known.as_str() == name).map(|(_, value)| value.as_str())
}

/// A response under a former name says that it goes away, one under present names does not.
#[track_caller]
fn announced(reply: TestResponse, is_former: bool) -> TestResponse {
    let found = (header(&reply, "deprecation"), header(&reply, "sunset"));
    assert_eq!(found, if is_former { (Some("@0"), Some(SUNSET)) } else { (None, None) }, "{}", reply.json);
    reply
}

/// The releases one after the other, on this database.
pub(crate) fn rename(url: &str) {
    let mut running = None;
    let stored = Stored::of(&release(&mut running, 0, url));
    let client = release(&mut running, 1, url);
    entities(&client, &stored);
    commands(&client, &stored);
    events(running.as_ref().expect("it runs"), &client);
    let client = release(&mut running, 2, url);
    let Stored { shop, offer, command, .. } = &stored;
    for path in ["/offers".to_owned(), "/open/listings".to_owned(), format!("/shops/{shop}/listings")] {
        client.get(&path).is(404);
    }
    client.get(&format!("/listings/{offer}/end-commands/{command}")).is(404);
    client.get(&format!("/listings/{offer}/finish-commands/{command}")).is(200);
}

fn entities(client: &TestClient, stored: &Stored) {
    let Stored { shop, offer, search, .. } = stored;
    let lists = [
        ("/offers".to_owned(), "offers"),
        ("/listings".to_owned(), "listings"),
        ("/open/offers".to_owned(), "offers"),
        ("/fresh/offers".to_owned(), "offers"),
        ("/open/listings".to_owned(), "listings"),
        ("/fresh/listings".to_owned(), "listings"),
        (format!("/shops/{shop}/offers"), "offers"),
        (format!("/stores/{shop}/offers"), "offers"),
        (format!("/shops/{shop}/listings"), "listings"),
        (format!("/stores/{shop}/listings"), "listings"),
    ];
    let known = client.get(&format!("/listings/{offer}")).is(200).json;
    for (path, items) in lists {
        let is_former = ["offers", "open", "shops"].iter().any(|word| path.contains(word));
        let list = announced(client.get(&path).is(200), is_former).json;
        assert_eq!(list[items], json!([known]), "{path}: {list}");
        let found = client.get(&format!("{path}?search.id={search}")).is(200).json;
        assert_eq!(found["count"], 1, "{path}: {found}");
        announced(client.get(&format!("{path}?limit=x")).is(422), is_former);
    }
    for path in ["/offers", "/open/offers", "/fresh/offers", "/open/listings"] {
        let entity = announced(client.get(&format!("{path}/{offer}")).is(200), true).json;
        assert_eq!(entity, known, "{path}");
    }
    let searches = ["/offer-searches", "/listing-searches"].map(|path| client.get(&format!("{path}/{search}")).is(200));
    assert_eq!(searches[0].json, searches[1].json);
    announced(client.get("/offers/00000000-0000-7000-8000-000000000000").is(404), true);
    // a `Location` has the words of the request
    for (path, found) in [
        ("/offers".to_owned(), "/offers"),
        ("/listings".to_owned(), "/listings"),
        (format!("/stores/{shop}/offers"), "/offers"),
        (format!("/shops/{shop}/listings"), "/listings"),
        ("/offer-searches".to_owned(), "/offer-searches"),
    ] {
        let reply = client.post(&path, json!({ "name": "Chair" })).is(201);
        let location = header(&reply, "location").expect("a location").to_owned();
        let expected = format!("{found}/{}", reply.json["id"].as_str().expect("an id"));
        assert!(location.ends_with(&expected), "{path}: {location}");
        if !path.contains("searches") {
            client.delete(&expected).is(204);
        }
    }
}

fn commands(client: &TestClient, stored: &Stored) {
    let Stored { offer, command, .. } = stored;
    let at = |resource: &str, end: &str, command: &Uuid| format!("/{resource}/{offer}/{end}-commands/{command}");
    let known = client.get(&at("listings", "finish", command)).is(200).json;
    assert_eq!(known["status"], "SUCCESSFUL");
    for (resource, end) in [("offers", "end"), ("offers", "finish"), ("listings", "end")] {
        let path = at(resource, end, command);
        assert_eq!(announced(client.get(&path).is(200), true).json, known);
        // a repeat under the other name is no other execution: the entity has ended
        let again = announced(client.put(&path, json!({})).is(201), true);
        assert_eq!(again.json, known);
        assert!(header(&again, "location").expect("a location").ends_with(&path));
        let (list, _) = path.rsplit_once('/').expect("a path");
        let listed = announced(client.get(list).is(200), true).json;
        assert_eq!(listed[format!("{end}Commands")], json!([known]), "{listed}");
    }
    announced(client.put(&at("listings", "finish", command), json!({})).is(201), false);
    let refused = client.put(&at("offers", "end", &Uuid::now_v7()), json!({})).is(422);
    assert_eq!(announced(refused, true).errors()[0].0, "WrongState");
}

/// The types of the events after the stream has begun, as many as are expected.
fn stream(running: &Running, query: &str, count: usize, change: impl FnOnce()) -> Vec<(String, Value)> {
    let mut connection = TcpStream::connect(running.address()).expect("it listens");
    connection.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    let head = format!("GET /events{query} HTTP/1.1\r\nhost: x\r\nuser-agent: x\r\naccept: text/event-stream\r\n\r\n");
    connection.write_all(head.as_bytes()).expect("it reads");
    let mut lines = BufReader::new(connection).lines().map(|line| line.expect("an event in time"));
    // it begins with its cursor
    lines.by_ref().find(|line| line.starts_with("id:")).expect("a beginning");
    change();
    let data = lines.filter_map(|line| line.strip_prefix("data: ").map(str::to_owned));
    let event = |text: String| {
        let json: Value = serde_json::from_str(&text).expect("an event is on one line");
        (json["type"].as_str().unwrap_or_default().to_owned(), json["subject"].clone())
    };
    data.take(count).map(event).collect()
}

/// Subscribers of either name get each event once.
fn events(running: &Running, client: &TestClient) {
    for (query, word) in [("?type=market.offer.created", "offer"), ("?type=market.listing.created", "listing")] {
        let found = stream(running, query, 2, || {
            client.post("/listings", json!({ "name": "One" })).is(201);
            client.post("/offers", json!({ "name": "Two" })).is(201);
        });
        assert!(found.iter().all(|(kind, _)| *kind == format!("market.{word}.created")), "{found:?}");
        assert_ne!(found[0].1, found[1].1);
    }
    let created = client.post("/listings", json!({ "name": "Three" })).is(201).json;
    let offer = created["id"].as_str().expect("an id").to_owned();
    let query = ["offer.end", "offer.finish", "listing.end", "listing.finish"]
        .map(|name| format!("type=market.{name}-command.successful"))
        .join("&");
    let mut found = stream(running, &format!("?{query}"), 4, || {
        client.command(&format!("/offers/{offer}"), "end", json!({})).succeeded();
    });
    found.sort_by(|one, other| one.0.cmp(&other.0));
    let kinds: Vec<_> = found.iter().map(|(kind, _)| kind.as_str()).collect();
    let expected = ["listing.end", "listing.finish", "offer.end", "offer.finish"];
    assert_eq!(kinds, expected.map(|name| format!("market.{name}-command.successful")));
    let both = stream(running, "?resource=offers", 2, || drop(client.post("/listings", json!({})).is(201)));
    assert_eq!(both[0].1, both[1].1, "by resource, under both names: {both:?}");
}
