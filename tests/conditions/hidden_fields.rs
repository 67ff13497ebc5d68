//! Non-interference of fields: two databases that differ only in values of fields that a caller must not see give that
//! caller the same responses and events, byte for byte, on random models and policies. To see that the comparison finds
//! leaks, the same databases are compared without `visible`: every channel shows the difference then.
//!
//! A night tries many more models. Rules and uniqueness disclose one bit of what is hidden
//! (docs/schema/visible-fields.md), so the models have none on these fields.

use crate::access::model;
use crate::visible::events_of;
use crate::world::Random;
use libtest_mimic::Failed;
use restwell::testing::{Running, Setup, TestClient, TestClock, TestResponse};
use restwell::{Builder, Interpreted, Timestamp, Uuid};
use restwell_testkit::effort::at_night;
use restwell_testkit::postgres::Server;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Models that are tried by default, and those of a night.
const MODELS: (usize, usize) = (12, 200);
/// Pairs that are compared without `visible`, too.
const OPEN_PAIRS: usize = 3;
/// Offers in a database.
const OFFERS: usize = 10;

/// What may stand in `visible` and `writable`: no condition reads a field that may be hidden.
const ENTRIES: &[&str] = &[
    "owner",
    "moderator",
    "user",
    "scope:offers.read",
    r#"{ when: 'status == "ACTIVE"' }"#,
    r#"{ when: 'status != "ENDED" && caller != null' }"#,
    r#"{ when: 'seller.name == "Ann"' }"#,
    r#"{ when: 'any(Sale.offer, note == "open")' }"#,
    r#"{ when: 'name.startsWith("a")' }"#,
    r#"{ when: 'caller.name == "Bob"' }"#,
];

/// A field that may be hidden: its name, its keys, and some of its values.
struct Hideable {
    name: &'static str,
    keys: &'static str,
    values: fn() -> Vec<Value>,
}

const FIELDS: &[Hideable] = &[
    Hideable {
        name: "note",
        keys: "type: string, filter: [not, startsWith, contains, startsWithIgnoreCase, containsIgnoreCase], sort: true, \
               allow: { slow-contains: few }",
        values: || vec![json!("alpha"), json!("beta"), json!("gamma")],
    },
    Hideable {
        name: "cost",
        keys: "type: price, filter: true, sort: true",
        values: || ["1.00", "4.99", "20.00"].map(|amount| json!({ "amount": amount, "currency": "PLN" })).to_vec(),
    },
    Hideable {
        name: "rank",
        keys: "type: integer, required: true, default: 5, filter: true, sort: true",
        values: || vec![json!(1), json!(2), json!(3)],
    },
    Hideable {
        name: "tags",
        keys: "type: array, items: { type: string }",
        values: || vec![json!(["red"]), json!(["blue", "red"]), json!(["green"])],
    },
    Hideable {
        name: "buyer",
        keys: "type: ref, to: User, show: [name], filter: true",
        values: || (1..=3).map(|user| json!({ "id": id(USER, user) })).collect(),
    },
    Hideable {
        name: "place",
        keys: "type: Place, required: true",
        values: || ["Gdynia", "Hel"].map(|city| json!({ "city": city, "lines": ["a", city] })).to_vec(),
    },
    Hideable {
        name: "grade",
        keys: "type: enum, values: [GOOD, FAIR, POOR], filter: true, sort: true",
        values: || vec![json!("GOOD"), json!("FAIR"), json!("POOR")],
    },
    Hideable {
        name: "relatives",
        keys: "type: array, items: { type: ref, to: User, show: [name] }",
        values: || (1..=3).map(|user| json!([{ "id": id(USER, user) }])).collect(),
    },
];

const REST: &[&str] = &[
    r#"
service: market
users: User
roles:
  moderator: '"offers.admin" in scopes'
"#,
    r#"
resource: User
operations: { get: {}, list: {}, create: { access: anyone } }
fields:
  name: { type: string }
"#,
    r#"
object: Place
fields:
  city: { type: string, filter: true, sort: true }
  lines: { type: array, items: { type: string } }
"#,
    r#"
resource: Sale
operations: { list: {}, get: {} }
fields:
  offer: { type: ref, to: Offer, show: [SHOWN], required: true }
  others: { type: array, items: { type: ref, to: Offer, show: [SHOWN] } }
  note: { type: string, filter: true }
"#,
];

const USER: u8 = 1;
const OFFER: u8 = 2;
const SALE: u8 = 3;

