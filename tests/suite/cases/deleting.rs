//! Deleting what others refer to: `onDelete`, and the decision "Deleting".

use crate::Case;
use crate::client::{Api, Reply};
use crate::specimen::{created, keeper, path, reference};
use restwell::{Builder, Ref, Resource};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("Deleting: restrict is StillReferenced", restrict),
    ("Deleting: cascade takes what refers to it along", cascade),
    ("Deleting: null makes others forget it", null),
    ("Deleting: restrict wins over cascade, and nothing is done", restrict_with_cascade),
    ("Deleting: what would take too many along is refused, and nothing is done", too_many),
    ("Deleting: references in arrays and objects count, too", deep_references),
    ("Deleting: StillReferenced says by which resources, as far as the caller may list them", by_which),
];

fn restrict(api: &Api) {
    let specimen = created(api, &json!({}));
    let loan = api.create("/loans", &json!({ "specimen": reference(&specimen) }));
    still_referenced(&api.delete(&path("specimens", &specimen)));
    api.get(&path("specimens", &specimen)).is(200);
    api.delete(&path("loans", &loan)).is(204);
    api.delete(&path("specimens", &specimen)).is(204);
}

fn cascade(api: &Api) {
    let [gone, kept] = [(), ()].map(|()| created(api, &json!({})));
    let photos =
        [&gone, &gone, &kept].map(|specimen| api.create("/photos", &json!({ "specimen": reference(specimen) })));
    api.delete(&path("specimens", &gone)).is(204);
    api.get(&path("photos", &photos[0])).fails(404, "ResourceNotFound");
    assert_eq!(api.get("/photos").is(200).json(), json!({ "photos": [photos[2]], "count": 1 }));
}

fn null(api: &Api) {
    let [gone, kept] = [(), ()].map(|()| created(api, &json!({})));
    let visits = [&gone, &kept].map(|specimen| api.create("/visits", &json!({ "specimen": reference(specimen) })));
    api.delete(&path("specimens", &gone)).is(204);
    assert_eq!(api.get(&path("visits", &visits[0])).is(200).json()["specimen"], Value::Null);
    assert_eq!(api.get(&path("visits", &visits[1])).is(200).json()["specimen"], reference(&kept));
}

fn restrict_with_cascade(api: &Api) {
    let specimen = created(api, &json!({}));
    for collection in ["/photos", "/visits", "/loans"] {
        api.create(collection, &json!({ "specimen": reference(&specimen) }));
    }
    still_referenced(&api.delete(&path("specimens", &specimen)));
    assert_eq!(api.get("/photos").is(200).json()["count"], 1);
    assert_eq!(api.get("/visits").is(200).json()["visits"][0]["specimen"], reference(&specimen));
}

fn too_many(api: &Api) {
    let specimen = created(api, &json!({}));
    let body = json!({ "specimen": reference(&specimen) });
    let visits: Vec<_> = (0..501).map(|_| api.create("/visits", &body)).collect();
    let photos: Vec<_> = (0..500).map(|_| api.create("/photos", &body)).collect();
    for query in ["", "?dryRun=true"] {
        let reply = api.delete(&format!("{}{query}", path("specimens", &specimen))).fails(503, "TooCostly");
        let advice = &reply.errors()[0]["details"]["narrow"];
        assert_eq!(*advice, "delete or change what refers to it first: more than 1000 entities do");
    }
    assert_eq!(api.get(&path("visits", &visits[0])).is(200).json()["specimen"], reference(&specimen));
    assert_eq!(api.get("/photos").is(200).json()["count"], 500);
    api.delete(&path("photos", &photos[0])).is(204);
    api.delete(&path("specimens", &specimen)).is(204);
    assert_eq!(api.get("/photos").is(200).json()["count"], 0);
    assert_eq!(api.get(&path("visits", &visits[500])).is(200).json()["specimen"], Value::Null);
}

fn deep_references(api: &Api) {
    let tag = api.create("/tags", &json!({ "name": "old" }));
    let finder = keeper(api, "Ida");
    let origin = json!({ "place": "Rome", "site": { "name": "Forum", "finder": reference(&finder) } });
    let specimen = created(api, &json!({ "relatedTags": [reference(&tag)], "origin": origin }));
    still_referenced(&api.delete(&path("tags", &tag)));
    still_referenced(&api.delete(&path("keepers", &finder)));
    api.delete(&path("specimens", &specimen)).is(204);
    api.delete(&path("tags", &tag)).is(204);
    api.delete(&path("keepers", &finder)).is(204);
}

/// Deleted with its owner, and kept by what refers to it.
#[derive(Debug, Clone, Resource)]
struct Shelf {
    #[field(on_delete = cascade)]
    hall: Ref<Hall>,
}

#[derive(Debug, Clone, Resource)]
struct Hall {
    name: String,
}

/// Whose list is for some only.
#[derive(Debug, Clone, Resource)]
#[resource(operations(create, list(access = "scope:audit"), get))]
struct Seal {
    shelves: Vec<Ref<Shelf>>,
}

/// What anyone may list.
#[derive(Debug, Clone, Resource)]
struct Book {
    shelf: Ref<Shelf>,
}

fn library() -> Builder {
    Builder::new("library").resource::<Hall>().resource::<Shelf>().resource::<Seal>().resource::<Book>()
}

fn by_which(api: &Api) {
    let api = api.of(library);
    let hall = api.create("/halls", &json!({ "name": "East" }));
    let shelf = api.create("/shelves", &json!({ "hall": reference(&hall) }));
    let details = |target: &str, scopes: &[&str]| {
        let authorization = api.bearer(&hall, scopes);
        let reply = api.request("DELETE", target).header("authorization", &authorization).send();
        still_referenced(&reply);
        reply.errors()[0]["details"].clone()
    };
    api.create("/seals", &json!({ "shelves": [reference(&shelf)] }));
    let (hall_path, shelf_path) = (path("halls", &hall), path("shelves", &shelf));
    assert_eq!(details(&shelf_path, &[]), Value::Null);
    assert_eq!(details(&shelf_path, &["audit"]), json!({ "resources": ["Seal"] }));
    // the hall goes with its shelves, which the others keep
    for _ in 0..2 {
        api.create("/books", &json!({ "shelf": reference(&shelf) }));
    }
    assert_eq!(details(&hall_path, &[]), json!({ "resources": ["Book"] }));
    assert_eq!(details(&hall_path, &["audit"]), json!({ "resources": ["Book", "Seal"] }));
    assert_eq!(details(&format!("{hall_path}?dryRun=true"), &[]), json!({ "resources": ["Book"] }));
    for target in [hall_path, shelf_path] {
        api.get(&target).is(200);
    }
}

#[track_caller]
fn still_referenced(reply: &Reply) {
    assert_eq!(reply.status, 422, "{reply}");
    let codes: Vec<_> = reply.errors().iter().map(|error| error["code"].clone()).collect();
    assert_eq!(codes, ["StillReferenced"], "{reply}");
}
