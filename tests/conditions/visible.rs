//! `visible` on resources: what a caller must not see does not exist for them, on every path, on both stores.

use crate::access::names;
use crate::market::{Market, made};
use libtest_mimic::Failed;
use restwell::testing::{Running, TestClient};
use restwell_testkit::postgres::Server;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

const SERVICE: &str = r#"
service: market
users: User
roles:
  moderator: '"offers.admin" in scopes'
"#;

const USER: &str = r#"
resource: User
operations: { create: { access: anyone }, get: {}, list: {}, delete: { access: anyone } }
fields:
  name: { type: string, required: true, maxLength: 20 }
"#;

const OFFER: &str = r#"
resource: Offer
owner: seller
under: [seller]
visible: [owner, moderator, { when: 'status == "ACTIVE" && (isForGroup != true || any(Friend.of, who == caller))' }]
operations:
  create: { access: user }
  list: { access: anyone }
  get: { access: anyone }
  update: { access: user }
  patch: { access: user }
  delete: { access: user }
views:
  watched: { through: Watch.offer, operations: { list: { access: user }, get: { access: user } } }
  on-sale: { where: 'status != "ENDED"', operations: { list: {}, get: {} } }
commands:
  link: { access: anyone, input: { to: { type: ref, to: Offer, required: true } } }
search: true
fields:
  name: { type: string, required: true, maxLength: 20, filter: true, sort: true, unique: true }
  seller: { type: ref, to: User, required: true }
  status: { type: enum, values: [DRAFT, ACTIVE, ENDED], default: DRAFT, filter: true }
  isForGroup: { type: boolean }
"#;

const FRIEND: &str = r#"
resource: Friend
operations: { create: { access: anyone }, list: {} }
fields:
  of: { type: ref, to: Offer }
  who: { type: ref, to: User }
"#;

const SALE: &str = r#"
resource: Sale
under: [offer]
operations: { create: { access: anyone }, list: {}, get: {}, update: { access: anyone }, patch: { access: anyone } }
fields:
  offer: { type: ref, to: Offer, show: [name, status, createdAt], required: true, onDelete: cascade }
  others: { type: array, items: { type: ref, to: Offer, show: [name], onDelete: cascade } }
  note: { type: string, maxLength: 20 }
"#;

const WATCH: &str = r#"
resource: Watch
owner: user
visible: [{ when: 'user == caller && note == null' }]
operations: { create: { access: user }, list: {}, get: {} }
fields:
  offer: { type: ref, to: Offer, required: true, onDelete: cascade }
  user: { type: ref, to: User, required: true, onDelete: cascade }
  note: { type: string, maxLength: 20 }
"#;

const SECRET: &str = r#"
resource: Vault
visible: moderator
disclose: true
operations: { create: { access: anyone }, list: {}, get: {}, update: { access: anyone }, delete: { access: anyone } }
fields:
  name: { type: string, maxLength: 20 }
"#;

const PAGE: &str = r#"
resource: Page
under: [vault]
operations: { create: { access: anyone }, list: {} }
fields:
  vault: { type: ref, to: Vault }
"#;

const MISSING: &str = "018f0000-0000-7000-8000-000000000000";
const COMMAND: &str = "018f0000-0000-7000-8000-000000000001";

/// An offer of Ann's.
fn create_offer(market: &Market, name: &str, status: &str) -> String {
    made(&market.ann(), "/offers", &json!({ "name": name, "status": status, "seller": { "id": market.ann } }))
}

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let market = Market::new(&[SERVICE, USER, OFFER, FRIEND, SALE, WATCH, SECRET, PAGE], server);
    lists_lack_what_is_hidden(&market);
    a_hidden_entity_is_not_found(&market);
    references_to_what_is_hidden_are_references_to_nothing(&market);
    references_show_nothing_of_what_is_hidden(&market);
    tags_are_of_what_the_caller_sees(&market);
    views_through_others_are_as_far_as_these_are_seen(&market);
    commands_of_hidden_entities_are_not_found(&market);
    constraints_say_one_bit(&market);
    conditions_ask_the_other_side(&market);
    events_are_of_what_was_seen(&market);
    options_are_of_what_the_caller_sees(&market);
    disclosed_entities_are_forbidden(&market);
    Ok(())
}

