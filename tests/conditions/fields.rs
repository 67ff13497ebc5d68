//! `visible` and `writable` of fields, on every path, on both stores.

use crate::access::names;
use crate::market::{Market, made};
use crate::visible::events_of;
use libtest_mimic::Failed;
use restwell::testing::TestClient;
use restwell_testkit::postgres::Server;
use serde_json::{Value, json};

const SERVICE: &str = r#"
service: market
users: User
roles:
  moderator: '"offers.admin" in scopes'
"#;

const USER: &str = r#"
resource: User
operations: { create: { access: anyone }, get: {}, list: {} }
fields:
  name: { type: string, required: true, maxLength: 20 }
"#;

const OFFER: &str = r#"
resource: Offer
owner: seller
under: [buyer]
operations:
  create: { access: anyone }
  list: {}
  get: {}
  update: { access: anyone }
  patch: { access: anyone }
views:
  shop: { operations: { list: {}, get: {} } }
  watched: { through: Watch.offer, operations: { list: { access: user } } }
rules:
  - check: 'costPrice == null || price == null || costPrice.amount <= price.amount'
    code: SoldAtALoss
    path: price.amount
    message: must cover the cost
  - check: 'name != "bad"'
    code: BadName
    path: name
    message: is bad
search: true
fields:
  name: { type: string, required: true, maxLength: 20, filter: true }
  seller: { type: ref, to: User, required: true }
  status: { type: enum, values: [DRAFT, ACTIVE, ENDED], default: DRAFT, filter: true, sort: true }
  price: { type: price }
  costPrice: { type: price, visible: [owner, moderator], writable: owner, filter: true, sort: true }
  note:
    type: string
    visible: [owner, { when: 'status == "ACTIVE"' }]
    filter: [not, startsWith, contains]
    sort: true
  tags: { type: array, items: { type: string }, visible: owner }
  address: { type: Address, required: true, default: { city: none }, visible: owner }
  buyer: { type: ref, to: User, show: [name], visible: [owner, moderator] }
  rank: { type: integer, required: true, default: 1, writable: moderator, filter: true }
"#;

const ADDRESS: &str = r#"
object: Address
fields: { city: { type: string, required: true } }
"#;

const SALE: &str = r#"
resource: Sale
operations: { create: { access: anyone }, list: {}, get: {} }
fields:
  offer: { type: ref, to: Offer, show: [name, costPrice, note, tags, address], required: true }
  others: { type: array, items: { type: ref, to: Offer, show: [name, note, tags] } }
"#;

const WATCH: &str = r#"
resource: Watch
owner: user
operations: { create: { access: user }, update: { access: owner } }
fields:
  offer: { type: ref, to: Offer, visible: [{ when: 'isOpen == true' }] }
  user: { type: ref, to: User, required: true }
  isOpen: { type: boolean }
"#;

const ALBUM: &str = r#"
resource: Album
owner: keeper
operations: { create: { access: user }, get: {}, update: { access: user }, patch: { access: user } }
fields:
  keeper: { type: ref, to: User, required: true }
  name: { type: string, maxLength: 20 }
  pictures: { type: array, items: { type: ref, to: Picture }, visible: owner }
"#;

const PICTURE: &str = r#"
resource: Picture
operations: { create: { access: anyone }, get: {}, delete: { access: anyone } }
fields:
  name: { type: string, maxLength: 20 }
"#;

const LETTER: &str = r#"
resource: Letter
operations: { create: { access: anyone }, get: {}, update: { access: anyone } }
fields:
  address: { type: string, required: true, visible: moderator, writable: anyone }
  stamp: { type: string, visible: moderator }
"#;

fn offer_body(market: &Market, name: &str, status: &str) -> Value {
    json!({
        "name": name,
        "seller": { "id": market.ann },
        "status": status,
        "price": zloty("9.00"),
        "costPrice": zloty("5.00"),
        "note": format!("note of {name}"),
        "tags": ["red"],
        "address": { "city": "Łódź" },
        "buyer": { "id": market.bob },
    })
}

/// An offer of Ann's.
fn create_offer(market: &Market, name: &str, status: &str) -> String {
    made(&market.ann(), "/offers", &offer_body(market, name, status))
}

