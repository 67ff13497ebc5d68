//! The decision "Former names": a field that was renamed is served under both names.

use crate::Case;
use crate::client::{Api, Reply};
use crate::specimen::{id, keeper, path};
use crate::stream::Stream;
use restwell::{Builder, Resource};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("Former names: responses and events have both names", both_are_returned),
    ("Former names: a request may have either, and the former one gets the headers", either_is_read),
    ("Former names: of two values, the one that differs from the stored one holds", the_changed_one_holds),
    ("Former names: two values that both differ are 422 at both paths", two_that_differ),
    ("Former names: filters and sorts", parameters),
    ("Former names: PATCH under either name", patches),
    ("Former names: criteria of searches", criteria),
];

/// Its caption is its legend now.
#[derive(Debug, Clone, Resource)]
#[resource(search, operations(create, list, get, update, patch))]
struct Poster {
    #[field(filter, sort, formerly("caption" = "2027-06-30"))]
    legend: Option<String>,
    #[field(unique, formerly("code" = "2027-06-30"))]
    number: Option<i64>,
}

fn posters(api: &Api) -> Api {
    api.of(|| Builder::new("shop").resource::<Poster>())
}

/// Whether the former name was used.
fn is_announced(reply: &Reply) -> bool {
    assert!(reply.header("sunset").is_none_or(|sunset| sunset == "Wed, 30 Jun 2027 00:00:00 GMT"), "{reply}");
    reply.header("deprecation").is_some()
}

/// Notebooks of one keeper.
struct Shelf<'a> {
    api: &'a Api,
    token: String,
    keeper: Value,
}

impl<'a> Shelf<'a> {
    fn of(api: &'a Api) -> Self {
        let keeper = keeper(api, "Ida");
        Self { api, token: api.bearer(&keeper, &[]), keeper }
    }

    fn send(&self, method: &str, target: &str, body: &Value) -> Reply {
        let request = self.api.request(method, target).header("authorization", &self.token);
        if method == "GET" { request.send() } else { request.json(body).send() }
    }

    fn notebook(&self, body: &Value) -> (String, Reply) {
        let reply = self.send("POST", "/notebooks", body).is(201);
        (path("notebooks", &reply.json()), reply)
    }
}

/// Both names have this value.
#[track_caller]
fn assert_titled(reply: &Reply, title: &str) {
    let entity = reply.json();
    assert_eq!((&entity["title"], &entity["heading"]), (&json!(title), &json!(title)), "{reply}");
}

fn both_are_returned(api: &Api) {
    let shelf = Shelf::of(api);
    let request = api.events("/events?resource=notebooks").header("authorization", &shelf.token);
    let mut events = Stream::open(&request);
    let (target, created) = shelf.notebook(&json!({ "title": "Beetles" }));
    assert_titled(&created, "Beetles");
    let read = shelf.send("GET", &target, &Value::Null).is(200);
    assert_titled(&read, "Beetles");
    assert!(!is_announced(&created) && !is_announced(&read));
    let listed = shelf.send("GET", "/notebooks", &Value::Null).is(200).json();
    assert_eq!(listed["notebooks"][0], read.json());
    assert_eq!(events.event().json["data"], read.json());
}

fn either_is_read(api: &Api) {
    let shelf = Shelf::of(api);
    let (target, created) = shelf.notebook(&json!({ "heading": "Ferns" }));
    assert_titled(&created, "Ferns");
    assert!(is_announced(&created));
    let put = |body: &Value| shelf.send("PUT", &target, body);
    let keeper = json!({ "id": id(&shelf.keeper) });
    let reply = put(&json!({ "keeper": keeper, "heading": "Mosses" })).is(200);
    assert_titled(&reply, "Mosses");
    assert!(is_announced(&reply));
    let reply = put(&json!({ "keeper": keeper, "title": "Lichens" })).is(200);
    assert_titled(&reply, "Lichens");
    assert!(!is_announced(&reply));
    put(&json!({ "keeper": keeper })).refused(&[("Required", "title")]);
    put(&json!({ "keeper": keeper, "heading": "x".repeat(41) })).refused(&[("TooLong", "heading")]);
    let dry = format!("{target}?dryRun=true&include=heading");
    let reply = shelf.send("PUT", &dry, &json!({ "heading": "x".repeat(41) }));
    reply.refused(&[("TooLong", "heading")]);
    assert_titled(&shelf.send("GET", &target, &Value::Null), "Lichens");
}

