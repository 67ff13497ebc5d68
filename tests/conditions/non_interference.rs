//! Non-interference: two databases that differ only in what a caller must not see give that caller the same responses,
//! byte for byte, on random policies.
//!
//! What is hidden is asked of the service itself, by id; then the paths are compared. Conditions on other entities
//! disclose one bit of them (docs/schema/visibility.md).
//!
//! A night tries many more policies.

use crate::access::model;
use crate::visible::events_of;
use crate::world::Random;
use libtest_mimic::Failed;
use restwell::testing::{Running, Setup, TestClient, TestClock, TestResponse};
use restwell::{Builder, Interpreted, Timestamp, Uuid};
use restwell_testkit::effort::at_night;
use restwell_testkit::postgres::Server;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Policies that are tried by default, and those of a night.
const POLICIES: (usize, usize) = (8, 200);
/// Offers in a database.
const OFFERS: usize = 12;
/// What may stand in `visible`.
const ENTRIES: &[&str] = &[
    "owner",
    "moderator",
    r#"{ when: 'status == "ACTIVE"' }"#,
    r#"{ when: 'status != "ENDED" && caller != null' }"#,
    r#"{ when: 'seller.name == "Ann"' }"#,
    r#"{ when: 'any(Sale.offer, note == "open")' }"#,
    r#"{ when: 'name.startsWith("a") && size(tags) > 0' }"#,
    r#"{ when: 'parent != null && parent.status == "ACTIVE"' }"#,
    r#"{ when: 'price.amount < 5 || "red" in tags' }"#,
];

const REST: &str = r#"
service: market
users: User
roles:
  moderator: '"offers.admin" in scopes'
---
resource: User
operations: { get: {}, list: {}, create: { access: anyone } }
fields:
  name: { type: string }
---
resource: Sale
under: [offer]
operations: { create: { access: anyone }, list: {}, get: {}, update: { access: anyone } }
fields:
  offer: { type: ref, to: Offer, show: [name, price, tags], required: true }
  others: { type: array, items: { type: ref, to: Offer, show: [name, status] } }
  note: { type: string, filter: true }
---
resource: Watch
owner: user
visible: [{ when: 'note == "open"' }]
operations: { list: {}, get: {} }
fields:
  offer: { type: ref, to: Offer, required: true, onDelete: cascade }
  user: { type: ref, to: User, required: true }
  note: { type: string, required: true }
"#;

fn offer_document(visible: &str) -> String {
    format!(
        r#"
resource: Offer
owner: seller
under: [seller]
visible: {visible}
operations:
  create: {{ access: anyone }}
  list: {{}}
  get: {{}}
  update: {{ access: user }}
  patch: {{ access: user }}
  delete: {{ access: user }}
views:
  sold: {{ where: 'any(Sale.offer)', operations: {{ list: {{}}, get: {{}} }} }}
  watched: {{ through: Watch.offer, operations: {{ list: {{ access: user }}, get: {{ access: user }} }} }}
commands:
  touch: {{ access: anyone }}
search: true
fields:
  name: {{ type: string, required: true, filter: true, sort: true }}
  seller: {{ type: ref, to: User, required: true, filter: true }}
  status: {{ type: enum, values: [DRAFT, ACTIVE, ENDED], default: DRAFT, filter: true, sort: true }}
  price: {{ type: price, filter: true, sort: true }}
  tags: {{ type: array, items: {{ type: string }} }}
  parent: {{ type: ref, to: Offer }}
"#
    )
}

/// An id that tells what it is of.
fn id(kind: u8, number: usize) -> String {
    format!("018f0000-0000-7000-80{kind:02x}-{number:012x}")
}

const USER: u8 = 1;
const OFFER: u8 = 2;
const SALE: u8 = 3;
const WATCH: u8 = 4;

/// An offer with random values; `parent`: one before it.
fn offer(random: &mut Random, number: usize, seller: usize, parent: Option<usize>) -> Value {
    let mut of = |words: &[&str]| words[random.below(words.len())].to_owned();
    let name = format!("{}{number}", of(&["a", "b", "c"]));
    let status = of(&["DRAFT", "ACTIVE", "ENDED"]);
    let amount = of(&["1.00", "4.99", "20.00"]);
    let tags = if of(&["none", "red"]) == "red" { json!(["red", of(&["x", "y"])]) } else { json!([]) };
    json!({
        "name": name,
        "seller": { "id": id(USER, seller) },
        "status": status,
        "price": { "amount": amount, "currency": "PLN" },
        "tags": tags,
        "parent": parent.map(|parent| json!({ "id": id(OFFER, parent) })),
    })
}