/// An id that tells what it is of.
fn id(kind: u8, number: usize) -> String {
    format!("018f0000-0000-7000-80{kind:02x}-{number:012x}")
}

/// The documents of a random model; without `visible` if `is_open`.
fn documents(policies: &[(String, Option<String>)], is_open: bool) -> Vec<String> {
    let fields: String = FIELDS
        .iter()
        .zip(policies)
        .map(|(field, (visible, writable))| {
            let visible = if is_open { String::new() } else { format!(", visible: [{visible}]") };
            let writable = writable.as_ref().filter(|_| !is_open).map(|list| format!(", writable: [{list}]"));
            format!("  {}: {{ {}{visible}{} }}\n", field.name, field.keys, writable.unwrap_or_default())
        })
        .collect();
    let offer = format!(
        r#"
resource: Offer
owner: seller
under: [buyer]
operations:
  create: {{ access: anyone }}
  list: {{}}
  get: {{}}
  update: {{ access: anyone }}
  patch: {{ access: anyone }}
views:
  shop: {{ operations: {{ list: {{}}, get: {{}} }} }}
search: true
fields:
  name: {{ type: string, required: true, filter: true, sort: true }}
  seller: {{ type: ref, to: User, required: true }}
  status: {{ type: enum, values: [DRAFT, ACTIVE, ENDED], default: DRAFT, filter: true, sort: true }}
{fields}"#
    );
    let shown = FIELDS.iter().filter(|field| !field.keys.contains("type: ref")).map(|field| field.name).chain(["name"]);
    let shown = shown.collect::<Vec<_>>().join(", ");
    REST.iter().map(|text| text.replace("SHOWN", &shown)).chain([offer]).collect()
}

fn entries(random: &mut Random) -> String {
    let (first, second) = (random.below(ENTRIES.len()), random.below(ENTRIES.len()));
    let both: BTreeSet<_> = [first, second].into();
    // a caller who is a `user` is all that the other words could let in
    let both: Vec<_> = both.into_iter().map(|at| ENTRIES[at]).collect();
    if both.contains(&"user") { "user".to_owned() } else { both.join(", ") }
}

/// A database, as data of a service.
#[derive(Clone)]
struct World {
    offers: Vec<Map<String, Value>>,
    sales: Vec<Value>,
}

impl World {
    fn random(random: &mut Random) -> Self {
        let offer = |number: usize, random: &mut Random| {
            let mut offer = Map::new();
            let name = format!("{}{number}", ["a", "b", "c"][random.below(3)]);
            offer.insert("name".to_owned(), name.into());
            offer.insert("seller".to_owned(), json!({ "id": id(USER, 1 + random.below(2)) }));
            offer.insert("status".to_owned(), ["DRAFT", "ACTIVE", "ENDED"][random.below(3)].into());
            for field in FIELDS {
                offer.insert(field.name.to_owned(), one_of(&(field.values)(), random));
            }
            offer
        };
        let sale = |random: &mut Random| {
            let [one, other] = [0, 1].map(|_| id(OFFER, 1 + random.below(OFFERS)));
            let note = ["open", "done"][random.below(2)];
            json!({ "offer": { "id": one }, "others": [{ "id": other }], "note": note })
        };
        let offers = (1..=OFFERS).map(|number| offer(number, random)).collect();
        Self { offers, sales: (0..OFFERS / 2).map(|_| sale(random)).collect() }
    }