fn lists_lack_what_is_hidden(market: &Market) {
    for (name, status) in [("l-draft", "DRAFT"), ("l-active", "ACTIVE"), ("l-ended", "ENDED")] {
        create_offer(market, name, status);
    }
    let all = "name=l-draft&name=l-active&name=l-ended";
    let list = |client: TestClient, path: &str| names(&client.get(path).is(200));
    let of = |names: &[&str]| (names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>(), names.len() as u64);
    for path in [format!("/offers?{all}"), format!("/users/{}/offers?{all}", market.ann)] {
        assert_eq!(list(market.nobody(), &path), of(&["l-active"]));
        assert_eq!(list(market.bob(), &path), of(&["l-active"]));
        assert_eq!(list(market.ann(), &path), of(&["l-draft", "l-active", "l-ended"]));
        assert_eq!(list(market.moderator(), &path), of(&["l-draft", "l-active", "l-ended"]));
    }
    assert_eq!(list(market.ann(), &format!("/on-sale/offers?{all}")), of(&["l-draft", "l-active"]));
    assert_eq!(list(market.nobody(), &format!("/on-sale/offers?{all}")), of(&["l-active"]));
    // filters and sorts find nothing of it
    assert_eq!(list(market.nobody(), "/offers?name=l-draft"), of(&[]));
    assert_eq!(list(market.nobody(), &format!("/offers?{all}&status=DRAFT")), of(&[]));
    assert_eq!(list(market.nobody(), &format!("/offers?{all}&sort=-name")), of(&["l-active"]));
    let page = market.nobody().get(&format!("/offers?{all}&limit=1&offset=1")).is(200);
    assert_eq!(names(&page), (Vec::new(), 1));
    let search = json!({ "status": ["DRAFT"] });
    let search: Value = market.nobody().post("/offer-searches", search).is(201).read();
    let path = format!("/offers?search.id={}", search["id"].as_str().expect("an id"));
    assert_eq!(list(market.nobody(), &path), of(&[]));
    assert_eq!(list(market.ann(), &path), of(&["l-draft"]));
}

fn a_hidden_entity_is_not_found(market: &Market) {
    let id = create_offer(market, "hidden", "DRAFT");
    let body = json!({ "name": "hidden", "seller": { "id": market.bob } });
    let rename = json!([{ "op": "replace", "path": "/name", "value": "seen" }]);
    for client in [market.nobody(), market.bob()] {
        let answer = |id: &str| {
            [
                client.get(&format!("/offers/{id}")),
                client.get(&format!("/on-sale/offers/{id}")),
                client.put(&format!("/offers/{id}"), &body),
                client.put(&format!("/offers/{id}?dryRun=true"), &body),
                // nothing is said of its values either
                client.put(&format!("/offers/{id}"), json!({ "name": "x".repeat(40) })),
                client.patch(&format!("/offers/{id}"), &rename),
                client.patch(&format!("/offers/{id}"), json!([{ "op": "test", "path": "/status", "value": "DRAFT" }])),
                client.delete(&format!("/offers/{id}")),
                client.delete(&format!("/offers/{id}?dryRun=true")),
                client.get(&format!("/offers/{id}/sales")),
                client.get(&format!("/offers/{id}/link-commands")),
            ]
            .map(|response| (response.status, response.json))
        };
        assert_eq!(answer(&id), answer(MISSING), "it is like an id that was never given");
    }
    assert_eq!(market.bob().get(&format!("/offers/{id}")).status, 404);
    market.ann().get(&format!("/offers/{id}")).is(200);
    market.moderator().get(&format!("/offers/{id}")).is(200);
    // once it is shown it is there, and the answer to the change that hides it still has it
    let shown = json!({ "name": "hidden", "status": "ACTIVE", "seller": { "id": market.ann } });
    market.ann().put(&format!("/offers/{id}"), shown).is(200);
    market.bob().get(&format!("/offers/{id}")).is(200);
    market.ann().delete(&format!("/offers/{id}")).is(204);
}

