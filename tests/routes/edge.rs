//! The edge: what holds for every request holds for custom routes.

use crate::routes::house::{Runs, service};
use crate::routes::{Store, Test};
use restwell::testing::{Running, Setup};
use restwell_testkit::http::{PUBLIC, Reply, Request};
use serde_json::{Value, json};

pub(crate) const TESTS: &[Test] = &[
    ("paths_and_methods", paths_and_methods),
    ("headers_of_every_response", headers_of_every_response),
    ("media_types", media_types),
    ("bodies_are_bounded", bodies_are_bounded),
    ("a_panic_is_500", a_panic_is_500),
    ("the_rate_limit_counts", the_rate_limit_counts),
    ("metrics_have_the_route", metrics_have_the_route),
    ("scripts_of_other_origins", scripts_of_other_origins),
];

fn running(store: Store) -> Running {
    store.start(service(&Runs::default()))
}

/// A request with these headers alone.
fn raw(service: &Running, method: &str, path: &str, headers: &[(&str, &str)]) -> Reply {
    let request = Request::bare(method, path).header("host", "localhost");
    headers.iter().fold(request, |request, (name, value)| request.header(name, *value)).send(service.address())
}

fn paths_and_methods(store: Store) {
    let service = running(store);
    let client = service.client();
    let missing = client.get("/whoami/nobody").is(404);
    assert_eq!(missing.errors(), [("ResourceNotFound", None)]);
    assert_eq!(missing.json["errors"][0].as_object().expect("an error").len(), 5, "all five keys");
    assert_eq!(client.get("/reports").is(404).errors(), [("ResourceNotFound", None)]);
    let refused = client.put("/whoami", json!({})).is(405);
    assert_eq!(refused.headers["allow"], "DELETE, GET, HEAD, OPTIONS");
    assert_eq!(refused.errors(), [("MethodNotAllowed", None)]);
    let options = raw(&service, "OPTIONS", "/whoami", &[("User-Agent", "test")]);
    assert_eq!((options.status, options.header("allow")), (204, Some("DELETE, GET, HEAD, OPTIONS")));
    let head = raw(&service, "HEAD", "/reports/rooms", &[("User-Agent", "test"), ("Accept", PUBLIC)]);
    assert_eq!(head.status, 200);
    client.delete("/whoami").is(204);
    // what axum's own extractors refuse has the form of §7
    let bad = client.get("/sums/1/x");
    assert_eq!(bad.status, 406, "the route responds with text/plain only");
    let plain = [("User-Agent", "test"), ("Accept", "text/plain")];
    assert_eq!(raw(&service, "GET", "/sums/1/2", &plain).text(), "3");
    let bad = raw(&service, "GET", "/sums/1/x", &plain);
    assert_eq!((bad.status, bad.codes()), (400, vec!["MalformedRequest".to_owned()]));
    // a bare status has a body, too
    assert_eq!(client.get("/teapot").is(409).json["errors"][0]["path"], Value::Null);
}