fn zloty(amount: &str) -> Value {
    json!({ "amount": amount, "currency": "PLN" })
}

fn read(client: &TestClient, path: &str) -> Value {
    client.get(path).is(200).read()
}

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let market = Market::new(&[SERVICE, USER, OFFER, ADDRESS, SALE, WATCH, ALBUM, PICTURE, LETTER], server);
    what_is_not_seen_is_null(&market);
    tags_are_of_what_is_seen(&market);
    lists_cannot_be_asked_for_what_is_never_seen(&market);
    lists_are_asked_for_what_is_seen_of_each(&market);
    references_show_what_is_seen(&market);
    what_is_not_seen_stays(&market);
    what_is_not_seen_cannot_be_set(&market);
    only_some_may_write(&market);
    creations_are_decided_on_the_new_entity(&market);
    what_its_author_may_write_is_given_unseen(&market);
    rules_say_one_bit_of_what_is_not_seen(&market);
    events_show_what_is_seen(&market);
    views_lead_through_what_is_seen(&market);
    references_that_are_not_seen_still_count(&market);
    Ok(())
}

const BLANK: &[(&str, &str)] =
    &[("costPrice", "null"), ("note", "null"), ("tags", "[]"), ("address", "null"), ("buyer", "null")];

fn assert_blank(entity: &Value, but: &[&str]) {
    for (name, blank) in BLANK.iter().filter(|(name, _)| !but.contains(name)) {
        assert_eq!(entity[name].to_string(), *blank, "{name} of {entity}");
    }
}

fn what_is_not_seen_is_null(market: &Market) {
    let (draft, active) = (create_offer(market, "n-draft", "DRAFT"), create_offer(market, "n-active", "ACTIVE"));
    for prefix in ["", "/shop"] {
        for client in [market.nobody(), market.bob()] {
            let one = read(&client, &format!("{prefix}/offers/{draft}"));
            assert_blank(&one, &[]);
            assert_eq!(one["name"], "n-draft");
            let other = read(&client, &format!("{prefix}/offers/{active}"));
            assert_blank(&other, &["note"]);
            assert_eq!(other["note"], "note of n-active");
            let list = read(&client, &format!("{prefix}/offers?name=n-draft&name=n-active"));
            assert_eq!(list, json!({ "offers": [one, other], "count": 2 }));
        }
        let whole = read(&market.ann(), &format!("{prefix}/offers/{draft}"));
        assert_eq!((&whole["costPrice"], &whole["buyer"]["name"]), (&zloty("5.00"), &json!("Bob")));
        assert_eq!((&whole["tags"], &whole["address"]), (&json!(["red"]), &json!({ "city": "Łódź" })));
        let moderated = read(&market.moderator(), &format!("{prefix}/offers/{draft}"));
        assert_blank(&moderated, &["costPrice", "buyer"]);
        assert_eq!(moderated["costPrice"], zloty("5.00"));
    }
    // so do the answers to writes
    let path = format!("/offers/{draft}");
    let put: Value = market.bob().put(&path, json!({ "name": "n-put", "seller": { "id": market.ann } })).is(200).read();
    assert_blank(&put, &[]);
    let rename = json!([{ "op": "replace", "path": "/name", "value": "n-patched" }]);
    let patched: Value = market.bob().patch(&path, &rename).is(200).read();
    assert_blank(&patched, &[]);
    assert_eq!(read(&market.ann(), &path)["costPrice"], zloty("5.00"));
}

fn tags_are_of_what_is_seen(market: &Market) {
    let path = format!("/offers/{}", create_offer(market, "t-offer", "DRAFT"));
    let tag = |client: TestClient| client.get(&path).is(200).headers["etag"].clone();
    let (of_ann, of_bob) = (tag(market.ann()), tag(market.bob()));
    assert_ne!(of_ann, of_bob);
    assert_eq!(tag(market.nobody()), of_bob);
    let body = json!({ "name": "t-offer", "seller": { "id": market.ann } });
    market.bob().with_header("if-match", &of_ann).put(&path, &body).is(412);
    market.bob().with_header("if-match", &of_bob).put(&path, &body).is(200);
    let unchanged = tag(market.bob());
    assert_eq!(market.bob().with_header("if-none-match", &unchanged).get(&path).status, 304);
}

