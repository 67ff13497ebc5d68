//! What the service itself gives an entity, in the hands of a team's own code: rules, handlers, routes and jobs see the
//! state of a lifecycle, defaults, computed fields and the owner as they will be stored, for every way to write the entity.

use crate::stores::OwnStore;
use libtest_mimic::Failed;
use restwell::routes::{Json, Route, Routes};
use restwell::testing::{Running, TestClient};
use restwell::{
    Builder, Call, Command, Context, Enum, Ref, Rejection, Resource, Ruled, Rules, Stored, Timestamp, Transactions,
    handlers,
};
use restwell_testkit::postgres::Server;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The service's own code creates one every time that it starts.
const BY_JOB: &str = "by a job";

/// Made by a request, by a handler, or at the first token of a subject.
#[derive(Debug, Clone, Resource)]
#[resource(
    operations(create(access = anyone), get),
    lifecycle(
        field = standing,
        initial = "MEMBER",
        final("GONE"),
        transition(leave, from("MEMBER"), to = "GONE", at = leaving_at)
    )
)]
struct User {
    name: String,
    #[field(unique, read_only, max_length = 300)]
    external_id: Option<String>,
    #[field(read_only, default(is = "now"))]
    joined_at: Timestamp,
    #[field(read_only)]
    standing: Standing,
    leaving_at: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Eq, Enum)]
enum Standing {
    Member,
    Gone,
}

struct UserRules;

impl Rules<User> for UserRules {
    async fn before_create(&self, user: &mut User, context: &Context<'_>) -> Ruled {
        match user.standing == Standing::Member && user.joined_at <= context.transaction.now() {
            true => Ok(()),
            false => Err(Rejection::new("Unfilled", &format!("{user:?}"))),
        }
    }
}

/// Every field but the name is given by the service.
#[derive(Debug, Clone, Resource)]
#[resource(
    owner = seller,
    operations(
        create(access = [user, when("name == \"open\"")]),
        get,
        list,
        update(access = user),
        patch(access = user),
        delete(access = user)
    ),
    view(later, path = "/later-offers", operations(create(access = user, async), update(access = user, async))),
    commands(End, Copy),
    lifecycle(
        field = status,
        initial = "ACTIVE",
        final("ENDED"),
        transition(end, from("ACTIVE"), to = "ENDED", set(ended_at = "now"))
    )
)]
struct Offer {
    #[field(filter, max_length = 20)]
    name: String,
    #[field(read_only)]
    status: OfferStatus,
    #[field(read_only, default(is = "now"))]
    issued_at: Timestamp,
    #[field(read_only)]
    seller: Ref<User>,
    #[field(read_only, default = 7)]
    rank: i64,
    #[field(read_only)]
    marks: Vec<String>,
    #[field(read_only)]
    ended_at: Option<Timestamp>,
    #[field(is = "size(name)")]
    length: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Enum)]
enum OfferStatus {
    Active,
    Ended,
}

/// It belongs to the seller of its offer, and not to the caller.
#[derive(Debug, Clone, Resource)]
#[resource(owner = seller, operations(create(access = user), get(access = owner)))]
struct Receipt {
    offer: Ref<Offer>,
    #[field(read_only, default(is = "offer.seller"))]
    seller: Option<Ref<User>>,
}

/// Its transition is all that it does.
#[derive(Debug, Clone, Command)]
#[command(on = Offer, access = user)]
struct End;

/// Creates an offer like this one, in the first state.
#[derive(Debug, Clone, Command)]
#[command(on = Offer, access = user)]
struct Copy;

struct Handling;

#[handlers]
impl Handling {
    async fn copy(&self, call: Call<Copy>) -> Result<(), Rejection> {
        let copy = Offer { status: OfferStatus::Active, name: "copy".to_owned(), ..call.entity.value };
        call.transaction.create(copy).await.map(drop)
    }
}

struct OfferRules;

impl OfferRules {
    /// Refuses what the service has not filled in, so that the response says it.
    fn check(offer: &Offer, at: &str) -> Ruled {
        let length = i64::try_from(offer.name.len()).ok();
        let is_filled = offer.rank == 7 && offer.marks.is_empty() && offer.length == length;
        let is_ended = offer.status == OfferStatus::Ended;
        match is_filled && is_ended == offer.ended_at.is_some() {
            true => Ok(()),
            false => Err(Rejection::new("Unfilled", &format!("{at}: {offer:?}"))),
        }
    }
}

