//! Keys with conditions that attributes of hand-written structs say, through HTTP: the same as from YAML.

use crate::market::made;
use libtest_mimic::Failed;
use restwell::testing::{Running, Setup, TestClient};
use restwell::{Builder, Call, Command, Enum, Ref, Rejection, Resource, handlers};
use serde_json::{Value, json};
use std::sync::Arc;

/// Somebody with offers.
#[derive(Debug, Clone, Resource)]
#[resource(operations(create(access = anyone), get))]
pub(crate) struct User {
    pub name: String,
    #[field(max_length = 10)]
    pub kind: Option<String>,
}

/// What a user sells.
#[derive(Debug, Clone, Resource)]
#[resource(
    owner = seller,
    conditions(is_active = "status == \"ACTIVE\"", "isEnded" = "!isActive"),
    visible = [owner, moderator, is_active],
    operations(create(access = user), list, get, update(access = [owner, when("isActive || desk")])),
    view(ended, where = "isEnded", operations(list, get)),
    view(watched, where = "caller.any(Watch.user, offer == outer)", operations(list(access = [watcher]))),
    commands(End, Force, Cheat),
    lifecycle(
        field = status,
        initial = "ACTIVE",
        final("ENDED"),
        transition(end, from("ACTIVE"), to = "ENDED", set(reason = "\"ended\""), when = "isHeld != true")
    )
)]
pub(crate) struct Offer {
    pub name: String,
    pub seller: Ref<User>,
    #[field(visible = owner, filter)]
    pub note: Option<String>,
    #[field(writable = business)]
    pub rank: Option<i64>,
    pub is_held: Option<bool>,
    #[field(read_only)]
    pub reason: Option<String>,
    #[field(read_only, filter)]
    pub status: Option<OfferStatus>,
}

/// An offer that a user watches.
#[derive(Debug, Clone, Resource)]
#[resource(
    operations(create(access = user)),
    rule(check = "old != null || user.count(Watch.user, offer == outer.offer) <= 1", code = "WatchedTwice")
)]
pub(crate) struct Watch {
    pub user: Ref<User>,
    pub offer: Ref<Offer>,
}

/// The states of an offer.
#[derive(Debug, Clone, PartialEq, Eq, Enum)]
pub(crate) enum OfferStatus {
    Active,
    Ended,
    #[value(unknown)]
    Unknown(String),
}

/// Its transition is all that it does.
#[derive(Debug, Clone, Command)]
#[command(on = Offer, access = [moderator, when("seller == caller")])]
pub(crate) struct End;

/// Ends another offer by its transition.
#[derive(Debug, Clone, Command)]
#[command(on = Offer, access = user)]
pub(crate) struct Force {
    pub other: Ref<Offer>,
}

/// Writes the state.
#[derive(Debug, Clone, Command)]
#[command(on = Offer, access = user)]
pub(crate) struct Cheat {
    /// Whether it creates an offer in a state, and does not change this one.
    pub is_new: bool,
}

struct Handling;

#[handlers]
impl Handling {
    async fn force(&self, call: Call<Force>) -> Result<(), Rejection> {
        let ended = call.transaction.transition::<End>(call.input.other).await?;
        assert_eq!((ended.status.clone(), ended.reason.as_deref()), (Some(OfferStatus::Ended), Some("ended")));
        Ok(())
    }

    async fn cheat(&self, call: Call<Cheat>) -> Result<(), Rejection> {
        let mut offer = call.entity;
        offer.status = Some(OfferStatus::Ended);
        match call.input.is_new {
            true => call.transaction.create(Offer::clone(&offer)).await.map(drop),
            false => call.transaction.update(offer).await,
        }
    }
}

fn service() -> Builder {
    Builder::new("market")
        .users::<User>()
        .resource::<Offer>()
        .resource::<Watch>()
        .role("watcher", "caller.any(Watch.user)")
        .role("moderator", "\"moderator\" in claims.realm.roles")
        .condition("desk", "\"desk\" in scopes")
        .role("business", "caller.kind == \"BUSINESS\"")
        .commands::<Offer>(&Arc::new(Handling))
}