/// A database, as data of a service.
#[derive(Clone)]
struct World {
    offers: Vec<(usize, Value)>,
    sales: Vec<Value>,
    /// The user, the offer, and whether all callers see it: nobody sees the others.
    watches: Vec<(usize, usize, bool)>,
}

impl World {
    fn random(random: &mut Random) -> Self {
        let parent = |random: &mut Random, number: usize| (number > 1 && random.below(3) == 0).then_some(number - 1);
        let offers = (1..=OFFERS).map(|number| {
            let (seller, parent) = (1 + random.below(2), parent(random, number));
            (number, offer(random, number, seller, parent))
        });
        let offers: Vec<_> = offers.collect();
        let sales = (0..OFFERS / 2).map(|_| {
            let (one, other) = (1 + random.below(OFFERS), 1 + random.below(OFFERS));
            let note = if random.below(2) == 0 { "open" } else { "done" };
            json!({ "offer": { "id": id(OFFER, one) }, "others": [{ "id": id(OFFER, other) }], "note": note })
        });
        let sales = sales.collect();
        let watches = (0..OFFERS).map(|_| (1 + random.below(3), 1 + random.below(OFFERS), random.below(2) == 0));
        Self { offers, sales, watches: watches.collect() }
    }

    /// The entities, in the order in which they can refer to each other.
    fn data(&self) -> String {
        let entry = |resource: &str, id: String, body: &Value| json!({ "resource": resource, "id": id, "body": body });
        let users = [(1, "Ann"), (2, "Bob"), (3, "Carl")];
        let users = users.map(|(number, name)| entry("users", id(USER, number), &json!({ "name": name })));
        let offers = self.offers.iter().map(|(number, body)| entry("offers", id(OFFER, *number), body));
        let sales = self.sales.iter().enumerate().map(|(number, body)| entry("sales", id(SALE, number), body));
        let watches = self.watches.iter().enumerate().map(|(number, (user, offer, is_seen))| {
            let note = if *is_seen { "open" } else { "done" };
            let body = json!({ "user": { "id": id(USER, *user) }, "offer": { "id": id(OFFER, *offer) }, "note": note });
            entry("watches", id(WATCH, number), &body)
        });
        Value::from(users.into_iter().chain(offers).chain(sales).chain(watches).collect::<Vec<_>>()).to_string()
    }

    fn is_referred(&self, number: usize) -> bool {
        let id = id(OFFER, number);
        if self.watches.iter().any(|(_, offer, is_seen)| *is_seen && *offer == number) {
            return true;
        }
        let of_sales = self.sales.iter().flat_map(|sale| [&sale["offer"]["id"], &sale["others"][0]["id"]]);
        of_sales.chain(self.offers.iter().map(|(_, offer)| &offer["parent"]["id"])).any(|referred| *referred == id)
    }

    /// The same, with other values in some offers, and without some.
    fn differing(&self, random: &mut Random, hidden: &[usize]) -> Self {
        let offers = self.offers.iter().filter_map(|(number, body)| {
            if !hidden.contains(number) {
                return Some((*number, body.clone()));
            }
            // a caller who deletes an offer learns that something refers to it
            if random.below(3) == 0 && !self.is_referred(*number) && body["parent"].is_null() {
                return None;
            }
            let mut changed = offer(random, *number + 100, 1, None);
            changed["parent"] = body["parent"].clone();
            // who owns it decides what else is refused
            changed["seller"] = body["seller"].clone();
            Some((*number, changed))
        });
        let offers: Vec<_> = offers.collect();
        let watches = self.watches.iter().map(|(user, offer, is_seen)| match is_seen {
            true => (*user, *offer, true),
            false => (1 + random.below(3), offers[random.below(offers.len())].0, false),
        });
        Self { watches: watches.collect(), offers, sales: self.sales.clone() }
    }