impl Rules<Offer> for OfferRules {
    async fn before_create(&self, offer: &mut Offer, context: &Context<'_>) -> Ruled {
        Self::check(offer, "before_create")?;
        let is_new = offer.status == OfferStatus::Active && offer.issued_at <= context.transaction.now();
        let is_owned = context.caller.is_none_or(|caller| caller.id == offer.seller.id);
        offer.name.push('.');
        if is_new && is_owned { Ok(()) } else { Err(Rejection::new("NotNew", &format!("{offer:?}"))) }
    }

    async fn before_update(&self, _: &Stored<Offer>, offer: &mut Offer, _: &Context<'_>) -> Ruled {
        Self::check(offer, "before_update")?;
        offer.name = offer.name.replace("..", ",");
        Ok(())
    }

    async fn validate(&self, offer: &Offer, _: Option<&Stored<Offer>>, _: &Context<'_>) -> Ruled {
        Self::check(offer, "validate")
    }

    async fn after_create(&self, offer: &Stored<Offer>, context: &Context<'_>) -> Ruled {
        Self::check(offer, "after_create")?;
        let found = context.transaction.find(offer.reference()).await?;
        Self::check(&found, "found after its creation")
    }

    async fn after_update(&self, before: &Stored<Offer>, offer: &Stored<Offer>, _: &Context<'_>) -> Ruled {
        Self::check(before, "before it was updated")?;
        Self::check(offer, "after_update")
    }

    async fn before_delete(&self, offer: &Stored<Offer>, _: &Context<'_>) -> Ruled {
        Self::check(offer, "before_delete")
    }
}

/// A route that takes an offer and stores it.
async fn take(transactions: Transactions, Json(offer): Json<Offer>) -> Result<Json<Value>, Rejection> {
    OfferRules::check(&offer, "the body of a route")?;
    let created = transactions.run(move |transaction| {
        let offer = offer.clone();
        async move { transaction.create(offer).await }
    });
    let created = created.await?;
    Ok(Json(json!({ "id": created.id, "length": created.length })))
}

fn service() -> Builder {
    let take = Route::post("/taken-offers").takes::<Offer>().returns_json(200);
    Builder::new("shop")
        .users::<User>()
        .user_subject("externalId")
        .provision_users(&[("name", "name")])
        .rules(UserRules)
        .resource::<Offer>()
        .commands::<Offer>(&Arc::new(Handling))
        .rules(OfferRules)
        .resource::<Receipt>()
        .routes(Routes::new().route(take, self::take))
        .job("offers", |service| async move {
            let made = service.transactions().run(|transaction| async move {
                let now = transaction.now();
                let draft = UserDraft { name: BY_JOB.to_owned(), joined_at: now, standing: Standing::Member };
                let seller = transaction.create(User::from(draft)).await?.reference();
                let draft = OfferDraft { name: BY_JOB.to_owned(), status: OfferStatus::Active, issued_at: now, seller };
                transaction.create(Offer::from(draft)).await
            });
            made.await.map(drop).expect("a job creates what rules let through");
        })
}

pub(crate) fn run(server: Option<&Server>) -> Result<(), Failed> {
    let store = OwnStore::new(server);
    let api = store.setup(service()).start();
    let ann: Value = api.client().post("/users", json!({ "name": "Ann" })).is(201).read();
    let ann = api.client().as_user(ann["id"].as_str().expect("an id").parse::<restwell::Uuid>()?);
    creations(&api, &ann);
    changes(&ann);
    by_own_code(&api, &ann);
    by_the_first_token(&api);
    for_another_owner(&api, &ann);
    Ok(())
}