fn references_to_what_is_hidden_are_references_to_nothing(market: &Market) {
    let (hidden, shown) = (create_offer(market, "r-hidden", "DRAFT"), create_offer(market, "r-shown", "ACTIVE"));
    let sale = |offer: &str| json!({ "offer": { "id": offer } });
    let listed = |offer: &str| json!({ "offer": { "id": shown }, "others": [{ "id": offer }] });
    for client in [market.nobody(), market.bob()] {
        let errors = |id: &str| {
            [
                client.post("/sales", sale(id)).is(422).json,
                client.post("/sales?dryRun=true", sale(id)).is(422).json,
                client.post("/sales", listed(id)).is(422).json,
                client.post("/sales", json!({ "offer": { "id": id }, "note": "x".repeat(40) })).is(422).json,
            ]
        };
        assert_eq!(errors(&hidden), errors(MISSING));
        assert_eq!(client.post("/sales", sale(&hidden)).errors(), [("NotFound", Some("offer.id"))]);
        client.post(&format!("/offers/{hidden}/sales"), json!({})).is(404);
    }
    market.ann().post("/sales", sale(&hidden)).is(201);
    // what it refers to already may stay when it is hidden later, and nothing else may come
    let of_bob = made(&market.bob(), "/sales", &listed(&shown));
    market.ann().put(&format!("/offers/{shown}"), json!({ "name": "r-shown", "seller": { "id": market.ann } })).is(200);
    let path = format!("/sales/{of_bob}");
    market.bob().put(&path, listed(&shown)).is(200);
    let note = json!([{ "op": "replace", "path": "/note", "value": "kept" }]);
    market.bob().patch(&path, note).is(200);
    assert_eq!(market.bob().put(&path, listed(&hidden)).errors(), [("NotFound", Some("others.0.id"))]);
    assert_eq!(market.bob().put(&path, sale(&hidden)).errors(), [("NotFound", Some("offer.id"))]);
}

fn references_show_nothing_of_what_is_hidden(market: &Market) {
    let offer = create_offer(market, "s-offer", "ACTIVE");
    let body = json!({ "offer": { "id": offer }, "others": [{ "id": offer }] });
    let path = format!("/sales/{}", made(&market.bob(), "/sales", &body));
    let read = |client: TestClient, path: &str| -> Value { client.get(path).is(200).read() };
    assert_eq!(read(market.bob(), &path)["offer"]["name"], "s-offer");
    market.ann().put(&format!("/offers/{offer}"), json!({ "name": "s-offer", "seller": { "id": market.ann } })).is(200);
    let hidden = json!({ "id": offer, "name": null, "status": null, "createdAt": null });
    for client in [market.nobody(), market.bob()] {
        let sale = read(client, &path);
        assert_eq!(sale["offer"], hidden);
        assert_eq!(sale["others"], json!([{ "id": offer, "name": null }]));
    }
    assert_eq!(read(market.ann(), &path)["offer"]["name"], "s-offer");
    assert_eq!(read(market.ann(), &path)["others"], json!([{ "id": offer, "name": "s-offer" }]));
    let of_list = |client: TestClient| {
        let list = read(client, "/sales?limit=100");
        let sales = list["sales"].as_array().expect("sales").clone();
        sales.into_iter().find(|sale| sale["offer"]["id"] == offer.as_str()).expect("the sale")
    };
    assert_eq!(of_list(market.bob())["offer"], hidden);
    assert_eq!(of_list(market.bob())["others"], json!([{ "id": offer, "name": null }]));
    assert_eq!(of_list(market.ann())["offer"]["name"], "s-offer");
    // so do the answers to writes
    let changed: Value = market.bob().put(&path, body).is(200).read();
    assert_eq!(changed["offer"], hidden);
}

fn tags_are_of_what_the_caller_sees(market: &Market) {
    let offer = create_offer(market, "t-offer", "DRAFT");
    let path = format!("/sales/{}", made(&market.ann(), "/sales", &json!({ "offer": { "id": offer } })));
    let tag = |client: TestClient| client.get(&path).is(200).headers["etag"].clone();
    let (of_ann, of_bob) = (tag(market.ann()), tag(market.bob()));
    assert_ne!(of_ann, of_bob);
    // what is hidden changes, and the tag does not
    let renamed = json!([{ "op": "replace", "path": "/name", "value": "t-renamed" }]);
    market.ann().patch(&format!("/offers/{offer}"), renamed).is(200);
    assert_ne!(tag(market.ann()), of_ann);
    assert_eq!(tag(market.bob()), of_bob);
    let patch = json!([{ "op": "test", "path": "/offer/name", "value": "t-renamed" }]);
    market.bob().patch(&path, patch).is(422);
    let patch = json!([{ "op": "replace", "path": "/note", "value": "bob" }]);
    market.bob().patch(&path, patch).is(200);
}

