//! Searches of the whole program: the sample of §2.5 as it is printed, restarts, and the end of a search.

use restwell_testkit::http::Request;
use restwell_testkit::market;
use restwell_testkit::process::{DATABASE, LISTEN, Service, folder};
use serde_json::{Value, json};
use std::time::Duration;

const FRAME: &str = "0197a6a0-0000-7000-8000-000000000001";
const WHEELS: &str = "0197a6a0-0000-7000-8000-000000000002";
const MATERIAL: &str = "0197a6a0-0000-7000-8000-000000000003";
const SIZE: &str = "0197a6a0-0000-7000-8000-000000000004";

/// A product with a frame of these materials, and wheels of this size.
fn product(name: &str, materials: &[&str], size: &str) -> Value {
    let parameter = |id: &str, name: &str, values: &[&str]| json!({ "id": id, "name": name, "values": values });
    json!({
        "name": name,
        "category": "SPORT",
        "parameterGroups": [
            { "id": FRAME, "name": "Frame", "parameters": [parameter(MATERIAL, "Material", materials)] },
            { "id": WHEELS, "name": "Wheels", "parameters": [parameter(SIZE, "Size", &[size])] },
        ],
    })
}

#[test]
fn the_sample_of_a_product_search() {
    let folder = folder();
    let service = Service::start(folder.path());
    let editor = market::user(service.address(), "editor");
    let token = service.token(&editor, "catalogue.write");
    let products = [
        product("Meridian", &["aluminium", "carbon"], "28"),
        product("Steel Horse", &["steel"], "28"),
        product("Feather", &["carbon"], "26"),
    ];
    for body in products {
        service.send(&Request::post("/products", &body).bearer(&token)).is(201);
    }
    let body = json!({
        "limit": 10,
        "offset": 0,
        "parameterGroups": [
            { "id": FRAME, "parameters": [{ "id": MATERIAL, "values": ["carbon", "titanium"] }] },
            { "id": WHEELS, "parameters": [{ "id": SIZE, "values": ["28", "29"] }] },
        ],
    });
    let reply = service.send(&Request::post("/product-searches", &body)).is(201);
    let id = reply.id();
    assert_eq!(reply.header("location"), Some(format!("/product-searches/{id}").as_str()));
    let kept = reply.json();
    assert_eq!((&kept["limit"], &kept["offset"], &kept["brand"]), (&json!(10), &json!(0), &Value::Null));
    assert_eq!(kept["parameterGroups"][0]["parameters"][0]["values"], json!(["carbon", "titanium"]));
    let found = service.get(&format!("/products?search.id={id}&sort=-name")).is(200).json();
    assert_eq!((&found["products"][0]["name"], &found["count"]), (&json!("Meridian"), &json!(1)));
    service.get(&format!("/offers?search.id={id}")).is(422);
    service.get(&format!("/offer-searches/{id}")).is(404);
}

#[test]
fn a_search_outlives_the_process() {
    let folder = folder();
    let service = Service::start(folder.path());
    let kept = service.send(&Request::post("/offer-searches", &json!({ "colour": "RED" }))).is(201);
    service.stop();
    let service = Service::start(folder.path());
    let target = format!("/offer-searches/{}", kept.id());
    assert_eq!(service.get(&target).is(200).body, kept.body);
    service.get(&format!("/offers?search.id={}", kept.id())).is(200);
}

#[test]
fn a_search_expires() {
    let folder = folder();
    let service = Service::start_with(folder.path(), &[LISTEN, DATABASE, "--search-ttl=PT4S"]);
    let make = || service.send(&Request::post("/offer-searches", &json!({}))).is(201).id();
    let (shown, list) = {
        let id = make();
        (format!("/offer-searches/{id}"), format!("/offers?search.id={id}"))
    };
    service.get(&list).is(200);
    std::thread::sleep(Duration::from_millis(4100));
    for target in [&shown, &list] {
        let reply = service.get(target).is(410);
        assert_eq!(reply.codes(), ["SearchExpired"]);
    }
    // one that has been expired for long is forgotten when others are made
    std::thread::sleep(Duration::from_millis(4100));
    make();
    service.get(&shown).is(404);
    assert_eq!(service.get(&list).is(422).codes(), ["NotFound"]);
}
