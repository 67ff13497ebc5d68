//! §2.5, §4.5, §9.6, and the decision "Searches".

use crate::Case;
use crate::client::{Api, BETA, PUBLIC, Reply};
use crate::specimen::{NOBODY, created, id, keeper, names, path, price, reference};
use serde_json::{Value, json};

pub(super) const CASES: &[Case] = &[
    ("§4.5 POST answers the whole search, GET the same", whole),
    ("§4.5 a list by a search, sorted and paged", used),
    ("Searches: the stored limit and offset are defaults", paging),
    ("§4.5 filters beside a search are refused", fixed),
    ("Searches: a search id that is unknown, malformed, given twice", wrong_ids),
    ("Searches: what cannot be searched has no search.id", unsearchable),
    ("Searches: on scoped collections and views, which keep their limits", elsewhere),
    ("Searches: a criterion that the list's view or version lacks", lacking),
    ("§9.6 a search in another version shows the criteria that version has", versions),
    ("Searches: PUT, PATCH and DELETE are 405", methods),
    ("Searches: the order of checks", checks),
    ("Searches: an entity tag, and 304", tags),
    ("Dry run: a search is tried and not kept", dry_run),
    ("Deprecation: a deprecated criterion gives the headers, at creation and at use", deprecated),
];

/// Creates a search.
#[track_caller]
pub(super) fn search(api: &Api, body: &Value) -> Value {
    api.create("/specimen-searches", body)
}

/// The list that a search gives.
#[track_caller]
pub(super) fn list(api: &Api, body: &Value) -> String {
    format!("/specimens?search.id={}", id(&search(api, body)))
}

/// The names that a search finds.
#[track_caller]
pub(super) fn found(api: &Api, body: &Value) -> Vec<String> {
    names(api, &list(api, body))
}

fn whole(api: &Api) {
    let reply = api.post("/specimen-searches", &json!({ "name": "Amber", "limit": 10 })).is(201);
    assert_eq!(reply.expect_header("content-type"), PUBLIC);
    let search = reply.json();
    assert_eq!(reply.expect_header("location"), path("specimen-searches", &search));
    assert_eq!(search["createdAt"], search["updatedAt"]);
    assert_eq!((&search["name"], &search["limit"], &search["offset"]), (&json!("Amber"), &json!(10), &Value::Null));
    assert_eq!(api.get(&path("specimen-searches", &search)).is(200).json(), search);
    let start = format!("{{\"id\":{},\"createdAt\":{},", search["id"], search["createdAt"]);
    assert!(reply.body.starts_with(&start), "{reply}");
    let order = ["updatedAt", "limit", "offset", "name", "note", "code", "size", "storage", "parts", "status"];
    let places: Vec<_> = order.iter().map(|name| reply.body.find(&format!("\"{name}\":"))).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}: {reply}");
    for name in ["email", "passphrase", "hint"] {
        assert!(search.get(name).is_none(), "`{name}`: {reply}");
    }
    for name in ["labels", "bids", "readings"] {
        assert_eq!(search[name], json!([]), "`{name}`: {reply}");
    }
}

fn used(api: &Api) {
    for (name, size) in [("Amber", 1), ("Beetle", 3), ("Clam", 2), ("Dune", 9)] {
        created(api, &json!({ "name": name, "size": size }));
    }
    let target = list(api, &json!({ "size": { "lte": 3 } }));
    assert_eq!(names(api, &target), ["Amber", "Beetle", "Clam"]);
    assert_eq!(names(api, &format!("{target}&sort=-size")), ["Beetle", "Clam", "Amber"]);
    let body = api.get(&format!("{target}&sort=-size&limit=1&offset=1")).is(200).json();
    assert_eq!((&body["specimens"][0]["name"], &body["count"]), (&json!("Clam"), &json!(3)));
    assert_eq!(api.get(&format!("{target}&limit=0")).is(200).json()["count"], 3);
}

fn paging(api: &Api) {
    for name in ["Amber", "Beetle", "Clam", "Dune"] {
        created(api, &json!({ "name": name }));
    }
    let target = list(api, &json!({ "limit": 2, "offset": 1 }));
    assert_eq!(names(api, &target), ["Beetle", "Clam"]);
    assert_eq!(names(api, &format!("{target}&limit=1")), ["Beetle"]);
    assert_eq!(names(api, &format!("{target}&offset=0&sort=-name")), ["Dune", "Clam"]);
    assert_eq!(api.get(&target).is(200).json()["count"], 4);
}