fn views_through_others_are_as_far_as_these_are_seen(market: &Market) {
    let (hidden, shown) = (create_offer(market, "w-hidden", "DRAFT"), create_offer(market, "w-shown", "ACTIVE"));
    let watched = |client: TestClient| names(&client.get("/watched/offers?name=w-hidden&name=w-shown").is(200)).0;
    let watch =
        |offer: &str, note: Value| json!({ "offer": { "id": offer }, "user": { "id": market.bob }, "note": note });
    market.bob().post("/watches", watch(&hidden, Value::Null)).is(422);
    let path = format!("/watched/offers/{shown}");
    // a watch with a note is hidden from everyone
    market.bob().post("/watches", watch(&shown, json!("secret"))).is(201);
    assert_eq!(watched(market.bob()), Vec::<String>::new());
    market.bob().get(&path).is(404);
    market.bob().post("/watches", watch(&shown, Value::Null)).is(201);
    assert_eq!(watched(market.bob()), ["w-shown"]);
    market.bob().get(&path).is(200);
    market.ann().put(&format!("/offers/{shown}"), json!({ "name": "w-shown", "seller": { "id": market.ann } })).is(200);
    assert_eq!(watched(market.bob()), Vec::<String>::new());
    market.bob().get(&path).is(404);
}

fn commands_of_hidden_entities_are_not_found(market: &Market) {
    let (hidden, shown) = (create_offer(market, "c-hidden", "DRAFT"), create_offer(market, "c-shown", "ACTIVE"));
    let command = |offer: &str| format!("/offers/{offer}/link-commands/{COMMAND}");
    let to = |offer: &str| json!({ "to": { "id": offer } });
    for client in [market.nobody(), market.bob()] {
        let answers = |id: &str| {
            [
                client.put(&command(id), to(&shown)).status,
                client.get(&command(id)).status,
                client.get(&format!("/offers/{id}/link-commands")).status,
            ]
        };
        assert_eq!(answers(&hidden), answers(MISSING));
        assert_eq!(answers(&hidden), [404, 404, 404]);
        // no handler is there: the caller may send it
        client.put(&command(&shown), to(&shown)).is(501);
    }
    market.ann().put(&command(&hidden), to(&shown)).is(501);
}

fn constraints_say_one_bit(market: &Market) {
    create_offer(market, "u-taken", "DRAFT");
    let same = json!({ "name": "u-taken", "seller": { "id": market.bob } });
    assert_eq!(market.bob().post("/offers", same).errors(), [("NotUnique", Some("name"))]);
    let carl = made(&market.nobody(), "/users", &json!({ "name": "Carl" }));
    let draft = json!({ "name": "u-carl", "seller": { "id": carl } });
    market.as_user(&carl).post("/offers", draft).is(201);
    let refused = market.nobody().delete(&format!("/users/{carl}")).is(422);
    assert_eq!(refused.errors(), [("StillReferenced", None)]);
    let body: Value = refused.read();
    assert_eq!(body["errors"][0]["details"], Value::Null, "{body}");
}

fn conditions_ask_the_other_side(market: &Market) {
    let body = json!({
        "name": "f-offer", "status": "ACTIVE", "seller": { "id": market.ann }, "isForGroup": true,
    });
    let id = made(&market.ann(), "/offers", &body);
    let path = format!("/offers/{id}");
    market.bob().get(&path).is(404);
    assert_eq!(names(&market.bob().get("/offers?name=f-offer").is(200)).1, 0);
    market.ann().post("/friends", json!({ "of": { "id": id }, "who": { "id": market.bob } })).is(201);
    market.bob().get(&path).is(200);
    assert_eq!(names(&market.bob().get("/offers?name=f-offer").is(200)).1, 1);
    market.nobody().get(&path).is(404);
}

fn events(market: &Market, caller: Option<(&str, &[&str])>, until: &str) -> Vec<(String, String, Value)> {
    events_of(&market.api, caller, until)
}

/// The events of a stream from its beginning up to the creation of a user of this name: the kind and the subject of
/// each, and the whole of it.
pub(crate) fn events_of(api: &Running, caller: Option<(&str, &[&str])>, until: &str) -> Vec<(String, String, Value)> {
    made(&api.client(), "/users", &json!({ "name": until }));
    let credentials = caller.map_or_else(String::new, |(id, scopes)| {
        let token = api.token(id.parse().expect("an id"), scopes);
        format!("Authorization: Bearer {token}\r\n")
    });
    let mut connection = TcpStream::connect(api.address()).expect("a connection");
    connection.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    let head = format!(
        "GET /events HTTP/1.1\r\nHost: localhost\r\nUser-Agent: test\r\nAccept: text/event-stream\r\n\
         Last-Event-ID: 0\r\n{credentials}\r\n"
    );
    connection.write_all(head.as_bytes()).expect("a request");
    let mut found = Vec::new();
    for line in BufReader::new(connection).lines() {
        let line = line.expect("an event");
        let Some(data) = line.strip_prefix("data: ") else { continue };
        let event: Value = serde_json::from_str(data).expect("JSON");
        if event["data"]["name"] == until {
            break;
        }
        let text = |name: &str| event[name].as_str().expect("a text").to_owned();
        found.push((text("type"), text("subject"), event["data"].clone()));
    }
    found
}

