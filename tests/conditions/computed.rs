//! Computed fields (`is`): their value is everywhere where the entity is shown, and nowhere where it is written, on both
//! stores.

use crate::access::model;
use libtest_mimic::Failed;
use restwell::testing::{Running, Setup, TestClock, TestResponse};
use restwell::{Builder, Interpreted, Price, Ref, Resource};
use restwell_testkit::postgres::Server;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

const SERVICE: &str = "service: shop\nusers: User\n";

const USER: &str = r#"
resource: User
operations: { create: { access: anyone }, get: {}, update: { access: anyone } }
fields:
  name: { type: string, required: true, maxLength: 20 }
  employer: { type: ref, to: User }
  isNamedAnn: { type: boolean, is: 'name == "Ann?"' }
"#;

const LINE: &str = r#"
resource: Line
versions: [public.v1, beta.v2]
operations:
  create: { access: anyone }
  list: { access: [{ when: 'isLarge != true || total.amount < 1000' }] }
  get: {}
  update: { access: anyone }
  patch: { access: anyone }
views:
  brief: { operations: [list, get] }
search: true
rules:
  - { check: 'total == null || total.amount < 5000', code: TooDear, path: price, message: must be less }
fields:
  name: { type: string, required: true, maxLength: 20, filter: true }
  price: { type: price, required: true }
  quantity: { type: integer, default: 1 }
  seller: { type: ref, to: User, show: [name, isNamedAnn] }
  others: { type: array, items: { type: ref, to: User, show: [isNamedAnn] } }
  endingAt: { type: timestamp }
  total: { type: price, is: 'price * quantity' }
  isLarge: { type: boolean, is: 'total.amount >= 100' }
  label: { type: string, is: 'seller == null ? "nobody''s?" : seller.employer.name' }
  employer: { type: ref, to: User, is: 'seller.employer' }
  reviewCount: { type: integer, is: 'count(Review.line, rating > 2)' }
  hasEnded: { type: boolean, is: 'endingAt < now', views: [brief] }
  endsLater: { type: timestamp, is: 'endingAt + duration("P1D")', versions: [beta.v2] }
"#;

const REVIEW: &str = r#"
resource: Review
operations: { create: { access: anyone }, get: {} }
fields:
  line: { type: ref, to: Line, show: [total, reviewCount] }
  rating: { type: integer }
"#;

struct Shop {
    api: Running,
    clock: TestClock,
    ann: String,
    firm: String,
}

impl Shop {
    fn new(server: Option<&Server>) -> Self {
        let clock = TestClock::at("2026-05-01T12:00:00.000Z".parse().expect("a time"));
        let model = model(&[SERVICE, USER, LINE, REVIEW]);
        let setup = Setup::of(Builder::interpreted(Interpreted::of(model))).clock(&clock);
        let api = match server {
            Some(server) => setup.own_database(server.url()).start(),
            None => setup.start(),
        };
        let mut shop = Self { api, clock, ann: String::new(), firm: String::new() };
        shop.firm = shop.made("/users", &json!({ "name": "Firm" }));
        shop.ann = shop.made("/users", &json!({ "name": "Ann?", "employer": { "id": shop.firm } }));
        shop
    }

    fn made(&self, path: &str, body: &Value) -> String {
        let made: Value = self.api.client().post(path, body).is(201).read();
        made["id"].as_str().expect("an id").to_owned()
    }

    fn line(&self, name: &str) -> Value {
        json!({
            "name": name, "price": { "amount": "12.50", "currency": "EUR" }, "quantity": 9,
            "seller": { "id": self.ann }, "others": [{ "id": self.firm }, { "id": self.ann }],
        })
    }

    /// The lines of the response to a GET with these headers, as they come.
    fn lines(&self, path: &str, headers: &str) -> impl Iterator<Item = String> + use<> {
        let mut connection = TcpStream::connect(self.api.address()).expect("a connection");
        connection.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        let head = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nUser-Agent: test\r\n{headers}\r\n");
        connection.write_all(head.as_bytes()).expect("a request");
        let path = path.to_owned();
        BufReader::new(connection).lines().map(move |line| line.unwrap_or_else(|error| panic!("{path}: {error}")))
    }

    fn get(&self, path: &str) -> TestResponse {
        self.api.client().get(path).is(200)
    }
}

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let shop = Shop::new(server);
    every_response_has_the_value(&shop);
    requests_cannot_set_it(&shop);
    entity_tags_follow_the_value(&shop);
    the_time_is_that_of_the_read(&shop);
    views_and_versions_have_their_fields(&shop);
    conditions_and_rules_read_it(&shop);
    events_show_it(&shop);
    nothing_is_found_by_it(&shop);
    code_reads_it(server);
    Ok(())
}

