//! Roles, access with conditions, and views with conditions, through HTTP, on both stores.

use libtest_mimic::Failed;
use restwell::testing::{Running, Setup, TestClient, TestResponse};
use restwell::{Builder, Interpreted};
use restwell_generator::{File, compile};
use restwell_model::Checked;
use restwell_testkit::postgres::Server;
use serde_json::{Value, json};

const SERVICE: &str = r#"
service: market
users: User
roles:
  moderator: '"offers.admin" in scopes'
  business: 'caller.kind == "BUSINESS"'
  employed: 'caller.employer.kind == "BUSINESS"'
"#;

const USER: &str = r#"
resource: User
operations: { create: { access: anyone }, get: {}, list: {} }
fields:
  name: { type: string, required: true }
  kind: { type: enum, values: [PERSON, BUSINESS], default: PERSON }
  employer: { type: ref, to: User }
"#;

const OFFER: &str = r#"
resource: Offer
owner: seller
operations:
  create:
    access: [moderator, { when: 'seller == caller && (kind == "PLAIN" || seller.kind == "BUSINESS")' }]
  list: { access: [owner, moderator, { when: 'status == "ACTIVE"' }] }
  get: { access: [owner, moderator, { when: 'status == "ACTIVE"' }] }
  update: { access: [moderator, { when: 'seller == caller && status == "DRAFT"' }] }
  patch: { access: [moderator, { when: 'seller == caller && status == "DRAFT"' }] }
  delete: { access: [{ when: 'seller == caller && count(Sale.offer) == 0' }] }
views:
  ended: { where: 'status == "ENDED"', operations: { list: {}, get: {} } }
  quiet: { where: 'lower(name) == "quiet"', operations: { list: {} } }
  business: { operations: { list: { access: business } } }
  held: { operations: { list: { access: [owner, moderator, { when: 'seller == caller' }] } } }
  mine: { operations: { list: { access: [moderator, { when: 'seller == caller' }] } } }
  team: { operations: { list: { access: [owner, { when: 'claims.team == name' }] }, get: { access: [owner, { when: 'claims.team == name' }] } } }
  ours: { operations: { list: { access: [moderator, { when: 'claims.team == "a"' }] } } }
  theirs: { operations: { list: { access: [owner, moderator, { when: 'caller.kind == "BUSINESS"' }] } } }
  priced: { operations: { list: { access: [owner, moderator, business] } } }
  employed: { operations: { list: { access: employed } } }
commands:
  renew: { access: [{ when: 'status == "ENDED" && seller == caller' }] }
search: true
fields:
  name: { type: string, required: true, maxLength: 20, filter: true }
  seller: { type: ref, to: User, required: true }
  status: { type: enum, values: [DRAFT, ACTIVE, ENDED], default: DRAFT, filter: true }
  kind: { type: enum, values: [PLAIN, SPECIAL], default: PLAIN }
"#;

const SALE: &str = r#"
resource: Sale
operations: { create: { access: anyone }, list: {} }
fields:
  offer: { type: ref, to: Offer, required: true }
"#;

/// The model of these documents.
pub(crate) fn model(documents: &[&str]) -> Checked {
    let files = documents.iter().enumerate().map(|(index, text)| File::new(&format!("{index}.yaml"), *text));
    let compiled = compile(&files.collect::<Vec<_>>());
    compiled.service.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics)).0
}

/// A service of these documents, with an empty database.
pub(crate) fn serve(documents: &[&str], server: Option<&Server>) -> Running {
    let setup = Setup::of(Builder::interpreted(Interpreted::of(model(documents))));
    match server {
        Some(server) => setup.own_database(server.url()).start(),
        None => setup.start(),
    }
}

/// A market with some users.
struct Market {
    api: Running,
    ann: String,
    firm: String,
    clerk: String,
}

fn user(api: &Running, body: &Value) -> String {
    let user: Value = api.client().post("/users", body).is(201).read();
    user["id"].as_str().expect("an id").to_owned()
}

impl Market {
    fn new(server: Option<&Server>) -> Self {
        let api = serve(&[SERVICE, USER, OFFER, SALE], server);
        let ann = user(&api, &json!({ "name": "Ann" }));
        let firm = user(&api, &json!({ "name": "Firm", "kind": "BUSINESS" }));
        let clerk = user(&api, &json!({ "name": "Clerk", "employer": { "id": firm } }));
        Self { api, ann, firm, clerk }
    }