fn lists_cannot_be_asked_for_what_is_never_seen(market: &Market) {
    create_offer(market, "f-offer", "DRAFT");
    for name in ["costPrice.amount", "costPrice.amount.gte", "costPrice.currency"] {
        let refused = market.nobody().get(&format!("/offers?{name}=5")).is(422);
        let unknown = market.nobody().get(&format!("/offers?cost{name}=5")).is(422);
        assert_eq!(refused.errors(), [("UnknownParameter", Some(name))]);
        let known = |response: &restwell::testing::TestResponse| response.json["errors"][0]["code"].clone();
        assert_eq!(known(&refused), known(&unknown));
    }
    let refused = market.nobody().get("/offers?sort=costPrice").is(422);
    assert_eq!(refused.errors(), [("InvalidParameter", Some("sort"))]);
    let path = "/offers?name=f-offer&costPrice.amount=5.00&sort=costPrice";
    assert_eq!(names(&market.moderator().get(path).is(200)).1, 1);
    assert_eq!(names(&market.bob().get(path).is(200)).1, 0);
    // the words of `access` do not say who owns an entity: an owner's own are found
    let found = names(&market.ann().get("/offers?name=f-offer&costPrice.amount=5.00").is(200));
    assert_eq!(found, (vec!["f-offer".to_owned()], 1));
    let search = json!({ "costPrice": { "amount": { "gte": "1.00" } } });
    let search: Value = market.moderator().post("/offer-searches", search).is(201).read();
    let path = format!("/offers?search.id={}", search["id"].as_str().expect("an id"));
    market.moderator().get(&path).is(200);
    assert_eq!(market.nobody().get(&path).is(422).errors(), [("UnknownParameter", Some("costPrice"))]);
    let by_tag: Value = market.moderator().post("/offer-searches", json!({ "tags": ["red"] })).is(201).read();
    let path = format!("/offers?search.id={}&limit=100", by_tag["id"].as_str().expect("an id"));
    assert_eq!(market.nobody().get(&path).is(422).errors(), [("UnknownParameter", Some("tags"))]);
    assert_eq!(names(&market.bob().get(&path).is(200)).1, 0, "these are of no offer of Bob's");
    assert!(names(&market.ann().get(&path).is(200)).1 > 0);
    // nor does a scoped collection say what a reference is
    let bought = format!("/users/{}/offers?name=f-offer", market.bob);
    assert_eq!(names(&market.bob().get(&bought).is(200)).1, 0);
    assert_eq!(names(&market.nobody().get(&bought).is(200)).1, 0);
    assert_eq!(names(&market.ann().get(&bought).is(200)).1, 1);
    assert_eq!(names(&market.moderator().get(&bought).is(200)).1, 1);
}

