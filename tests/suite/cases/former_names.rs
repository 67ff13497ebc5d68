//! The decision "Former names": a field that was renamed is served under both names.

use crate::Case;
use crate::client::{Api, Reply};
use crate::specimen::{id, keeper, path};
use crate::stream::Stream;
use restwell::{Builder, Object, Resource};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("Former names: responses and events have both names", both_are_returned),
    ("Former names: a request may have either, and the former one gets the headers", either_is_read),
    ("Former names: of two values, the one that differs from the stored one holds", the_changed_one_holds),
    ("Former names: two values that both differ are 422 at both paths", two_that_differ),
    ("Former names: filters and sorts", parameters),
    ("Former names: PATCH under either name", patches),
    ("Former names: criteria of searches", criteria),
    ("Former names: fields of objects in bodies", objects),
    ("Former names: fields of objects in filters, sorts and searches", object_parameters),
    ("Former names: PATCH of fields of objects under either name", object_patches),
    ("Former names: PATCH of whole objects that have one of the names", patched_objects),
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

/// Its town is its city now.
#[derive(Debug, Clone, Object)]
struct Place {
    #[field(filter, sort, formerly("town" = "2027-06-30"))]
    city: String,
    street: Option<String>,
}

/// Its place is its spot now.
#[derive(Debug, Clone, Resource)]
#[resource(search, operations(create, list, get, update, patch))]
struct Fountain {
    #[field(formerly("place" = "2027-06-30"))]
    spot: Option<Place>,
    origin: Option<Place>,
}

fn fountains(api: &Api) -> Api {
    api.of(|| Builder::new("shop").resource::<Fountain>())
}

/// A place as it is shown.
fn place(city: &str) -> Value {
    json!({ "city": city, "town": city, "street": null })
}

fn posters(api: &Api) -> Api {
    api.of(|| Builder::new("shop").resource::<Poster>())
}