fn the_changed_one_holds(api: &Api) {
    let shelf = Shelf::of(api);
    let (target, created) = shelf.notebook(&json!({ "title": "Moths", "heading": "Moths" }));
    assert!(!is_announced(&created), "the present name says it all");
    let mut whole = created.json();
    // a client changes what it has read, and sends all of it back
    for (name, title, announced) in [("title", "Owls", false), ("heading", "Bats", true)] {
        whole[name] = json!(title);
        let reply = shelf.send("PUT", &target, &whole).is(200);
        assert_titled(&reply, title);
        assert_eq!(is_announced(&reply), announced, "{name}");
        whole = reply.json();
    }
    let same = shelf.send("PUT", &target, &whole).is(200);
    assert_titled(&same, "Bats");
    assert!(!is_announced(&same));
    // a new one has nothing stored: what is not null is another value
    let api = posters(api);
    let poster = api.create("/posters", &json!({ "legend": null, "caption": "Sea" }));
    assert_eq!((&poster["legend"], &poster["caption"]), (&json!("Sea"), &json!("Sea")));
}

fn two_that_differ(api: &Api) {
    let shelf = Shelf::of(api);
    let differ = [("NamesDiffer", "title"), ("NamesDiffer", "heading")];
    shelf.send("POST", "/notebooks", &json!({ "title": "A", "heading": "B" })).refused(&differ);
    let (target, created) = shelf.notebook(&json!({ "title": "A" }));
    let mut body = created.json();
    (body["title"], body["heading"]) = (json!("B"), json!("C"));
    let errors = shelf.send("PUT", &target, &body).refused(&differ);
    assert_eq!(errors[0]["details"], json!({ "other": "heading" }));
    shelf.send("PUT", &format!("{target}?dryRun=true"), &body).refused(&differ);
    body["heading"] = json!("B");
    assert_titled(&shelf.send("PUT", &target, &body).is(200), "B");
    body["heading"] = json!("D");
    shelf.send("PUT", &format!("{target}?dryRun=true"), &body).is(204);
}

fn parameters(api: &Api) {
    let api = posters(api);
    for legend in ["Sea", "Alps"] {
        api.create("/posters", &json!({ "legend": legend }));
    }
    let legends = |query: &str| {
        let reply = api.get(&format!("/posters?{query}")).is(200);
        let posters = reply.json()["posters"].clone();
        let legends: Vec<_> = posters.as_array().expect("a list").iter().map(|it| it["legend"].clone()).collect();
        (json!(legends), is_announced(&reply))
    };
    assert_eq!(legends("caption=Sea"), (json!(["Sea"]), true));
    assert_eq!(legends("legend=Sea"), (json!(["Sea"]), false));
    assert_eq!(legends("sort=caption"), (json!(["Alps", "Sea"]), true));
    assert_eq!(legends("sort=-legend"), (json!(["Sea", "Alps"]), false));
    assert_eq!(legends("sort=-caption"), (json!(["Sea", "Alps"]), true));
    api.get("/posters?sort=caption,legend").refused(&[("InvalidParameter", "sort")]);
}

fn patches(api: &Api) {
    let api = posters(api);
    let target = path("posters", &api.create("/posters", &json!({ "legend": "Sea", "number": 1 })));
    let patch = |op: &str, name: &str, value: Value| {
        api.patch(&target, &json!([{ "op": op, "path": format!("/{name}"), "value": value }]))
    };
    let legend = |reply: &Reply| reply.json()["legend"].clone();
    let reply = patch("replace", "caption", json!("Alps")).is(200);
    assert_eq!((legend(&reply), is_announced(&reply)), (json!("Alps"), true));
    let reply = patch("replace", "legend", json!("Lake")).is(200);
    assert_eq!((legend(&reply), is_announced(&reply)), (json!("Lake"), false));
    patch("test", "caption", json!("Lake")).is(200);
    let both = json!([
        { "op": "replace", "path": "/caption", "value": "A" },
        { "op": "replace", "path": "/legend", "value": "B" },
    ]);
    api.patch(&target, &both).refused(&[("NamesDiffer", "legend"), ("NamesDiffer", "caption")]);
    for name in ["caption", "legend"] {
        patch("replace", "legend", json!("Lake")).is(200);
        let removed = api.patch(&target, &json!([{ "op": "remove", "path": format!("/{name}") }])).is(200);
        assert_eq!(legend(&removed), Value::Null, "{name}");
    }
    assert_eq!(patch("replace", "code", json!(2)).is(200).json()["number"], 2);
}

fn criteria(api: &Api) {
    let api = posters(api);
    api.create("/posters", &json!({ "legend": "Sea" }));
    let search = |body: &Value| api.post("/poster-searches", body);
    let old = search(&json!({ "caption": "Sea" })).is(201);
    assert!(is_announced(&old));
    let shown = old.json();
    assert_eq!((&shown["legend"], &shown["caption"]), (&json!("Sea"), &json!("Sea")));
    let again = search(&shown).is(201);
    assert!(!is_announced(&again), "what was read can be posted again");
    for search in [&old, &again] {
        assert_eq!(api.get(&format!("/posters?search.id={}", id(&search.json()))).is(200).json()["count"], 1);
    }
    let differ = [("NamesDiffer", "legend"), ("NamesDiffer", "caption")];
    search(&json!({ "legend": "Sea", "caption": "Alps" })).refused(&differ);
    search(&json!({ "captoin": "Sea" })).refused(&[("UnknownProperty", "captoin")]);
}