fn lists_are_asked_for_what_is_seen_of_each(market: &Market) {
    for (name, status) in [("s-b", "ACTIVE"), ("s-a", "DRAFT"), ("s-c", "ACTIVE"), ("s-d", "DRAFT")] {
        create_offer(market, name, status);
    }
    let all = "name=s-a&name=s-b&name=s-c&name=s-d";
    let found = |client: TestClient, rest: &str| names(&client.get(&format!("/offers?{all}&{rest}")).is(200)).0;
    for (rest, of_bob, of_ann) in [
        ("sort=note", ["s-b", "s-c", "s-a", "s-d"].as_slice(), ["s-a", "s-b", "s-c", "s-d"].as_slice()),
        ("sort=-note", &["s-c", "s-b", "s-a", "s-d"], &["s-d", "s-c", "s-b", "s-a"]),
        ("sort=-status,note", &["s-a", "s-d", "s-b", "s-c"], &["s-a", "s-d", "s-b", "s-c"]),
        ("sort=-note&limit=2&offset=1", &["s-b", "s-a"], &["s-c", "s-b"]),
        ("note=", &["s-a", "s-d"], &[]),
        ("note=&note=note of s-b", &["s-b", "s-a", "s-d"], &["s-b"]),
        ("note=note of s-a", &[], &["s-a"]),
        ("note=note of s-a&note=note of s-b", &["s-b"], &["s-b", "s-a"]),
        ("note.not=note of s-b", &["s-a", "s-c", "s-d"], &["s-a", "s-c", "s-d"]),
        ("note.not=note of s-a&sort=note", &["s-b", "s-c", "s-a", "s-d"], &["s-b", "s-c", "s-d"]),
        ("note.not=", &["s-b", "s-c"], &["s-b", "s-a", "s-c", "s-d"]),
        ("note.startsWith=note of s", &["s-b", "s-c"], &["s-b", "s-a", "s-c", "s-d"]),
        ("note.contains=s-a", &[], &["s-a"]),
    ] {
        let rest = rest.replace(' ', "%20");
        assert_eq!(found(market.bob(), &rest), of_bob, "{rest}");
        assert_eq!(found(market.nobody(), &rest), of_bob, "{rest}");
        assert_eq!(found(market.ann(), &rest), of_ann, "{rest}");
    }
    let count = |client: TestClient| names(&client.get(&format!("/offers?{all}&note=&limit=1")).is(200)).1;
    assert_eq!((count(market.bob()), count(market.ann())), (2, 0));
    let search: Value = market.bob().post("/offer-searches", json!({ "note": { "isNull": true } })).is(201).read();
    let path = format!("/offers?search.id={}&limit=100", search["id"].as_str().expect("an id"));
    let of = |client: TestClient| names(&client.get(&path).is(200)).0;
    assert!(of(market.bob()).contains(&"s-a".to_owned()) && !of(market.bob()).contains(&"s-b".to_owned()));
    assert!(!of(market.ann()).contains(&"s-a".to_owned()));
}

fn references_show_what_is_seen(market: &Market) {
    let (draft, active) = (create_offer(market, "r-draft", "DRAFT"), create_offer(market, "r-active", "ACTIVE"));
    let body = json!({ "offer": { "id": draft }, "others": [{ "id": draft }, { "id": active }] });
    let path = format!("/sales/{}", made(&market.bob(), "/sales", &body));
    let hidden = json!({
        "id": draft, "name": "r-draft", "costPrice": null, "note": null, "tags": [], "address": null,
    });
    for client in [market.nobody(), market.bob()] {
        let sale = read(&client, &path);
        assert_eq!(sale["offer"], hidden);
        assert_eq!(
            sale["others"],
            json!([
                { "id": draft, "name": "r-draft", "note": null, "tags": [] },
                { "id": active, "name": "r-active", "note": "note of r-active", "tags": [] },
            ])
        );
        let list = read(&client, "/sales?limit=100");
        assert!(list["sales"].as_array().expect("sales").contains(&sale), "{list}");
    }
    let sale = read(&market.ann(), &path);
    assert_eq!(sale["offer"]["costPrice"], zloty("5.00"));
    assert_eq!(
        sale["others"][0],
        json!({ "id": draft, "name": "r-draft", "note": "note of r-draft", "tags": ["red"] })
    );
    assert_eq!(read(&market.moderator(), &path)["offer"]["costPrice"], zloty("5.00"));
}

fn what_is_not_seen_stays(market: &Market) {
    let path = format!("/offers/{}", create_offer(market, "k-offer", "DRAFT"));
    let whole = read(&market.ann(), &path);
    let kept = |what: &str| {
        let now = read(&market.ann(), &path);
        for (name, _) in BLANK {
            assert_eq!(now[name], whole[name], "{what}: {name}");
        }
    };
    let seen = read(&market.bob(), &path);
    market.bob().put(&path, &seen).is(200);
    kept("what GET shows is sent back");
    market.bob().put(&path, json!({ "name": "k-other", "seller": { "id": market.ann } })).is(200);
    kept("it is omitted");
    let patch = json!([
        { "op": "test", "path": "/note", "value": null },
        { "op": "test", "path": "/tags", "value": [] },
        { "op": "replace", "path": "/name", "value": "k-patched" },
    ]);
    market.bob().patch(&path, &patch).is(200);
    kept("it is patched");
    for value in ["note of k-offer", "something else"] {
        let test = json!([{ "op": "test", "path": "/note", "value": value }]);
        assert_eq!(market.bob().patch(&path, &test).is(422).errors()[0].0, "TestFailed");
    }
    // for those who see it, a PUT replaces it
    market.ann().put(&path, json!({ "name": "k-other", "seller": { "id": market.ann } })).is(200);
    let now = read(&market.ann(), &path);
    assert_eq!((&now["note"], &now["tags"], &now["buyer"]), (&Value::Null, &json!([]), &Value::Null));
    assert_eq!(now["address"], json!({ "city": "none" }), "it has its default");
    let without = json!({ "name": "k-other", "seller": { "id": market.ann }, "address": null });
    assert_eq!(market.ann().put(&path, &without).is(422).errors(), [("Required", Some("address"))]);
    market.bob().put(&path, &without).is(200);
}

