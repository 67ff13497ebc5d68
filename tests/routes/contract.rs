//! What routes say of themselves stands in OpenAPI, and in the model that the service shows.

use crate::routes::house::{Runs, service};
use crate::routes::{Store, Test};
use restwell_testkit::http::Request;
use serde_json::{Value, json};

pub(crate) const TESTS: &[Test] =
    &[("openapi_has_the_routes", openapi_has_the_routes), ("the_model_has_the_routes", the_model_has_the_routes)];

fn the_model_has_the_routes(store: Store) {
    let service = store.start(service(&Runs::default()));
    let document = Request::new("GET", "/model.json").header("accept", "*/*").send(service.address()).is(200).json();
    let routes = document["routes"].as_array().expect("the routes");
    let route = |method: &str, path: &str| {
        let found = routes.iter().find(|route| route["method"] == method && route["path"] == path);
        found.unwrap_or_else(|| panic!("{method} {path}: {routes:?}"))
    };
    let reserve = route("POST", "/rooms/{roomId}/reservations");
    assert_eq!(reserve["summary"], "Book a room several times.");
    assert_eq!(reserve["takes"], json!({ "type": "Reservation" }));
    assert_eq!(route("GET", "/reports/rooms")["filters"], "Room");
    assert_eq!(route("GET", "/admins")["access"], json!(["scope:admin"]));
    let made = &route("POST", "/furnished-rooms")["returns"];
    assert_eq!(*made, json!([{ "status": 201, "body": { "type": "Room" } }]));
    // what reads a model still reads it
    let model: restwell_model::Service = serde_json::from_value(document.clone()).expect("a model");
    assert!(model.resource("Room").is_some());
}

fn openapi_has_the_routes(store: Store) {
    let service = store.start(service(&Runs::default()));
    let document = Request::new("GET", "/openapi.json").header("accept", "*/*").send(service.address()).is(200).json();
    let reserve = &document["paths"]["/rooms/{roomId}/reservations"]["post"];
    assert_eq!(reserve["summary"], "Book a room several times");
    assert_eq!(reserve["description"], "Adds to what it was booked.");
    assert_eq!(reserve["operationId"], "postRoomsRoomIdReservations");
    assert_eq!(reserve["tags"], json!(["rooms"]));
    let media_type = "application/vnd.service.public.v1+json";
    let body = &reserve["requestBody"]["content"][media_type]["schema"]["$ref"];
    assert_eq!(body, "#/components/schemas/ReservationInput");
    let schema = &document["components"]["schemas"]["ReservationInput"];
    assert_eq!(schema["properties"]["count"]["maximum"], 100, "{schema}");
    for status in ["200", "404", "406", "415", "422", "429", "500"] {
        assert!(reserve["responses"][status].is_object(), "{status}: {reserve}");
    }
    let report = &document["paths"]["/reports/rooms"]["get"];
    let names: Vec<_> = report["parameters"]
        .as_array()
        .expect("parameters")
        .iter()
        .map(|parameter| name(&document, parameter))
        .collect();
    for expected in ["day", "size.gte", "sort", "limit"] {
        assert!(names.contains(&expected.to_owned()), "{expected}: {names:?}");
    }
    assert!(!names.contains(&"search.id".to_owned()));
    assert_eq!(report["parameters"][0].get("required"), None, "{report}");
    let greetings = &document["paths"]["/greetings"]["get"];
    assert_eq!(greetings["parameters"][0]["required"], true, "{greetings}");
    assert_eq!(document["paths"]["/admins"]["get"]["x-scopes"], json!(["admin"]));
    assert_eq!(document["paths"]["/admins"]["get"]["security"], json!([{ "bearer": [] }]));
    let made = &document["paths"]["/furnished-rooms"]["post"]["responses"]["201"]["content"][media_type]["schema"];
    assert_eq!(made["$ref"], "#/components/schemas/Room");
}

fn name(document: &Value, parameter: &Value) -> String {
    let parameter = match parameter["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).expect("a parameter"),
        None => parameter,
    };
    parameter["name"].as_str().expect("a name").to_owned()
}