fn creations(api: &Running, ann: &TestClient) {
    let body = json!({ "name": "Chair" });
    let created: Value = ann.post("/offers", &body).is(201).read();
    assert_eq!((&created["status"], &created["name"]), (&json!("ACTIVE"), &json!("Chair.")));
    assert_eq!((&created["rank"], &created["length"]), (&json!(7), &json!(6)));
    assert!(created["issuedAt"].is_string() && created["seller"]["id"].is_string(), "{created}");
    for query in ["dryRun=true", "dryRun=true&include=name", "dryRun=true&include=status"] {
        ann.post(&format!("/offers?{query}"), &body).is(204);
    }
    // what a request says of it is ignored
    let claims =
        json!({ "name": "chair", "status": "ENDED", "issuedAt": null, "rank": 1, "length": 1, "marks": ["y"] });
    let created: Value = ann.post("/offers", &claims).is(201).read();
    assert_eq!((&created["status"], &created["rank"]), (&json!("ACTIVE"), &json!(7)));
    // where only the token names the owner, a condition on the entity lets nobody create one without
    for path in ["/offers", "/offers?dryRun=true"] {
        api.client().post(path, json!({ "name": "open" })).is(401);
    }
    ann.post("/later-offers", json!({ "name": "later" })).is(202);
    wait(|| ann.get("/offers?name=later.").is(200).json["count"] == 1);
}

fn changes(ann: &TestClient) {
    let created: Value = ann.post("/offers", json!({ "name": "desk" })).is(201).read();
    let path = format!("/offers/{}", created["id"].as_str().expect("an id"));
    let put: Value = ann.put(&path, json!({ "name": "desk..2" })).is(200).read();
    assert_eq!((&put["length"], &put["status"]), (&json!(6), &json!("ACTIVE")));
    assert_eq!((&put["issuedAt"], &put["seller"]), (&created["issuedAt"], &created["seller"]));
    ann.put(&format!("{path}?dryRun=true&include=name"), json!({ "name": "desk" })).is(204);
    let patch = json!([{ "op": "replace", "path": "/name", "value": "desk..3" }]);
    ann.patch(&format!("{path}?dryRun=true"), &patch).is(204);
    assert_eq!(ann.patch(&path, &patch).is(200).json["length"], 6);
    ann.put(&format!("/later{}", path.replacen('/', "-", 1)), json!({ "name": "desk..4" })).is(202);
    wait(|| ann.get(&path).is(200).json["name"] == "desk,4");
    ann.command(&path, "end", json!({})).succeeded();
    assert_eq!(ann.get(&path).is(200).json["status"], "ENDED");
    ann.command(&path, "copy", json!({})).failed();
    assert_eq!(ann.get("/offers?name=copy.").is(200).json["count"], 0, "its `endedAt` is that of an ended offer");
    ann.delete(&path).is(204);
}

fn by_own_code(api: &Running, ann: &TestClient) {
    let taken: Value = ann.post("/taken-offers", json!({ "name": "Taken" })).is(200).read();
    assert_eq!(taken["length"], 6);
    api.client().post("/taken-offers", json!({ "name": "Taken" })).is(401);
    let path = format!("/offers/{}", taken["id"].as_str().expect("an id"));
    ann.command(&path, "copy", json!({})).succeeded();
    let copies = ann.get("/offers?name=copy.").is(200);
    assert_eq!(copies.json["offers"][0]["status"], "ACTIVE");
    wait(|| ann.get(&format!("/offers?name={}.", BY_JOB.replace(' ', "%20"))).is(200).json["count"] == 1);
}

fn by_the_first_token(api: &Running) {
    let token = api.token_of("auth0|507f1f77", &[], &[("name", json!("Bob"))]);
    let created: Value = api.client().with_token(&token).post("/offers", json!({ "name": "bike" })).is(201).read();
    let path = format!("/users/{}", created["seller"]["id"].as_str().expect("an id"));
    let bob: Value = api.client().get(&path).is(200).read();
    assert_eq!((&bob["name"], &bob["standing"]), (&json!("Bob"), &json!("MEMBER")));
    assert!(bob["joinedAt"].is_string(), "{bob}");
}

/// A default that is named goes before the token.
fn for_another_owner(api: &Running, ann: &TestClient) {
    let chair: Value = ann.post("/offers", json!({ "name": "Chair" })).is(201).read();
    let bob: Value = api.client().post("/users", json!({ "name": "Bob" })).is(201).read();
    let bob = api.client().as_user(bob["id"].as_str().expect("an id").parse::<restwell::Uuid>().expect("an id"));
    let receipt: Value = bob.post("/receipts", json!({ "offer": { "id": chair["id"] } })).is(201).read();
    assert_eq!(receipt["seller"], chair["seller"]);
    let path = format!("/receipts/{}", receipt["id"].as_str().expect("an id"));
    ann.get(&path).is(200);
    bob.get(&path).is(403);
}

fn wait(is_done: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_done() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it is not done in time");
        std::thread::sleep(Duration::from_millis(20));
    }
}