fn what_is_not_seen_cannot_be_set(market: &Market) {
    let path = format!("/offers/{}", create_offer(market, "w-offer", "DRAFT"));
    let whole = read(&market.ann(), &path);
    let body = |name: &str, value: &Value| json!({ "name": "w-offer", "seller": { "id": market.ann }, name: value });
    let changed = [
        ("costPrice", "costPrice", zloty("1.00")),
        ("note", "note", json!("other")),
        ("tags", "tags", json!(["blue"])),
        ("address", "address", json!({ "city": "Gdynia" })),
        ("buyer", "buyer.id", json!({ "id": market.ann })),
    ];
    for (name, at, value) in changed {
        // whatever is stored
        for value in [&value, &whole[name]] {
            for path in [path.clone(), format!("{path}?dryRun=true")] {
                let refused = market.bob().put(&path, body(name, value)).is(403);
                assert_eq!(refused.errors(), [("Forbidden", Some(at))]);
            }
            let patch = json!([{ "op": "replace", "path": format!("/{name}"), "value": value }]);
            assert_eq!(market.bob().patch(&path, &patch).is(403).errors(), [("Forbidden", Some(at))]);
            market.nobody().put(&path, body(name, value)).is(401);
        }
    }
    let two = json!({ "name": "w-offer", "seller": { "id": market.ann }, "note": "x", "tags": ["y"] });
    assert_eq!(
        market.bob().put(&path, &two).is(403).errors(),
        [("Forbidden", Some("note")), ("Forbidden", Some("tags"))]
    );
    assert_eq!(read(&market.ann(), &path), whole);
}

fn only_some_may_write(market: &Market) {
    let path = format!("/offers/{}", create_offer(market, "p-offer", "DRAFT"));
    // a moderator sees the cost and may not change it
    let mut seen = read(&market.moderator(), &path);
    market.moderator().put(&path, &seen).is(200);
    seen["costPrice"] = zloty("4.00");
    assert_eq!(market.moderator().put(&path, &seen).is(403).errors(), [("Forbidden", Some("costPrice"))]);
    let omitted = json!({ "name": "p-offer", "seller": { "id": market.ann } });
    assert_eq!(market.moderator().put(&path, &omitted).is(403).errors(), [("Forbidden", Some("costPrice"))]);
    let whole = read(&market.ann(), &path);
    assert_eq!(whole["costPrice"], zloty("5.00"));
    let rank = json!([{ "op": "replace", "path": "/rank", "value": 7 }]);
    assert_eq!(market.ann().patch(&path, &rank).is(403).errors(), [("Forbidden", Some("rank"))]);
    let same = json!([{ "op": "replace", "path": "/rank", "value": 1 }]);
    market.ann().patch(&path, &same).is(200);
    market.moderator().patch(&path, &rank).is(200);
    // sent back it stays, and an omitted one would change to its default
    let whole = read(&market.ann(), &path);
    assert_eq!(whole["rank"], 7);
    market.ann().put(&path, &whole).is(200);
    let omitted = json!({ "name": "p-offer", "seller": { "id": market.ann } });
    assert_eq!(market.ann().put(&path, &omitted).is(403).errors(), [("Forbidden", Some("rank"))]);
    market.nobody().patch(&path, json!([{ "op": "replace", "path": "/rank", "value": 9 }])).is(401);
}