    fn as_user(&self, id: &str) -> TestClient {
        self.api.client().as_user(id.parse::<restwell::Uuid>().expect("an id"))
    }

    fn moderator(&self) -> TestClient {
        self.api.client().as_user_with(self.clerk.parse::<restwell::Uuid>().expect("an id"), &["offers.admin"])
    }

    /// An offer of a user, made by a moderator.
    fn offer(&self, seller: &str, name: &str, status: &str) -> String {
        let body = json!({ "name": name, "status": status, "seller": { "id": seller } });
        let offer: Value = self.moderator().post("/offers", body).is(201).read();
        offer["id"].as_str().expect("an id").to_owned()
    }
}

/// The names in a list, and its count.
pub(crate) fn names(list: &TestResponse) -> (Vec<String>, u64) {
    let list: Value = list.read();
    let names = list["offers"].as_array().expect("offers").iter();
    let names = names.map(|offer| offer["name"].as_str().expect("a name").to_owned()).collect();
    (names, list["count"].as_u64().expect("a count"))
}

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let market = Market::new(server);
    lists_hold_what_the_caller_may_see(&market);
    entities_are_decided_as_they_are_stored(&market);
    creations_are_decided_on_the_new_entity(&market);
    deletions_ask_the_other_side(&market);
    roles_ask_for_the_caller(&market);
    lists_without_credentials_hold_what_conditions_admit(&market);
    views_show_what_meets_their_condition(&market);
    commands_are_decided_on_the_entity(&market);
    options_lists_what_the_caller_may_do(&market);
    Ok(())
}

fn options_lists_what_the_caller_may_do(market: &Market) {
    let allow = |client: &TestClient, path: &str| client.options(path).is(204).headers["allow"].clone();
    let (draft, active) =
        (market.offer(&market.ann, "o-draft", "DRAFT"), market.offer(&market.ann, "o-active", "ACTIVE"));
    let (draft, active) = (format!("/offers/{draft}"), format!("/offers/{active}"));
    let (ann, firm) = (market.as_user(&market.ann), market.as_user(&market.firm));
    assert_eq!(allow(&market.api.client(), &draft), "DELETE, GET, HEAD, OPTIONS, PATCH, PUT");
    assert_eq!(allow(&ann, &draft), "DELETE, GET, HEAD, OPTIONS, PATCH, PUT");
    assert_eq!(allow(&firm, &draft), "OPTIONS");
    assert_eq!(allow(&firm, &active), "GET, HEAD, OPTIONS");
    assert_eq!(allow(&firm, "/offers"), "GET, HEAD, OPTIONS, POST");
    assert_eq!(allow(&firm, "/employed/offers"), "OPTIONS");
    firm.options("/offers/018f0000-0000-7000-8000-000000000000").is(404);
    market.api.client().options("/offers/018f0000-0000-7000-8000-000000000000").is(204);
}

fn lists_hold_what_the_caller_may_see(market: &Market) {
    market.offer(&market.ann, "l-draft", "DRAFT");
    market.offer(&market.ann, "l-active", "ACTIVE");
    market.offer(&market.firm, "l-firm", "DRAFT");
    let list = |client: TestClient| names(&client.get("/offers?name=l-draft&name=l-active&name=l-firm").is(200));
    assert_eq!(list(market.api.client()), (vec!["l-active".to_owned()], 1));
    assert_eq!(list(market.as_user(&market.clerk)), (vec!["l-active".to_owned()], 1));
    assert_eq!(list(market.as_user(&market.ann)), (vec!["l-draft".to_owned(), "l-active".to_owned()], 2));
    assert_eq!(list(market.moderator()).1, 3);
    let search = json!({ "status": ["DRAFT"] });
    let search: Value = market.as_user(&market.ann).post("/offer-searches", search).is(201).read();
    let path = format!("/offers?search.id={}", search["id"].as_str().expect("an id"));
    assert_eq!(names(&market.as_user(&market.ann).get(&path).is(200)), (vec!["l-draft".to_owned()], 1));
    let page = market.api.client().get("/offers?name=l-draft&name=l-active&name=l-firm&limit=1&offset=1").is(200);
    assert_eq!(names(&page), (Vec::new(), 1));
}