/// Whether the former name was used.
pub(super) fn is_announced(reply: &Reply) -> bool {
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

fn objects(api: &Api) {
    let api = fountains(api);
    let request = api.events("/events?resource=fountains");
    let mut events = Stream::open(&request);
    let created = api.post("/fountains", &json!({ "spot": { "town": "Oslo" } })).is(201);
    assert!(is_announced(&created));
    let mut whole = created.json();
    assert_eq!((&whole["spot"], &whole["place"], &whole["origin"]), (&place("Oslo"), &place("Oslo"), &Value::Null));
    assert_eq!(events.event().json["data"], whole);
    let target = path("fountains", &whole);
    let put = |body: &Value| api.put(&target, body);
    // a client changes one name in what it has read, and sends all of it back
    for (object, name, city, announced) in [
        ("spot", "city", "Rome", false),
        ("spot", "town", "Bari", true),
        ("place", "city", "Pisa", true),
        ("place", "town", "Turin", true),
    ] {
        whole[object][name] = json!(city);
        let reply = put(&whole).is(200);
        whole = reply.json();
        assert_eq!((&whole["spot"], &whole["place"]), (&place(city), &place(city)), "{object}.{name}");
        assert_eq!(is_announced(&reply), announced, "{object}.{name}");
    }
    assert!(!is_announced(&put(&whole).is(200)));
    let both = |city: &str, town: &str| json!({ "origin": { "city": city, "town": town } });
    let differ = [("NamesDiffer", "origin.city"), ("NamesDiffer", "origin.town")];
    put(&both("A", "B")).refused(&differ);
    assert_eq!(put(&both("A", "A")).is(200).json()["origin"], place("A"));
    assert_eq!(put(&both("A", "B")).is(200).json()["origin"], place("B"), "one is stored");
    put(&both("C", "D")).refused(&differ);
    put(&json!({ "origin": {} })).refused(&[("Required", "origin.city")]);
    put(&json!({ "origin": { "town": 7 } })).refused(&[("WrongType", "origin.town")]);
    api.post("/fountains", &both("A", "B")).refused(&differ);
    let dry = format!("{target}?dryRun=true&include=origin.town");
    api.put(&dry, &json!({ "origin": { "town": 7 } })).refused(&[("WrongType", "origin.town")]);
}

fn object_parameters(api: &Api) {
    let api = fountains(api);
    for city in ["Rome", "Oslo"] {
        api.create("/fountains", &json!({ "spot": { "city": city } }));
    }
    let cities = |query: &str| {
        let reply = api.get(&format!("/fountains?{query}")).is(200);
        let all = reply.json()["fountains"].clone();
        let cities: Vec<_> = all.as_array().expect("a list").iter().map(|it| it["spot"]["city"].clone()).collect();
        (json!(cities), is_announced(&reply))
    };
    for (name, announced) in [("spot.city", false), ("spot.town", true), ("place.city", true), ("place.town", true)] {
        assert_eq!(cities(&format!("{name}=Oslo")), (json!(["Oslo"]), announced), "{name}");
        assert_eq!(cities(&format!("sort={name}")), (json!(["Oslo", "Rome"]), announced), "{name}");
        let (object, field) = name.split_once('.').expect("two words");
        let search = api.post("/fountain-searches", &json!({ object: { field: "Rome" } })).is(201);
        assert_eq!(is_announced(&search), announced, "{name}");
        let again = api.post("/fountain-searches", &search.json()).is(201);
        // it is stored under the present name
        for search in [&search, &again] {
            assert_eq!(cities(&format!("search.id={}", id(&search.json()))), (json!(["Rome"]), false), "{name}");
        }
    }
    api.get("/fountains?sort=spot.town,spot.city").refused(&[("InvalidParameter", "sort")]);
    api.get("/fountains?spot.twon=Oslo").refused(&[("UnknownParameter", "spot.twon")]);
    let differ = [("NamesDiffer", "spot.city"), ("NamesDiffer", "spot.town")];
    api.post("/fountain-searches", &json!({ "spot": { "city": "Rome", "town": "Oslo" } })).refused(&differ);
}

fn object_patches(api: &Api) {
    let api = fountains(api);
    let target = path("fountains", &api.create("/fountains", &json!({ "spot": { "city": "Oslo", "street": "A" } })));
    let patch =
        |op: &str, path: &str, value: Value| api.patch(&target, &json!([{ "op": op, "path": path, "value": value }]));
    for (name, city, announced) in [
        ("/spot/city", "Rome", false),
        ("/spot/town", "Bari", true),
        ("/place/city", "Pisa", true),
        ("/place/town", "Turin", true),
    ] {
        let reply = patch("replace", name, json!(city)).is(200);
        assert_eq!((&reply.json()["spot"]["city"], is_announced(&reply)), (&json!(city), announced), "{name}");
        assert_eq!(reply.json()["spot"]["street"], "A", "{name}");
        patch("test", name, json!(city)).is(200);
        let dotted = name[1..].replace('/', ".");
        patch("test", name, json!("Lima")).refused(&[("TestFailed", &dotted)]);
    }
    let both = json!([
        { "op": "replace", "path": "/spot/town", "value": "A" },
        { "op": "replace", "path": "/spot/city", "value": "B" },
    ]);
    api.patch(&target, &both).refused(&[("NamesDiffer", "spot.city"), ("NamesDiffer", "spot.town")]);
    for name in ["/spot/city", "/spot/town"] {
        let removal = json!([{ "op": "remove", "path": name }]);
        api.patch(&target, &removal).refused(&[("Required", "spot.city")]);
    }
}

fn patched_objects(api: &Api) {
    let api = fountains(api);
    let created = api.create("/fountains", &json!({ "spot": { "city": "Oslo", "street": "A" } }));
    let target = path("fountains", &created);
    let patch = |operations: &Value| api.patch(&target, operations);
    // also with the value that is stored: a name that a client does not know is not removed
    for (object, name) in [("spot", "city"), ("spot", "town"), ("place", "city"), ("place", "town"), ("origin", "town")]
    {
        for city in ["Oslo", "Oslo", "Rome"] {
            let value = json!({ name: city, "street": "B" });
            let operation = json!([{ "op": "add", "path": format!("/{object}"), "value": value }]);
            let reply = patch(&operation).is(200);
            let shown = json!({ "city": city, "town": city, "street": "B" });
            assert_eq!(reply.json()[object], shown, "{object}.{name}: {city}");
            assert_eq!(is_announced(&reply), object == "place" || name == "town", "{object}.{name}: {city}");
            let test = json!([{ "op": "test", "path": format!("/{object}"), "value": value }]);
            patch(&test).is(200);
        }
    }
    let differ = json!([{ "op": "add", "path": "/spot", "value": { "city": "A", "town": "B" } }]);
    patch(&differ).refused(&[("NamesDiffer", "spot.city"), ("NamesDiffer", "spot.town")]);
    let moved = patch(&json!([{ "op": "move", "from": "/origin", "path": "/place" }])).is(200).json();
    assert_eq!((&moved["spot"]["city"], &moved["origin"]), (&json!("Rome"), &Value::Null));
    for name in ["spot", "place"] {
        let whole = json!([{ "op": "replace", "path": "", "value": { name: { "town": "Oslo" } } }]);
        for _ in 0..2 {
            assert_eq!(patch(&whole).is(200).json()["spot"], place("Oslo"), "{name}");
        }
    }
    let gone = json!([{ "op": "remove", "path": "/place" }]);
    assert_eq!(patch(&gone).is(200).json()["spot"], Value::Null);
}