pub(crate) fn run() -> Result<(), Failed> {
    let api = Setup::of(service()).start();
    let user = |name: &str, kind: Option<&str>| made(&api.client(), "/users", &json!({ "name": name, "kind": kind }));
    let (ann, bob, firm) = (user("Ann", None), user("Bob", None), user("Firm", Some("BUSINESS")));
    let of = |id: &str| api.client().as_user(id.parse::<restwell::Uuid>().expect("an id"));
    let body = |seller: &str| json!({ "name": "offer", "seller": { "id": seller }, "note": "secret" });
    let offer = |seller: &str| format!("/offers/{}", made(&of(seller), "/offers", &body(seller)));

    let path = offer(&ann);
    let seen = |client: TestClient| client.get(&path).is(200).json["note"].clone();
    assert_eq!((seen(of(&ann)), seen(of(&bob)), seen(api.client())), (json!("secret"), Value::Null, Value::Null));
    let found = |client: TestClient| client.get("/offers?note=secret").is(200).json["count"].clone();
    assert_eq!((found(of(&ann)), found(of(&bob))), (json!(1), json!(0)));
    let ranked = |seller: &str| json!({ "name": "offer", "seller": { "id": seller }, "rank": 1 });
    let refused = of(&ann).post("/offers", ranked(&ann)).is(403);
    assert_eq!(refused.errors(), [("Forbidden", Some("rank"))]);
    of(&firm).post("/offers", ranked(&firm)).is(201);
    of(&bob).put(&path, json!({ "name": "renamed", "seller": { "id": ann } })).is(200);

    let watched = |client: TestClient| client.get("/watched/offers");
    watched(api.client()).is(401);
    watched(of(&bob)).is(403);
    let watch = json!({ "user": { "id": bob }, "offer": { "id": path.trim_start_matches("/offers/") } });
    made(&of(&bob), "/watches", &watch);
    assert_eq!(watched(of(&bob)).is(200).json["count"], 1);
    assert_eq!(of(&bob).post("/watches", &watch).is(422).errors(), [("WatchedTwice", None)]);
    of(&bob).command(&path, "end", json!({})).is(403);
    of(&ann).command(&path, "end", json!({})).succeeded();
    ended_offers_are_hidden(&api, &path, [&of(&ann), &of(&bob)]);

    transitions_are_the_only_ways(&of(&ann), &offer(&ann), &offer(&ann));
    Ok(())
}

fn ended_offers_are_hidden(api: &Running, path: &str, [ann, bob]: [&TestClient; 2]) {
    let with_roles = |roles: Value| {
        let claims = [("realm", json!({ "roles": roles }))];
        api.client().with_token(&api.token_of("018f0000-0000-7000-8000-000000000009", &[], &claims))
    };
    bob.get(path).is(404);
    bob.get(&format!("/ended{path}")).is(404);
    for client in [&with_roles(json!(["clerk"])), &with_roles(json!("moderator")), &with_roles(json!({}))] {
        client.get(path).is(404);
    }
    for client in [ann, &with_roles(json!(["clerk", "moderator"]))] {
        assert_eq!(client.get(path).is(200).json["reason"], "ended");
        assert_eq!(client.get("/ended/offers").is(200).json["count"], 1);
        client.get(&format!("/ended{path}")).is(200);
    }
    assert_eq!(bob.get("/ended/offers").is(200).json["count"], 0);
}

fn transitions_are_the_only_ways(ann: &TestClient, path: &str, other: &str) {
    let state = |path: &str| ann.get(path).is(200).json["status"].clone();
    let count = || ann.get("/offers").is(200).json["count"].clone();
    let before = count();
    for is_new in [true, false] {
        let failed = ann.command(path, "cheat", json!({ "isNew": is_new })).failed();
        assert_eq!(failed.errors(), [("InternalError", None)]);
        assert_eq!((state(path), count()), (json!("ACTIVE"), before.clone()), "is new: {is_new}");
    }
    let force = || ann.command(path, "force", json!({ "other": { "id": other.trim_start_matches("/offers/") } }));
    let held = |is_held: bool| {
        let mut body = ann.get(other).is(200).json;
        body["isHeld"] = json!(is_held);
        ann.put(other, body).is(200);
    };
    held(true);
    assert_eq!(force().failed().errors(), [("WrongState", Some("status"))]);
    held(false);
    force().succeeded();
    assert_eq!((state(other), state(path)), (json!("ENDED"), json!("ACTIVE")));
    assert_eq!(force().failed().errors(), [("WrongState", Some("status"))]);
}