fn entities_are_decided_as_they_are_stored(market: &Market) {
    let id = market.offer(&market.ann, "stored", "DRAFT");
    let path = format!("/offers/{id}");
    market.api.client().get(&path).is(401);
    market.as_user(&market.firm).get(&path).is(403);
    market.as_user(&market.ann).get(&path).is(200);
    market.moderator().get(&path).is(200);
    let body = |status: &str| json!({ "name": "stored", "status": status, "seller": { "id": market.ann } });
    market.api.client().put(&path, body("ACTIVE")).is(401);
    market.as_user(&market.firm).put(&path, body("ACTIVE")).is(403);
    // a caller who may not touch it learns nothing of its values
    market.as_user(&market.firm).put(&path, json!({ "name": "x".repeat(40) })).is(403);
    let replace = |status: &str| json!([{ "op": "replace", "path": "/status", "value": status }]);
    market.as_user(&market.firm).patch(&path, replace("ACTIVE")).is(403);
    let dry = format!("{path}?dryRun=true");
    for (caller, status) in [(&market.firm, 403), (&market.ann, 204)] {
        market.as_user(caller).put(&dry, body("ACTIVE")).is(status);
        market.as_user(caller).patch(&dry, replace("ACTIVE")).is(status);
        market.as_user(caller).delete(&dry).is(status);
    }
    market.as_user(&market.ann).patch(&path, json!([{ "op": "replace", "path": "/name", "value": "stored" }])).is(200);
    // it was a draft when it was changed
    market.as_user(&market.ann).put(&path, body("ACTIVE")).is(200);
    market.as_user(&market.ann).put(&path, body("DRAFT")).is(403);
    market.as_user(&market.ann).patch(&path, replace("DRAFT")).is(403);
    market.api.client().get(&path).is(200);
    market.moderator().put(&path, body("ENDED")).is(200);
    market.as_user(&market.firm).get(&path).is(403);
    let missing = "/offers/018f0000-0000-7000-8000-000000000000";
    market.as_user(&market.ann).put(missing, body("DRAFT")).is(404);
}

fn creations_are_decided_on_the_new_entity(market: &Market) {
    let new = |kind: &str, seller: &str| json!({ "name": "created", "kind": kind, "seller": { "id": seller } });
    market.as_user(&market.ann).post("/offers", new("PLAIN", &market.ann)).is(201);
    market.as_user(&market.ann).post("/offers", new("SPECIAL", &market.ann)).is(403);
    market.as_user(&market.firm).post("/offers", new("SPECIAL", &market.firm)).is(201);
    market.as_user(&market.ann).post("/offers", new("PLAIN", &market.firm)).is(403);
    market.api.client().post("/offers", new("PLAIN", &market.ann)).is(401);
    // a dry run is decided like the creation
    for (seller, kind, status) in
        [(&market.ann, "SPECIAL", 403), (&market.ann, "PLAIN", 204), (&market.firm, "PLAIN", 403)]
    {
        market.as_user(&market.ann).post("/offers?dryRun=true", new(kind, seller)).is(status);
    }
    market.api.client().post("/offers?dryRun=true", new("PLAIN", &market.ann)).is(401);
    // what is invalid comes first
    market.as_user(&market.ann).post("/offers", json!({ "kind": "SPECIAL" })).is(422);
    // what was refused is not there
    assert_eq!(names(&market.moderator().get("/offers?name=created").is(200)).1, 2);
}

fn deletions_ask_the_other_side(market: &Market) {
    let (sold, kept) = (market.offer(&market.ann, "sold", "ACTIVE"), market.offer(&market.ann, "kept", "ACTIVE"));
    market.api.client().post("/sales", json!({ "offer": { "id": sold } })).is(201);
    market.as_user(&market.ann).delete(&format!("/offers/{sold}")).is(403);
    market.as_user(&market.firm).delete(&format!("/offers/{kept}")).is(403);
    // a moderator is not named
    market.moderator().delete(&format!("/offers/{kept}")).is(403);
    market.as_user(&market.ann).delete(&format!("/offers/{kept}")).is(204);
    market.as_user(&market.ann).delete(&format!("/offers/{kept}")).is(404);
}