    /// The same with other values where a caller sees none.
    fn differing(&self, hidden: &BTreeSet<(usize, &'static str)>, random: &mut Random) -> Self {
        let mut other = self.clone();
        for (number, name) in hidden {
            let field = FIELDS.iter().find(|field| field.name == *name).expect("a field");
            other.offers[*number - 1].insert((*name).to_owned(), one_of(&(field.values)(), random));
        }
        other
    }

    /// The entities, in the order in which they can refer to each other.
    fn data(&self) -> String {
        let entry = |resource: &str, id: String, body: &Value| json!({ "resource": resource, "id": id, "body": body });
        let users = [(1, "Ann"), (2, "Bob"), (3, "Carl")];
        let users = users.map(|(number, name)| entry("users", id(USER, number), &json!({ "name": name })));
        let offers = self.offers.iter().enumerate();
        let offers = offers.map(|(at, body)| entry("offers", id(OFFER, at + 1), &Value::from(body.clone())));
        let sales = self.sales.iter().enumerate().map(|(at, body)| entry("sales", id(SALE, at + 1), body));
        Value::from(users.into_iter().chain(offers).chain(sales).collect::<Vec<_>>()).to_string()
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

fn one_of(values: &[Value], random: &mut Random) -> Value {
    values[random.below(values.len())].clone()
}

/// Who asks.
#[derive(Clone, Copy, Debug)]
enum Asker {
    Nobody,
    User(usize),
    Moderator,
    Reader,
}

impl Asker {
    /// The number of the user, and the scopes.
    fn credentials(self) -> Option<(usize, &'static [&'static str])> {
        match self {
            Self::Nobody => None,
            Self::User(number) => Some((number, &[])),
            Self::Moderator => Some((3, &["offers.admin"])),
            Self::Reader => Some((3, &["offers.read"])),
        }
    }

    fn client(self, api: &Running) -> TestClient {
        match self.credentials() {
            None => api.client(),
            Some((number, scopes)) => {
                api.client().as_user_with(id(USER, number).parse::<Uuid>().expect("an id"), scopes)
            }
        }
    }
}

/// The fields that a caller does not see, of each offer: no offer lacks a value.
fn hidden(api: &Running, asker: Asker) -> BTreeSet<(usize, &'static str)> {
    let client = asker.client(api);
    let mut hidden = BTreeSet::new();
    for number in 1..=OFFERS {
        let offer: Value = client.get(&format!("/offers/{}", id(OFFER, number))).is(200).read();
        let fields = FIELDS.iter().map(|field| field.name);
        hidden
            .extend(fields.filter(|name| offer[name].is_null() || offer[name] == json!([])).map(|name| (number, name)));
    }
    hidden
}

/// A request or a stream: the kind of it, what was asked, and all that came back.
type Seen = (&'static str, String, String);

struct Notes<'a> {
    api: &'a Running,
    asker: Asker,
    client: TestClient,
    seen: Vec<Seen>,
}

impl Notes<'_> {
    fn note(&mut self, channel: &'static str, asked: String, response: &TestResponse) {
        let headers = response.headers.iter().filter(|(name, _)| !["trace-id", "date"].contains(&name.as_str()));
        let headers: Vec<_> = headers.map(|(name, value)| format!("{name}: {value}")).collect();
        let all = format!("{}\n{}\n{}", response.status, headers.join("\n"), response.json);
        self.seen.push((channel, asked, all));
    }

    fn get(&mut self, channel: &'static str, path: &str) {
        let response = self.client.get(path);
        self.note(channel, format!("GET {path}"), &response);
    }
}

/// What a caller gets on every path, with what was asked.
fn seen(api: &Running, asker: Asker) -> Vec<Seen> {
    let mut notes = Notes { api, asker, client: asker.client(api), seen: Vec::new() };
    lists(&mut notes);
    for number in 1..=OFFERS {
        entity(&mut notes, number);
    }
    // all see its creation, and those of the data
    let (credentials, user) = (asker.credentials(), id(USER, asker.credentials().map_or(1, |(number, _)| number)));
    let caller = credentials.map(|(_, scopes)| (user.as_str(), scopes));
    for event in events_of(notes.api, caller, "the last") {
        notes.seen.push(("events", format!("{} of {}", event.0, event.1), event.2.to_string()));
    }
    notes.seen
}

fn lists(notes: &mut Notes<'_>) {
    notes.get("list", "/offers");
    notes.get("list", "/shop/offers?limit=4&offset=2");
    notes.get("show", "/sales");
    for field in ["note", "cost", "rank", "grade", "place.city"] {
        for sort in [field.to_owned(), format!("-{field}"), format!("status,-{field}"), format!("{field},-name")] {
            notes.get("sort", &format!("/offers?sort={sort}"));
            notes.get("sort", &format!("/offers?sort={sort}&limit=3&offset=2"));
        }
    }
    let filters = [
        "note=beta",
        "note=",
        "note=&note=beta",
        "note.not=alpha",
        "note.not=",
        "note.startsWith=a",
        "note.contains=mm",
        "note.startsWithIgnoreCase=A",
        "note.containsIgnoreCase=MM",
        "cost.amount=4.99",
        "cost.amount.gt=3",
        "cost.currency=PLN",
        "rank=2",
        "rank.lte=2",
        "grade=GOOD",
        "grade=GOOD&grade=FAIR&sort=grade",
        "place.city=Hel",
        "rank.gte=2&sort=-rank,note",
        "note=beta&limit=0",
    ];
    for filter in filters {
        notes.get("filter", &format!("/offers?{filter}"));
    }
    for user in 1..=3 {
        notes.get("filter", &format!("/offers?buyer.id={}", id(USER, user)));
        notes.get("scope", &format!("/users/{}/offers", id(USER, user)));
    }
    let searches = [
        json!({ "note": "beta" }),
        json!({ "note": { "isNull": true } }),
        json!({ "note": { "not": "alpha" } }),
        json!({ "tags": ["red"] }),
        json!({ "cost": { "amount": { "gt": "3.00" } } }),
        json!({ "place": { "city": "Hel", "lines": ["a"] } }),
        json!({ "relatives": [{ "id": id(USER, 1) }] }),
    ];
    for search in searches {
        let made: Value = notes.client.post("/offer-searches", &search).is(201).read();
        notes.get("search", &format!("/offers?search.id={}", made["id"].as_str().unwrap_or_default()));
    }
}

fn entity(notes: &mut Notes<'_>, number: usize) {
    let offer = id(OFFER, number);
    let path = format!("/offers/{offer}");
    notes.get("get", &path);
    notes.get("get", &format!("/shop{path}"));
    notes.get("show", &format!("/sales/{}", id(SALE, 1 + number / 2)));
    let got = notes.client.get(&path);
    let whole: Value = got.read();
    let known = notes.client.get(&path).headers["etag"].clone();
    let again = notes.asker.client(notes.api).with_header("if-none-match", &known).get(&path);
    notes.note("tag", format!("GET {path} again"), &again);
    for field in FIELDS {
        for value in (field.values)().into_iter().take(2) {
            let pointer = format!("/{}", field.name);
            let test = json!([{ "op": "test", "path": pointer, "value": value }]);
            let tested = notes.client.patch(&format!("{path}?dryRun=true"), &test);
            notes.note("patch", format!("PATCH {path} {test}"), &tested);
            let replace = json!([{ "op": "replace", "path": pointer, "value": value }]);
            let replaced = notes.client.patch(&format!("{path}?dryRun=true"), &replace);
            notes.note("replace", format!("PATCH {path} {replace}"), &replaced);
        }
    }
    let sent = notes.client.put(&path, &whole);
    notes.note("put", format!("PUT {path} as it was read"), &sent);
    let least = json!({ "name": whole["name"], "seller": whole["seller"], "status": whole["status"] });
    let sent = notes.client.put(&path, &least);
    notes.note("put", format!("PUT {path} {least}"), &sent);
    let patched = notes.client.patch(&path, json!([{ "op": "replace", "path": "/name", "value": whole["name"] }]));
    notes.note("patch", format!("PATCH {path}"), &patched);
}

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let models = at_night(MODELS);
    let mut random = Random::new(20_270_102);
    let (mut differences, mut compared_open, mut leaky) = (0, 0, BTreeSet::new());
    for _ in 0..models {
        let policies: Vec<_> = FIELDS
            .iter()
            .map(|_| (entries(&mut random), (random.below(3) == 0).then(|| entries(&mut random))))
            .collect();
        let askers = [Asker::Nobody, Asker::User(1), Asker::User(2), Asker::Moderator, Asker::Reader];
        let asker = askers[random.below(askers.len())];
        let guarded = documents(&policies, false);
        let world = World::random(&mut random);
        let here = world.serve(&guarded, server);
        let hidden_here = hidden(&here, asker);
        let other = world.differing(&hidden_here, &mut random);
        differences += usize::from(other.data() != world.data());
        let there = other.serve(&guarded, server);
        if hidden(&there, asker) != hidden_here {
            return Err(Failed::from(format!("{policies:?}: what {asker:?} sees depends on what is hidden")));
        }
        for (one, other) in seen(&here, asker).into_iter().zip(seen(&there, asker)) {
            if one != other {
                return Err(Failed::from(format!("{policies:?}, asked by {asker:?}:\n{one:#?}\n{other:#?}")));
            }
        }
        if compared_open < OPEN_PAIRS && hidden_here.len() > OFFERS * 2 {
            compared_open += 1;
            let open = documents(&policies, true);
            let (here, there) = (world.serve(&open, server), other.serve(&open, server));
            let pairs = seen(&here, asker).into_iter().zip(seen(&there, asker));
            leaky.extend(pairs.filter(|(one, other)| one != other).map(|(one, _)| one.0));
        }
    }
    let channels = ["events", "filter", "get", "list", "patch", "put", "scope", "search", "show", "sort", "tag"];
    let missed: Vec<_> = channels.iter().filter(|channel| !leaky.contains(**channel)).collect();
    if !missed.is_empty() || differences * 2 < models {
        return Err(Failed::from(format!("no leak is found on {missed:?}; {differences} of {models} pairs differ")));
    }
    Ok(())
}