fn events_are_of_what_was_seen(market: &Market) {
    let id = create_offer(market, "e-offer", "DRAFT");
    let path = format!("/offers/{id}");
    let body = |name: &str, status: &str| json!({ "name": name, "status": status, "seller": { "id": market.ann } });
    let sale = made(&market.ann(), "/sales", &json!({ "offer": { "id": id }, "others": [{ "id": id }] }));
    market.ann().put(&path, body("e-shown", "ACTIVE")).is(200);
    market.ann().put(&path, body("e-again", "ENDED")).is(200);
    let of = |caller: Option<(&str, &[&str])>, until: &str| -> Vec<String> {
        let events = events(market, caller, until).into_iter().filter(|(_, subject, _)| *subject == id);
        let word = |kind: &str| kind.rsplit('.').next().unwrap_or_default().to_owned();
        events.map(|(kind, _, data)| format!("{} {}", word(&kind), data["name"].as_str().unwrap_or("-"))).collect()
    };
    let all = ["created e-offer", "updated e-shown", "updated e-again"];
    assert_eq!(of(None, "1"), ["updated e-shown"]);
    assert_eq!(of(Some((&market.bob, &[])), "2"), ["updated e-shown"]);
    assert_eq!(of(Some((&market.ann, &[])), "3"), all);
    assert_eq!(of(Some((&market.bob, &["offers.admin"])), "4"), all);
    // others show nothing of it, to any caller
    let shown = events(market, Some((&market.ann, &[])), "5").into_iter().find(|(_, subject, _)| *subject == sale);
    let (_, _, data) = shown.expect("the event of the sale");
    assert_eq!(data["offer"], json!({ "id": id, "name": null, "status": null, "createdAt": null }));
    assert_eq!(data["others"], json!([{ "id": id, "name": null }]));
    market.ann().delete(&path).is(204);
    assert_eq!(of(None, "6"), ["updated e-shown"]);
    assert_eq!(of(Some((&market.ann, &[])), "7").last().map(String::as_str), Some("deleted -"));
    assert_eq!(of(Some((&market.bob, &["offers.admin"])), "8").last().map(String::as_str), Some("deleted -"));
}

fn options_are_of_what_the_caller_sees(market: &Market) {
    let id = create_offer(market, "m-draft", "DRAFT");
    let path = format!("/offers/{id}");
    let allow = market.ann().options(&path).is(204).headers["allow"].clone();
    assert_eq!(allow, "DELETE, GET, HEAD, OPTIONS, PATCH, PUT");
    for path in [path.clone(), format!("{path}/link-commands/{COMMAND}"), format!("/offers/{MISSING}")] {
        market.bob().options(&path).is(404);
        market.nobody().options(&path).is(204);
    }
    let vault: Value = market.moderator().post("/vaults", json!({ "name": "m" })).is(201).read();
    market.bob().options(&format!("/vaults/{}", vault["id"].as_str().expect("an id"))).is(403);
}

fn disclosed_entities_are_forbidden(market: &Market) {
    let id = made(&market.nobody(), "/vaults", &json!({ "name": "gold" }));
    let path = format!("/vaults/{id}");
    let missing = format!("/vaults/{MISSING}");
    market.moderator().get(&path).is(200);
    market.bob().get(&path).is(403);
    market.nobody().get(&path).is(401);
    market.bob().put(&path, json!({ "name": "silver" })).is(403);
    market.bob().delete(&path).is(403);
    market.bob().get(&missing).is(404);
    market.bob().put(&missing, json!({ "name": "silver" })).is(404);
    market.bob().delete(&missing).is(404);
    // so are the collections below it
    market.bob().get(&format!("{path}/pages")).is(403);
    market.bob().options(&format!("{path}/pages")).is(403);
    market.bob().post(&format!("{path}/pages"), json!({})).is(403);
    market.nobody().get(&format!("{path}/pages")).is(401);
    market.moderator().post(&format!("{path}/pages"), json!({})).is(201);
    market.bob().get(&format!("{missing}/pages")).is(404);
    market.bob().post(&format!("{missing}/pages"), json!({})).is(404);
    let list: Value = market.bob().get("/vaults").is(200).read();
    assert_eq!(list, json!({ "vaults": [], "count": 0 }));
}