    fn serve(&self, documents: &[String], server: Option<&Server>) -> Running {
        let documents: Vec<_> = documents.iter().map(String::as_str).collect();
        let clock = TestClock::at(Timestamp::parse("2027-01-01T00:00:00.000Z").expect("a time"));
        let setup = Setup::of(Builder::interpreted(Interpreted::of(model(&documents))));
        let setup = setup.clock(&clock).seed(7).data(&self.data());
        match server {
            Some(server) => setup.own_database(server.url()).start(),
            None => setup.start(),
        }
    }
}

/// Who asks.
#[derive(Clone, Copy, Debug)]
enum Asker {
    Nobody,
    User(usize),
    Moderator,
}

impl Asker {
    /// The number of the user, and the scopes.
    fn credentials(self) -> Option<(usize, &'static [&'static str])> {
        match self {
            Self::Nobody => None,
            Self::User(number) => Some((number, &[])),
            Self::Moderator => Some((3, &["offers.admin"])),
        }
    }

    fn client(self, api: &Running) -> TestClient {
        let user = |number: usize| id(USER, number).parse::<Uuid>().expect("an id");
        match self {
            Self::Nobody => api.client(),
            Self::User(number) => api.client().as_user(user(number)),
            Self::Moderator => api.client().as_user_with(user(3), &["offers.admin"]),
        }
    }
}

/// Offers that a caller does not see.
fn hidden(api: &Running, asker: Asker) -> Vec<usize> {
    let client = asker.client(api);
    (1..=OFFERS).filter(|number| client.get(&format!("/offers/{}", id(OFFER, *number))).status == 404).collect()
}

/// What a caller gets on every path, with what was asked.
///
/// `tags` are entity tags that others have seen, of paths.
fn seen(api: &Running, asker: Asker, tags: &[(String, String)]) -> Vec<(String, u16, String, Value)> {
    let client = asker.client(api);
    let mut seen = Vec::new();
    let mut note = |asked: String, response: TestResponse| {
        let headers = response.headers.iter().filter(|(name, _)| !["trace-id", "date"].contains(&name.as_str()));
        let headers: Vec<_> = headers.map(|(name, value)| format!("{name}: {value}")).collect();
        seen.push((asked, response.status, headers.join("\n"), response.json));
    };
    let lists = [
        "/offers",
        "/offers?limit=3",
        "/offers?limit=3&offset=2",
        "/offers?limit=0",
        "/offers?sort=name",
        "/offers?sort=-name&limit=4",
        "/offers?sort=status,-price.amount",
        "/offers?status=DRAFT",
        "/offers?status=ENDED&sort=name",
        "/offers?price.amount.lt=5",
        "/offers?name=b101",
        "/sold/offers",
        "/sales",
        "/sales?note=open",
        "/users",
        "/watches",
        "/watched/offers",
        "/watched/offers?sort=-name&limit=2",
    ];
    for path in lists {
        note(format!("GET {path}"), client.get(path));
    }
    for user in 1..=3 {
        let path = format!("/users/{}/offers", id(USER, user));
        note(format!("GET {path}"), client.get(&path));
    }
    let search: Value = client.post("/offer-searches", json!({ "status": ["DRAFT", "ENDED"] })).json;
    let path = format!("/offers?search.id={}", search["id"].as_str().unwrap_or_default());
    note("a search".to_owned(), client.get(&path));
    for sale in 0..OFFERS / 2 {
        let path = format!("/sales/{}", id(SALE, sale));
        note(format!("GET {path}"), client.get(&path));
    }
    for number in 1..=OFFERS {
        let offer = id(OFFER, number);
        let paths = ["", "/sales", "/touch-commands"].map(|rest| format!("/offers/{offer}{rest}"));
        let views = ["sold", "watched"].map(|view| format!("/{view}/offers/{offer}"));
        for path in paths.into_iter().chain(views) {
            note(format!("GET {path}"), client.get(&path));
            note(format!("OPTIONS {path}"), client.options(&path));
        }
        let path = format!("/offers/{offer}?dryRun=true");
        let body = json!({ "name": "z", "seller": { "id": id(USER, 1) } });
        note(format!("PUT {path}"), client.put(&path, &body));
        note(format!("DELETE {path}"), client.delete(&path));
        for test in [json!("DRAFT"), json!("ENDED")] {
            let patch = json!([{ "op": "test", "path": "/status", "value": test }]);
            note(format!("PATCH {path}"), client.patch(&path, patch));
        }
        let sale = json!({ "offer": { "id": offer }, "others": [{ "id": offer }] });
        note(format!("POST a sale of {offer}"), client.post("/sales?dryRun=true", &sale));
        let path = format!("/offers/{offer}/sales?dryRun=true");
        note(format!("POST {path}"), client.post(&path, json!({})));
        let child = json!({ "name": "z", "seller": { "id": id(USER, 1) }, "parent": { "id": offer } });
        note(format!("POST a child of {offer}"), client.post("/offers?dryRun=true", child));
        let path = format!("/offers/{offer}/touch-commands/{}", id(9, number));
        note(format!("PUT {path}"), client.put(&path, json!({})));
    }
    for (path, tag) in tags {
        let known = asker.client(api).with_header("if-none-match", tag);
        note(format!("GET {path} unless {tag}"), known.get(path));
        let same = asker.client(api).with_header("if-match", tag);
        note(format!("PUT {path} if {tag}"), same.put(&format!("{path}?dryRun=true"), client.get(path).json));
    }
    // what is made gets the same id, and the same place
    let made = json!({ "name": "z", "seller": { "id": id(USER, 1) } });
    note("POST /offers".to_owned(), client.post("/offers", made));
    // all see the last one, which is made for this
    let caller = asker.credentials().map(|(number, scopes)| (id(USER, number), scopes));
    let caller = caller.as_ref().map(|(user, scopes)| (user.as_str(), *scopes));
    for (kind, subject, data) in events_of(api, caller, "the last") {
        seen.push((format!("{kind} of {subject}"), 200, String::new(), data));
    }
    seen
}