fn fixed(api: &Api) {
    let target = list(api, &json!({ "name": "Amber" }));
    for filter in ["name", "size.gt", "keeper.id", "id", "createdAt.lt", "value.currency"] {
        api.get(&format!("{target}&{filter}=x")).refused(&[("SearchFiltersFixed", filter)]);
        let before = target.replace('?', &format!("?{filter}=x&"));
        api.get(&before).refused(&[("SearchFiltersFixed", filter)]);
    }
    api.get(&format!("{target}&nothing=1&size=1"))
        .refused(&[("UnknownParameter", "nothing"), ("SearchFiltersFixed", "size")]);
}

fn wrong_ids(api: &Api) {
    api.get(&format!("/specimens?search.id={NOBODY}")).refused(&[("NotFound", "search.id")]);
    for wrong in ["7", "", "01890A5D-AC96-774B-BCCE-B302099A8057"] {
        api.get(&format!("/specimens?search.id={wrong}")).refused(&[("InvalidUuid", "search.id")]);
    }
    let target = list(api, &json!({}));
    let twice = format!("{target}&{}", target.trim_start_matches("/specimens?"));
    api.get(&twice).refused(&[("RepeatedParameter", "search.id")]);
    api.get(&format!("/specimen-searches/{NOBODY}")).fails(404, "ResourceNotFound");
    api.get("/specimen-searches/7").fails(404, "ResourceNotFound");
    let specimen = created(api, &json!({}));
    api.get(&format!("/specimens?search.id={}", id(&specimen))).refused(&[("NotFound", "search.id")]);
}

fn unsearchable(api: &Api) {
    let id = id(&search(api, &json!({}))).to_owned();
    api.get(&format!("/keepers?search.id={id}")).refused(&[("UnknownParameter", "search.id")]);
    api.post("/keeper-searches", &json!({})).fails(404, "ResourceNotFound");
}