fn creations_are_decided_on_the_new_entity(market: &Market) {
    let body = offer_body(market, "c-offer", "DRAFT");
    let of_bob = |name: &str, value: Value| json!({ "name": "c-bob", "seller": { "id": market.bob }, name: value });
    market.ann().post("/offers", &body).is(201);
    market.bob().post("/offers", of_bob("costPrice", zloty("1.00"))).is(201);
    // a caller who creates for another user does not see all of it
    let refused = market.bob().post("/offers", &body).is(403);
    let at = ["costPrice", "note", "tags", "address", "buyer.id"];
    assert_eq!(refused.errors(), at.map(|at| ("Forbidden", Some(at))));
    let made: Value = market
        .bob()
        .post("/offers", json!({ "name": "c-other", "seller": { "id": market.ann }, "tags": [], "note": null }))
        .is(201)
        .read();
    assert_blank(&made, &[]);
    let active = json!({ "name": "c-active", "seller": { "id": market.ann }, "status": "ACTIVE", "note": "hello" });
    let made: Value = market.bob().post("/offers", active).is(201).read();
    assert_eq!(made["note"], "hello");
    assert_eq!(market.bob().post("/offers", of_bob("rank", json!(2))).is(403).errors(), [("Forbidden", Some("rank"))]);
    market.bob().post("/offers", of_bob("rank", json!(1))).is(201);
    market.moderator().post("/offers", of_bob("rank", json!(2))).is(201);
    let scoped = json!({ "name": "c-scoped", "seller": { "id": market.ann } });
    let path = format!("/users/{}/offers", market.bob);
    assert_eq!(market.bob().post(&path, &scoped).is(403).errors(), [("Forbidden", Some("buyer.id"))]);
    market.ann().post(&path, &scoped).is(201);
}

fn what_its_author_may_write_is_given_unseen(market: &Market) {
    let sent = json!({ "address": "Łódź" });
    let letter: Value = market.nobody().post("/letters", &sent).is(201).read();
    assert_eq!(letter["address"], Value::Null);
    let path = format!("/letters/{}", letter["id"].as_str().expect("an id"));
    assert_eq!(read(&market.moderator(), &path)["address"], "Łódź");
    // afterwards nobody changes what they do not see
    let other = json!({ "address": "Gdynia" });
    assert_eq!(market.bob().put(&path, &other).is(403).errors(), [("Forbidden", Some("address"))]);
    assert_eq!(market.nobody().put(&path, &other).is(401).errors(), [("Unauthenticated", Some("address"))]);
    let stamped = json!({ "address": "Łódź", "stamp": "red" });
    assert_eq!(market.bob().post("/letters", &stamped).is(403).errors(), [("Forbidden", Some("stamp"))]);
    let refused = market.nobody().post("/letters", &stamped).is(401);
    assert_eq!(refused.errors(), [("Unauthenticated", Some("stamp"))]);
    assert_eq!(refused.headers["www-authenticate"], "Bearer");
    market.moderator().post("/letters", &stamped).is(201);
}

fn rules_say_one_bit_of_what_is_not_seen(market: &Market) {
    let path = format!("/offers/{}", create_offer(market, "l-offer", "DRAFT"));
    let cheap = |name: &str| json!({ "name": name, "seller": { "id": market.ann }, "price": zloty("1.00") });
    let of_ann = json!([{ "op": "replace", "path": "/price", "value": zloty("1.00") }]);
    assert_eq!(market.ann().patch(&path, &of_ann).is(422).errors(), [("SoldAtALoss", Some("price.amount"))]);
    for path in [path.clone(), format!("{path}?dryRun=true")] {
        let refused = market.bob().put(&path, cheap("l-offer")).is(422);
        assert_eq!(refused.errors(), [("RuleBroken", None)]);
        assert_eq!(refused.json["errors"][0]["details"], Value::Null);
        let both = market.bob().put(&path, cheap("bad")).is(422);
        let mut found = both.errors();
        found.sort_unstable();
        assert_eq!(found, [("BadName", Some("name")), ("RuleBroken", None)]);
    }
    // of a creation: of the new entity
    let mut body = offer_body(market, "l-new", "DRAFT");
    body["price"] = zloty("1.00");
    assert_eq!(market.ann().post("/offers", &body).is(422).errors(), [("SoldAtALoss", Some("price.amount"))]);
}