/// The entity tags that some callers get of all entities: as guesses of what they are.
fn tags(api: &Running) -> Vec<(String, String)> {
    let offers = (1..=OFFERS).map(|number| format!("/offers/{}", id(OFFER, number)));
    let sales = (0..OFFERS / 2).map(|number| format!("/sales/{}", id(SALE, number)));
    let askers = [Asker::Nobody, Asker::User(1), Asker::User(2), Asker::Moderator];
    let of = |path: String| {
        let found = askers.iter().map(|asker| asker.client(api).get(&path)).filter(|found| found.status == 200);
        found.map(|found| (path.clone(), found.headers["etag"].clone())).collect::<BTreeSet<_>>()
    };
    offers.chain(sales).flat_map(of).collect()
}

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let policies = at_night(POLICIES);
    let mut random = Random::new(20_270_101);
    let mut differences = 0;
    for _ in 0..policies {
        let (first, second) = (random.below(ENTRIES.len()), random.below(ENTRIES.len() - 1));
        let entries: Vec<_> = ENTRIES.iter().enumerate().filter(|(at, _)| *at == first || *at == second).collect();
        let visible = entries.iter().map(|(_, entry)| **entry).collect::<Vec<_>>().join(", ");
        let documents: Vec<_> =
            REST.split("---").map(str::to_owned).chain([offer_document(&format!("[{visible}]"))]).collect();
        let asker = [Asker::Nobody, Asker::User(1), Asker::User(2), Asker::Moderator][random.below(4)];
        let world = World::random(&mut random);
        let here = world.serve(&documents, server);
        let hidden_here = hidden(&here, asker);
        // what another value would show stays as it is; so does what other entities are seen by
        let mut differing = world.differing(&mut random, &hidden_here);
        for _ in 0..OFFERS {
            let there = differing.serve(&documents, server);
            let shown: Vec<_> =
                (1..=OFFERS).filter(|it| hidden_here.contains(it) != hidden(&there, asker).contains(it)).collect();
            if shown.is_empty() {
                break;
            }
            let keep: Vec<_> =
                hidden_here.iter().copied().filter(|it| random.below(2) == 0 && !shown.contains(it)).collect();
            differing = world.differing(&mut random, &keep);
        }
        let there = differing.serve(&documents, server);
        if hidden(&there, asker) != hidden_here {
            continue;
        }
        differences += usize::from(differing.data() != world.data());
        let known: Vec<_> = tags(&here).into_iter().chain(tags(&there)).collect();
        for (one, other) in seen(&here, asker, &known).into_iter().zip(seen(&there, asker, &known)) {
            assert_eq!(one, other, "visible: [{visible}], asked by {asker:?}");
        }
    }
    assert!(differences >= policies / 2, "{differences} of {policies} pairs differ");
    Ok(())
}