fn every_response_has_the_value(shop: &Shop) {
    let created: Value = shop.api.client().post("/lines", shop.line("all")).is(201).read();
    let path = format!("/lines/{}", created["id"].as_str().expect("an id"));
    assert_eq!(created["total"], json!({ "amount": "112.50", "currency": "EUR" }));
    assert_eq!((&created["isLarge"], &created["reviewCount"]), (&json!(true), &json!(0)));
    assert_eq!((&created["label"], &created["employer"]), (&json!("Firm"), &json!({ "id": shop.firm })));
    assert_eq!(created["seller"], json!({ "id": shop.ann, "name": "Ann?", "isNamedAnn": true }));
    let others = json!([{ "id": shop.firm, "isNamedAnn": false }, { "id": shop.ann, "isNamedAnn": true }]);
    assert_eq!(created["others"], others);
    assert_eq!(shop.get(&path).json, created);
    assert_eq!(shop.get("/lines?name=all").json["lines"], json!([created]));
    let search: Value = shop.api.client().post("/line-searches", json!({ "name": "all" })).is(201).read();
    let found = shop.get(&format!("/lines?search.id={}", search["id"].as_str().expect("an id"))).json;
    assert_eq!(found["lines"], json!([created]));
    let sales = shop.made("/reviews", &json!({ "line": { "id": created["id"] }, "rating": 5 }));
    shop.made("/reviews", &json!({ "line": { "id": created["id"] }, "rating": 1 }));
    let shown = shop.get(&format!("/reviews/{sales}")).json["line"].clone();
    assert_eq!((&shown["total"], &shown["reviewCount"]), (&created["total"], &json!(1)));
    let mut body = created.clone();
    body["quantity"] = json!(2);
    shop.api.client().put(&format!("{path}?dryRun=true"), &body).is(204);
    let changed: Value = shop.api.client().put(&path, &body).is(200).read();
    let expected = json!({ "amount": "25.00", "currency": "EUR" });
    assert_eq!(
        (&changed["total"], &changed["isLarge"], &changed["reviewCount"]),
        (&expected, &json!(false), &json!(1))
    );
    body["seller"] = Value::Null;
    body["quantity"] = Value::Null;
    let changed: Value = shop.api.client().put(&path, &body).is(200).read();
    assert_eq!((&changed["total"], &changed["label"]), (&Value::Null, &json!("nobody's?")));
    assert_eq!((&changed["isLarge"], &changed["employer"]), (&json!(false), &Value::Null));
}

fn requests_cannot_set_it(shop: &Shop) {
    let mut body = shop.line("ignored");
    body["total"] = json!("what nobody reads");
    body["reviewCount"] = json!(99);
    let created: Value = shop.api.client().post("/lines", &body).is(201).read();
    assert_eq!((&created["total"]["amount"], &created["reviewCount"]), (&json!("112.50"), &json!(0)));
    let path = format!("/lines/{}", created["id"].as_str().expect("an id"));
    let again: Value = shop.api.client().put(&path, &created).is(200).read();
    assert_eq!(again["total"], created["total"]);
    let operations = json!([
        { "op": "test", "path": "/total/amount", "value": "112.50" },
        { "op": "replace", "path": "/reviewCount", "value": 7 },
        { "op": "replace", "path": "/quantity", "value": 1 },
    ]);
    let patched: Value = shop.api.client().patch(&path, operations).is(200).read();
    assert_eq!((&patched["total"]["amount"], &patched["reviewCount"]), (&json!("12.50"), &json!(0)));
}

fn entity_tags_follow_the_value(shop: &Shop) {
    let id = shop.made("/lines", &shop.line("tagged"));
    let path = format!("/lines/{id}");
    let tag = |response: &TestResponse| response.headers["etag"].clone();
    let before = tag(&shop.get(&path));
    shop.made("/reviews", &json!({ "line": { "id": id }, "rating": 4 }));
    let after = tag(&shop.get(&path));
    assert_ne!(before, after);
    shop.api.client().with_header("If-Match", &before).put(&path, shop.line("tagged")).is(412);
    shop.api.client().with_header("If-Match", &after).put(&path, shop.line("tagged")).is(200);
}