fn events_show_what_is_seen(market: &Market) {
    let id = create_offer(market, "e-draft", "DRAFT");
    let path = format!("/offers/{id}");
    let status = json!([{ "op": "replace", "path": "/status", "value": "ACTIVE" }]);
    market.ann().patch(&path, &status).is(200);
    let sale = made(&market.ann(), "/sales", &json!({ "offer": { "id": id }, "others": [{ "id": id }] }));
    let of = |caller: Option<(&str, &[&str])>, until: &str| events_of(&market.api, caller, until);
    let of_offer = |events: &[(String, String, Value)]| -> Vec<Value> {
        events.iter().filter(|(_, subject, _)| *subject == id).map(|(_, _, data)| data.clone()).collect()
    };
    for (caller, until) in [(None, "e1"), (Some((market.bob.as_str(), [].as_slice())), "e2")] {
        let events = of_offer(&of(caller, until));
        assert_eq!(events.len(), 2);
        assert_blank(&events[0], &[]);
        assert_blank(&events[1], &["note"]);
        assert_eq!(events[1]["note"], "note of e-draft");
    }
    let all = of(Some((&market.ann, &[])), "e3");
    let events = of_offer(&all);
    assert_eq!(events[0]["costPrice"], zloty("5.00"));
    assert_eq!((&events[1]["tags"], &events[1]["buyer"]["name"]), (&json!(["red"]), &json!("Bob")));
    // of other entities they show nothing that some caller does not see
    let shown = all.iter().find(|(_, subject, _)| *subject == sale).expect("the event of the sale");
    assert_eq!((&shown.2["offer"]["costPrice"], &shown.2["others"][0]["note"]), (&Value::Null, &Value::Null));
    let events = of_offer(&of(Some((&market.bob, &["offers.admin"])), "e4"));
    assert_eq!((&events[0]["costPrice"], &events[0]["note"]), (&zloty("5.00"), &Value::Null));
}

fn views_lead_through_what_is_seen(market: &Market) {
    let (open, closed) = (create_offer(market, "v-open", "DRAFT"), create_offer(market, "v-closed", "DRAFT"));
    let watch = |offer: &str, is_open: bool| {
        let user = &market.bob;
        json!({ "offer": { "id": offer }, "user": { "id": user }, "isOpen": is_open })
    };
    market.bob().post("/watches", watch(&open, true)).is(201);
    let refused = market.bob().post("/watches", watch(&closed, false)).is(403);
    assert_eq!(refused.errors(), [("Forbidden", Some("offer.id"))]);
    // seen when it is set, and no longer
    let closed = create_offer(market, "v-closed-later", "DRAFT");
    let later = made(&market.bob(), "/watches", &watch(&closed, true));
    assert_eq!(names(&market.bob().get("/watched/offers").is(200)).0, ["v-open", "v-closed-later"]);
    market.bob().put(&format!("/watches/{later}"), watch(&closed, false)).is(200);
    assert_eq!(names(&market.bob().get("/watched/offers").is(200)).0, ["v-open"]);
}

/// What an author does not see stays, and so does that it refers to others.
fn references_that_are_not_seen_still_count(market: &Market) {
    let picture = made(&market.nobody(), "/pictures", &json!({ "name": "one" }));
    let body = json!({ "keeper": { "id": market.ann }, "name": "first", "pictures": [{ "id": picture }] });
    let path = format!("/albums/{}", made(&market.ann(), "/albums", &body));
    let seen = read(&market.bob(), &path);
    assert_eq!(seen["pictures"], json!([]));
    let rename = json!([{ "op": "replace", "path": "/name", "value": "third" }]);
    let writes = [market.bob().put(&path, &seen), market.bob().patch(&path, &rename)];
    for written in writes {
        written.is(200);
        let refused = market.bob().delete(&format!("/pictures/{picture}")).is(422);
        assert_eq!(refused.errors(), [("StillReferenced", None)]);
        assert_eq!(read(&market.ann(), &path)["pictures"], json!([{ "id": picture }]));
    }
}