fn elsewhere(api: &Api) {
    let (ida, ola) = (keeper(api, "Ida"), keeper(api, "Ola"));
    for (name, owner, size) in [("Amber", &ida, 1), ("Beetle", &ida, 2), ("Clam", &ola, 1)] {
        created(api, &json!({ "name": name, "keeper": reference(owner), "size": size }));
    }
    let search = search(api, &json!({ "size": 1 }));
    let query = format!("search.id={}", id(&search));
    assert_eq!(names(api, &format!("/specimens?{query}")), ["Amber", "Clam"]);
    assert_eq!(names(api, &format!("/keepers/{}/specimens?{query}", id(&ida))), ["Amber"]);
    let own = |keeper: &Value| {
        let request = api.request("GET", &format!("/sale/specimens?{query}"));
        let body = request.header("authorization", &api.bearer(keeper, &[])).send().is(200).json();
        body["specimens"].as_array().expect("specimens").iter().map(|found| found["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(own(&ida), ["Amber"]);
    assert_eq!(own(&ola), ["Clam"]);
    api.get(&format!("/sale/specimens?{query}")).fails(401, "Unauthenticated");
}

fn lacking(api: &Api) {
    let ida = keeper(api, "Ida");
    let cost = |amount: &str| json!({ "costPrice": price(amount, "PLN"), "name": format!("Cost{amount}") });
    for amount in ["1.00", "2.00"] {
        let body = crate::specimen::specimen(&cost(amount));
        let request = api.request("POST", "/sale/specimens").json(&body);
        request.header("authorization", &api.bearer(&ida, &[])).send().is(201);
    }
    // what only the view has can be searched for there, and nowhere else
    let query = format!("search.id={}", id(&search(api, &json!({ "costPrice": { "amount": { "gt": "1.00" } } }))));
    let sale = api.request("GET", &format!("/sale/specimens?{query}")).header("authorization", &api.bearer(&ida, &[]));
    assert_eq!(sale.send().is(200).json()["count"], 1);
    api.get(&format!("/specimens?{query}")).refused(&[("UnknownParameter", "costPrice")]);
    let scoped = format!("/keepers/{}/specimens?{query}", id(&ida));
    api.get(&scoped).refused(&[("UnknownParameter", "costPrice")]);
    api.post("/specimen-searches", &json!({ "habitat": "Forest" })).refused(&[("UnknownProperty", "habitat")]);
    let beta = in_beta(api, &json!({ "habitat": "Forest" })).is(201).json();
    let target = format!("/specimens?search.id={}", id(&beta));
    api.request("GET", &target).header("accept", BETA).send().is(200);
    api.get(&target).refused(&[("UnknownParameter", "habitat")]);
}

fn in_beta(api: &Api, body: &Value) -> Reply {
    let request = api.request("POST", "/specimen-searches").json(body);
    request.header("content-type", BETA).header("accept", BETA).send()
}

fn versions(api: &Api) {
    let reply = in_beta(api, &json!({ "habitat": "Forest", "size": 1 }));
    assert_eq!(reply.expect_header("content-type"), BETA);
    let beta = reply.is(201).json();
    assert_eq!(beta["habitat"], "Forest");
    let target = path("specimen-searches", &beta);
    let public = api.get(&target).is(200).json();
    assert!(public.get("habitat").is_none());
    assert_eq!((&public["id"], &public["size"]), (&beta["id"], &json!(1)));
    assert_eq!(api.request("GET", &target).header("accept", BETA).send().is(200).json(), beta);
    let made_in_public = path("specimen-searches", &search(api, &json!({ "size": 1 })));
    let shown = api.request("GET", &made_in_public).header("accept", BETA).send().is(200).json();
    assert_eq!((&shown["size"], shown.get("habitat")), (&json!(1), Some(&Value::Null)));
}

fn methods(api: &Api) {
    let target = path("specimen-searches", &search(api, &json!({})));
    for method in ["PUT", "PATCH", "DELETE"] {
        let reply = api.request(method, &target).json(&json!({})).send().is(405);
        assert_eq!(reply.expect_header("allow"), "GET, HEAD, OPTIONS");
    }
    api.get("/specimen-searches").is(405);
}

fn checks(api: &Api) {
    let post = || api.request("POST", "/specimen-searches");
    post().body(b"{}").header("content-type", "application/json").send().fails(415, "UnsupportedMediaType");
    post().body(b"{}").header("accept", "application/json").send().fails(406, "NotAcceptable");
    post().body(b"{}").without("accept").send().is(201);
    post().body(b"{}").header("authorization", "Bearer nonsense").send().fails(401, "Unauthenticated");
    let target = path("specimen-searches", &search(api, &json!({})));
    api.get(&format!("{target}?name=x")).refused(&[("UnknownParameter", "name")]);
    api.post("/specimen-searches?name=x", &json!({ "size": "x" }))
        .refused(&[("UnknownParameter", "name"), ("WrongType", "size")]);
}

fn tags(api: &Api) {
    let reply = api.post("/specimen-searches", &json!({ "size": 1 })).is(201);
    let (target, tag) = (path("specimen-searches", &reply.json()), reply.expect_header("etag"));
    assert_eq!(api.get(&target).is(200).expect_header("etag"), tag);
    let known = api.request("GET", &target).header("if-none-match", &tag).send().is(304);
    assert_eq!(known.body, "");
    let beta = api.request("GET", &target).header("accept", BETA).send().is(200).expect_header("etag");
    for tag in [&tag, &beta] {
        api.request("GET", &target).header("if-match", tag).send().is(200);
    }
    api.request("GET", &target).header("if-match", "\"other\"").send().fails(412, "PreconditionFailed");
}

fn dry_run(api: &Api) {
    let post = |query: &str, body: Value| api.post(&format!("/specimen-searches?{query}"), &body);
    assert_eq!(post("dryRun=true", json!({ "size": 1 })).is(204).body, "");
    let wrong = json!({ "size": "x", "parts": [{ "name": 7 }] });
    post("dryRun=true", wrong.clone()).refused(&[("WrongType", "size"), ("WrongType", "parts.0.name")]);
    post("dryRun=true&include=name&include=limit", wrong.clone()).is(204);
    post("dryRun=true&include=parts", wrong.clone()).refused(&[("WrongType", "parts.0.name")]);
    post("include=name", json!({})).refused(&[("InvalidParameter", "include")]);
    post("dryRun=true&include=email", json!({})).refused(&[("InvalidParameter", "include")]);
    post("dryRun=false", json!({})).is(201);
}

fn deprecated(api: &Api) {
    let has_deprecation = |reply: &Reply| reply.header("deprecation").is_some();
    let reply = api.post("/specimen-searches", &json!({ "legacyCode": "x" })).is(201);
    assert!(has_deprecation(&reply));
    assert!(has_deprecation(&api.get(&format!("/specimens?search.id={}", id(&reply.json()))).is(200)));
    assert!(has_deprecation(&api.post("/specimen-searches", &json!({ "legacyCode": 7 })).is(422)));
    let unused = api.post("/specimen-searches", &json!({ "legacyCode": null, "name": "x" })).is(201);
    assert!(!has_deprecation(&unused));
    assert!(!has_deprecation(&api.get(&format!("/specimens?search.id={}", id(&unused.json()))).is(200)));
    assert!(!has_deprecation(&api.get(&path("specimen-searches", &reply.json())).is(200)));
}