fn the_time_is_that_of_the_read(shop: &Shop) {
    let mut body = shop.line("timed");
    body["endingAt"] = json!(shop.clock.now().to_string());
    let id = shop.made("/lines", &body);
    let (one, all) = (format!("/brief/lines/{id}"), format!("/brief/lines?id={id}"));
    let seen = || (shop.get(&one).json["hasEnded"].clone(), shop.get(&all).json["lines"][0]["hasEnded"].clone());
    let tag = shop.get(&one).headers["etag"].clone();
    assert_eq!(seen(), (json!(false), json!(false)));
    shop.clock.advance(Duration::from_millis(1));
    assert_eq!(seen(), (json!(true), json!(true)));
    assert_ne!(tag, shop.get(&one).headers["etag"]);
}

fn views_and_versions_have_their_fields(shop: &Shop) {
    let mut body = shop.line("versions");
    body["endingAt"] = json!("2026-02-28T10:00:00.000Z");
    let path = format!("/lines/{}", shop.made("/lines", &body));
    assert!(shop.get(&path).json.get("hasEnded").is_none());
    assert!(shop.get(&path).json.get("endsLater").is_none());
    let accept = "Accept: application/vnd.service.beta.v2+json\r\nConnection: close\r\n";
    let body = shop.lines(&path, accept).last().expect("a body");
    let beta: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(beta["endsLater"], "2026-03-01T10:00:00.000Z");
}

fn conditions_and_rules_read_it(shop: &Shop) {
    let mut body = shop.line("dear");
    body["quantity"] = json!(100);
    shop.api.client().post("/lines", &body).is(201);
    // its total is not less than 1000
    assert_eq!(shop.get("/lines?name=dear").json["lines"], json!([]));
    assert_eq!(shop.get("/brief/lines?name=dear").json["lines"][0]["name"], "dear");
    body["quantity"] = json!(400);
    assert_eq!(shop.api.client().post("/lines", &body).is(422).errors(), [("TooDear", Some("price"))]);
}

fn events_show_it(shop: &Shop) {
    let id = shop.made("/lines", &shop.line("event"));
    let mut events = shop
        .lines("/events", "Accept: text/event-stream\r\nLast-Event-ID: 0\r\n")
        .filter_map(|line| line.strip_prefix("data: ").map(|data| serde_json::from_str::<Value>(data).expect("JSON")));
    let event = events.find(|event| event["data"]["id"] == id).expect("an event");
    assert_eq!((&event["data"]["total"]["amount"], &event["data"]["label"]), (&json!("112.50"), &json!("Firm")));
}

fn nothing_is_found_by_it(shop: &Shop) {
    for parameter in ["total.amount=1", "isLarge=true", "sort=label"] {
        shop.api.client().get(&format!("/lines?{parameter}")).is(422);
    }
    shop.api.client().post("/line-searches", json!({ "isLarge": true })).is(422);
}

/// A line, in code.
#[derive(Debug, Clone, Resource)]
pub(crate) struct Item {
    /// What one costs.
    pub price: Price,
    /// How many there are.
    pub quantity: i64,
    /// The shelf that it is on.
    pub shelf: Option<Ref<Shelf>>,
    /// All of them.
    #[field(is = "price * quantity")]
    pub total: Option<Price>,
    /// Where it is.
    #[field(is = "shelf.name")]
    pub place: Option<String>,
}

/// Where items are.
#[derive(Debug, Clone, Resource)]
pub(crate) struct Shelf {
    /// Its name.
    pub name: String,
    /// How many items are on it.
    #[field(is = "count(Item.shelf)")]
    pub occupancy: Option<i64>,
}

fn code_reads_it(server: Option<&Server>) {
    let setup = Setup::of(Builder::new("store").resource::<Item>().resource::<Shelf>());
    let api = match server {
        Some(server) => setup.own_database(server.url()).start(),
        None => setup.start(),
    };
    let found = api.seed(|transaction| async move {
        let shelf = transaction.create(Shelf { name: "left".to_owned(), occupancy: Some(7) }).await?;
        let price: Price = "1.50 EUR".parse().expect("a price");
        let item = Item { price, quantity: 4, shelf: Some(shelf.id.into()), total: None, place: Some("?".to_owned()) };
        let item = transaction.create(item).await?;
        let mut item = transaction.find::<Item>(item.id).await?;
        item.quantity = 5;
        item.total = None;
        let id = item.id;
        transaction.update(item).await?;
        Ok((transaction.find::<Item>(id).await?, transaction.find::<Shelf>(shelf.id).await?))
    });
    let (item, shelf) = found;
    assert_eq!(item.total.map(|total| total.to_string()).as_deref(), Some("7.50 EUR"));
    assert_eq!((item.place.as_deref(), shelf.occupancy), (Some("left"), Some(1)));
    let seen: Value = api.client().get(&format!("/items/{}", item.id)).is(200).read();
    assert_eq!((&seen["total"]["amount"], &seen["place"]), (&json!("7.50"), &json!("left")));
}
