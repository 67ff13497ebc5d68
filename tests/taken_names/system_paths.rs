//! A resource at the path of a system endpoint: the media types of a request say which of the two it is for.

use super::start;
use restwell::testing::Running;
use restwell_testkit::http::{PUBLIC, Reply, Request};
use serde_json::json;

pub(super) const TESTS: &[(&str, fn())] = &[
    ("a_media_type_of_the_service_is_for_the_resource", a_media_type_of_the_service_is_for_the_resource),
    ("any_other_is_for_the_system", any_other_is_for_the_system),
    ("methods_are_those_of_whom_it_is_for", methods_are_those_of_whom_it_is_for),
    ("below_the_path_is_the_resource_alone", below_the_path_is_the_resource_alone),
    ("a_view_may_lie_there", a_view_may_lie_there),
    ("both_are_in_the_documents", both_are_in_the_documents),
];

const DOCUMENTS: &str = "service: shared
---
resource: Event
fields:
  name: { type: string, required: true, filter: true }
---
resource: Metric
fields:
  name: { type: string }
---
resource: Doc
fields:
  name: { type: string }
---
resource: Console
plural: console
allow: { plural-path: \"there is one\" }
fields:
  name: { type: string }
---
resource: Probe
plural: livez
allow: { plural-path: \"the word of operators\" }
fields:
  name: { type: string }
";

const PATHS: [&str; 5] = ["/events", "/metrics", "/docs", "/console", "/livez"];

fn send(service: &Running, method: &str, path: &str, headers: &[(&str, &str)]) -> Reply {
    let request = Request::bare(method, path).header("host", "localhost").header("user-agent", "test");
    headers.iter().fold(request, |request, (name, value)| request.header(name, *value)).send(service.address())
}

fn a_media_type_of_the_service_is_for_the_resource() {
    let service = start(DOCUMENTS);
    for path in PATHS {
        let made = service.client().post(path, json!({ "name": "one" })).is(201);
        let id = made.json["id"].as_str().expect("an id").to_owned();
        assert_eq!(made.headers["location"], format!("{path}/{id}"));
        let list = send(&service, "GET", path, &[("accept", PUBLIC)]).is(200);
        assert_eq!(list.json()["count"], 1, "{path}");
        assert_eq!(list.header("content-type"), Some(PUBLIC));
        let head = send(&service, "HEAD", path, &[("accept", PUBLIC)]).is(200);
        assert_eq!(head.header("content-type"), Some(PUBLIC));
        // among others, in any case, and of a version that is not served
        send(&service, "GET", path, &[("accept", &format!("text/html, {PUBLIC};q=0.5"))]).is(200);
        send(&service, "GET", path, &[("accept", &PUBLIC.to_uppercase())]).is(200);
        let unknown = send(&service, "GET", path, &[("accept", "application/vnd.service.beta.v9+json")]).is(406);
        assert_eq!(unknown.codes(), ["NotAcceptable"]);
        // `Content-Type` alone
        let posted = Request::bare("POST", path).header("host", "localhost").header("user-agent", "test");
        let posted = posted.header("content-type", PUBLIC).body(b"{\"name\":\"two\"}").send(service.address());
        assert_eq!(posted.status, 201, "{path}");
    }
}

fn any_other_is_for_the_system() {
    let service = start(DOCUMENTS);
    let stream = send_head(&service, "/events", "text/event-stream");
    assert!(stream.starts_with("HTTP/1.1 200") && stream.contains("text/event-stream"), "{stream}");
    for accept in ["*/*", "text/plain", "application/*", "application/vnd.other.public.v1+json"] {
        let metrics = send(&service, "GET", "/metrics", &[("accept", accept)]).is(200);
        assert_eq!(metrics.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"), "{accept}");
    }
    for accept in [None, Some("*/*"), Some("text/html")] {
        let headers: Vec<_> = accept.iter().map(|accept| ("accept", *accept)).collect();
        assert_eq!(send(&service, "GET", "/livez", &headers).is(200).text(), "live\n");
    }
    let probe = Request::bare("GET", "/livez").header("host", "localhost").send(service.address());
    assert_eq!((probe.status, probe.text()), (200, "live\n".to_owned()), "a probe needs no User-Agent");
    // nothing of the system is there, so that the resource responds
    send(&service, "GET", "/console", &[("accept", "text/html")]).is(406);
}

/// The head of a response whose body does not end.
fn send_head(service: &Running, path: &str, accept: &str) -> String {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(service.address()).expect("the service listens");
    let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nuser-agent: test\r\naccept: {accept}\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it is written");
    let (mut read, mut buffer) = (Vec::new(), [0; 1024]);
    while !read.windows(4).any(|end| end == b"\r\n\r\n") {
        let count = stream.read(&mut buffer).expect("it can be read");
        assert_ne!(count, 0, "the connection was closed");
        read.extend_from_slice(&buffer[..count]);
    }
    String::from_utf8_lossy(&read).into_owned()
}

fn methods_are_those_of_whom_it_is_for() {
    let service = start(DOCUMENTS);
    let allow = |method: &str, headers: &[(&str, &str)]| {
        let reply = send(&service, method, "/metrics", headers);
        (reply.status, reply.header("allow").map(str::to_owned))
    };
    let some = |methods: &str| Some(methods.to_owned());
    assert_eq!(allow("OPTIONS", &[("accept", PUBLIC)]), (204, some("GET, HEAD, OPTIONS, POST")));
    // without a media type it may be about either: a browser's preflight names none
    assert_eq!(allow("OPTIONS", &[]), (204, some("GET, HEAD, OPTIONS, POST")));
    assert_eq!(allow("DELETE", &[("accept", PUBLIC)]), (405, some("GET, HEAD, OPTIONS, POST")));
    assert_eq!(allow("DELETE", &[]), (405, some("GET, HEAD, OPTIONS")));
    assert_eq!(allow("POST", &[]), (405, some("GET, HEAD, OPTIONS")));
}

fn below_the_path_is_the_resource_alone() {
    let service = start(DOCUMENTS);
    for path in PATHS {
        let id = service.client().post(path, json!({ "name": "one" })).is(201).json["id"].clone();
        let entity = format!("{path}/{}", id.as_str().expect("an id"));
        send(&service, "GET", &entity, &[("accept", PUBLIC)]).is(200);
        send(&service, "GET", &entity, &[("accept", "text/html")]).is(406);
        send(&service, "DELETE", &entity, &[]).is(204);
        send(&service, "GET", &entity, &[("accept", PUBLIC)]).is(404);
    }
    let page = send(&service, "GET", "/docs/app.js", &[("accept", "*/*")]).is(200);
    assert!(page.header("content-type").is_some_and(|kind| kind.contains("javascript")));
}

fn a_view_may_lie_there() {
    let service = start(
        "service: shared
---
resource: Offer
fields:
  name: { type: string }
views:
  latest:
    path: /events
    operations: [list]
",
    );
    service.client().post("/offers", json!({ "name": "one" })).is(201);
    let list = send(&service, "GET", "/events", &[("accept", PUBLIC)]).is(200);
    assert_eq!(list.json()["offers"][0]["name"], "one");
    assert!(send_head(&service, "/events", "text/event-stream").starts_with("HTTP/1.1 200"));
}

fn both_are_in_the_documents() {
    let service = start(DOCUMENTS);
    let document = send(&service, "GET", "/openapi.json", &[("accept", "application/json")]).is(200).json();
    let events = &document["paths"]["/events"];
    assert_eq!(events["get"]["operationId"], "listEvents");
    assert_eq!(events["x-system-operation"]["operationId"], "streamEvents");
    assert!(events["x-system-operation"]["responses"]["200"].is_object());
    assert!(document["paths"]["/metrics"].get("x-system-operation").is_none());
}