fn headers_of_every_response(store: Store) {
    let service = running(store);
    let anonymous = raw(&service, "GET", "/whoami", &[("Accept", PUBLIC)]);
    assert_eq!((anonymous.status, anonymous.codes()), (400, vec!["MissingUserAgent".to_owned()]));
    let report = service.client().get("/reports/rooms").is(200);
    assert_eq!(report.headers["content-type"], PUBLIC);
    assert_eq!(report.headers["x-content-type-options"], "nosniff");
    assert!(report.headers["vary"].contains("Accept-Encoding"));
    assert_eq!(report.headers["trace-id"].len(), 36);
    let traced = raw(
        &service,
        "GET",
        "/reports/rooms",
        &[
            ("User-Agent", "test"),
            ("Accept", PUBLIC),
            ("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
        ],
    );
    assert_eq!(traced.header("trace-id"), Some("0af76519-16cd-43dd-8448-eb211c80319c"));
    let long = format!("/whoami?x={}", "y".repeat(9000));
    assert_eq!(service.client().get(&long).status, 414);
}

fn media_types(store: Store) {
    let service = running(store);
    let agent = ("User-Agent", "test");
    let none = raw(&service, "GET", "/reports/rooms", &[agent]);
    assert_eq!((none.status, none.codes()), (406, vec!["NotAcceptable".to_owned()]));
    assert_eq!(raw(&service, "GET", "/reports/rooms", &[agent, ("Accept", "image/png")]).status, 406);
    let csv = raw(&service, "GET", "/reports/rooms", &[agent, ("Accept", "text/csv, application/json;q=0.5")]);
    assert_eq!((csv.status, csv.header("content-type")), (200, Some("text/csv")));
    let wrong =
        raw(&service, "POST", "/furnished-rooms", &[agent, ("Accept", PUBLIC), ("Content-Type", "application/json")]);
    assert_eq!((wrong.status, wrong.codes()), (415, vec!["UnsupportedMediaType".to_owned()]));
}

fn bodies_are_bounded(store: Store) {
    let service = running(store);
    let put = |bytes: usize| {
        let request = Request::new("PUT", "/bytes").body(&vec![b'x'; bytes]).header("accept", "*/*");
        request.header("content-type", "application/octet-stream").send(service.address())
    };
    assert_eq!(put(1 << 20).text(), (1 << 20).to_string());
    assert_eq!(put((1 << 20) + 1).status, 413);
}

fn a_panic_is_500(store: Store) {
    let service = running(store);
    let client = service.client();
    let panicked = client.get("/panics").is(500);
    assert_eq!(panicked.errors(), [("InternalError", None)]);
    let reason = panicked.reason.clone().expect("a reason");
    assert!(reason.starts_with("it panicked: ") && !panicked.json.to_string().contains(&reason), "{reason}");
    // a test that expected something else shows it
    let shown = std::panic::catch_unwind(move || panicked.is(200)).expect_err("it is 500");
    let shown = shown.downcast_ref::<String>().expect("a text");
    assert!(shown.contains(&format!("the service logged: {reason}")), "{shown}");
    // the next request on the connection is served
    client.get("/reports/rooms").is(200);
    // a handler that asks for what its route does not say
    assert_eq!(client.post("/forgets", json!({ "count": 1 })).is(500).errors(), [("InternalError", None)]);
}

fn the_rate_limit_counts(store: Store) {
    let service = store.setup(service(&Runs::default())).rate_limit("2/PT1H").start();
    let client = service.client();
    client.get("/reports/rooms").is(200);
    assert!(client.get("/rooms").is(200).headers.contains_key("ratelimit"));
    assert_eq!(client.get("/reports/rooms").is(429).errors(), [("RateLimited", None)]);
}

fn metrics_have_the_route(store: Store) {
    let service = running(store);
    let path = format!("/rooms/{}/reservations", crate::routes::house::NOBODY);
    service.client().post(&path, json!({ "count": 1 })).is(404);
    let page = raw(&service, "GET", "/metrics", &[("User-Agent", "test")]).text();
    let label = "method=\"POST\",route=\"/rooms/{roomId}/reservations\",status=\"404\"";
    assert!(page.contains(label), "{page}");
}

fn scripts_of_other_origins(store: Store) {
    let setup: Setup = store.setup(service(&Runs::default())).cors(&["https://app.example.com"]);
    let service = setup.start();
    let preflight =
        [("User-Agent", "test"), ("Origin", "https://app.example.com"), ("Access-Control-Request-Method", "DELETE")];
    let allowed = raw(&service, "OPTIONS", "/whoami", &preflight);
    assert_eq!(allowed.header("access-control-allow-origin"), Some("https://app.example.com"));
    assert_eq!(allowed.header("access-control-allow-methods"), Some("DELETE, GET, HEAD, OPTIONS"));
}