fn roles_ask_for_the_caller(market: &Market) {
    for (path, holder, other) in
        [("/business/offers", &market.firm, &market.ann), ("/employed/offers", &market.clerk, &market.firm)]
    {
        market.as_user(holder).get(path).is(200);
        market.as_user(other).get(path).is(403);
        market.api.client().get(path).is(401);
        // a caller whose user is not there
        market.as_user("018f0000-0000-7000-8000-000000000000").get(path).is(403);
    }
}

/// A list that has a condition holds what is admitted, which may be nothing; one that nobody without credentials can ever
/// read asks for them.
fn lists_without_credentials_hold_what_conditions_admit(market: &Market) {
    let (id, nobody) = (market.offer(&market.ann, "anonymous", "DRAFT"), market.api.client());
    let stranger = "018f0000-0000-7000-8000-000000000000";
    for view in ["held", "mine", "team", "ours", "theirs"] {
        let path = format!("/{view}/offers?name=anonymous");
        assert_eq!(names(&nobody.get(&path).is(200)), (Vec::new(), 0), "{view}");
        assert_eq!(names(&market.as_user(stranger).get(&path).is(200)), (Vec::new(), 0), "{view}");
    }
    for view in ["held", "mine", "team"] {
        let path = format!("/{view}/offers?name=anonymous");
        assert_eq!(names(&market.as_user(&market.ann).get(&path).is(200)).1, 1, "{view}");
    }
    nobody.get("/priced/offers").is(401);
    let search: Value = nobody.post("/offer-searches", json!({ "name": "anonymous" })).is(201).read();
    let search = search["id"].as_str().expect("an id").to_owned();
    nobody.get(&format!("/offer-searches/{search}")).is(200);
    for view in ["held", "mine", "team"] {
        assert_eq!(names(&nobody.get(&format!("/{view}/offers?search.id={search}")).is(200)).1, 0, "{view}");
    }
    // a single entity may be admitted with credentials; one that is not there is not
    nobody.get(&format!("/team/offers/{id}")).is(401);
    nobody.get(&format!("/team/offers/{stranger}")).is(404);
    nobody.delete(&format!("/offers/{id}")).is(401);
    nobody.delete(&format!("/offers/{stranger}")).is(404);
    nobody.put(&format!("/offers/{id}/renew-commands/{stranger}"), json!({})).is(401);
    nobody.get(&format!("/offers/{id}/renew-commands")).is(401);
}

fn views_show_what_meets_their_condition(market: &Market) {
    let (active, ended) = (market.offer(&market.ann, "v-on", "ACTIVE"), market.offer(&market.ann, "v-off", "ENDED"));
    let list = market.api.client().get("/ended/offers?name=v-on&name=v-off").is(200);
    assert_eq!(names(&list), (vec!["v-off".to_owned()], 1));
    market.api.client().get(&format!("/ended/offers/{ended}")).is(200);
    market.api.client().get(&format!("/ended/offers/{active}")).is(404);
    // nothing but the condition folds case in this service
    market.offer(&market.ann, "QUIET", "ACTIVE");
    assert_eq!(names(&market.api.client().get("/quiet/offers").is(200)), (vec!["QUIET".to_owned()], 1));
}

fn commands_are_decided_on_the_entity(market: &Market) {
    let (active, ended) = (market.offer(&market.ann, "c-on", "ACTIVE"), market.offer(&market.ann, "c-off", "ENDED"));
    let path = |offer: &str| format!("/offers/{offer}/renew-commands/018f0000-0000-7000-8000-000000000001");
    market.api.client().put(&path(&active), json!({})).is(401);
    market.as_user(&market.ann).put(&path(&active), json!({})).is(403);
    market.as_user(&market.firm).put(&path(&ended), json!({})).is(403);
    market.as_user(&market.ann).put(&format!("{}?dryRun=true", path(&active)), json!({})).is(403);
    // no handler is there: the caller may send it
    market.as_user(&market.ann).put(&path(&ended), json!({})).is(501);
    market.as_user(&market.ann).get(&format!("/offers/{active}/renew-commands")).is(403);
    market.as_user(&market.ann).get(&format!("/offers/{ended}/renew-commands")).is(200);
}
