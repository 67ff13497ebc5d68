//! OPTIONS, and what browsers ask before scripts may call.

use crate::Case;
use crate::client::{Api, PUBLIC};
use crate::specimen::{NOBODY, created, path};
use restwell::testing::Setup;
use serde_json::json;

pub(super) const CASES: &[Case] = &[
    ("§4.2 OPTIONS lists the methods of a path", options),
    ("CORS: nothing is allowed where no origin is configured", closed),
    ("CORS: a configured origin may, others may not", open),
    ("CORS: any origin, where all may", any),
];

fn options(api: &Api) {
    let target = path("specimens", &created(api, &json!({})));
    let allow = |target: &str| {
        let reply = api.request("OPTIONS", target).without("accept").send().is(204);
        assert_eq!(reply.body, "");
        reply.expect_header("allow")
    };
    assert_eq!(allow("/specimens"), "GET, HEAD, OPTIONS, POST");
    assert_eq!(allow(&target), "DELETE, GET, HEAD, OPTIONS, PATCH, PUT");
    assert_eq!(allow(&format!("{target}/treat-commands/{NOBODY}")), "GET, HEAD, OPTIONS, PUT");
    assert_eq!(allow("/livez"), "GET, HEAD, OPTIONS");
    api.request("OPTIONS", "/nothing").send().fails(404, "ResourceNotFound");
    api.request("OPTIONS", "/specimens").without("user-agent").send().fails(400, "MissingUserAgent");
}

fn closed(api: &Api) {
    let ask = |method: &str| api.request(method, "/specimens").header("origin", "https://app.example.com");
    let preflight = ask("OPTIONS").header("access-control-request-method", "POST").send().is(204);
    assert_eq!(preflight.header("access-control-allow-origin"), None);
    assert_eq!(ask("GET").send().is(200).header("access-control-allow-origin"), None);
}

fn open(api: &Api) {
    let api = api.again(|setup: Setup| setup.cors(&["https://app.example.com"]));
    let ask = |method: &str, origin: &str| api.request(method, "/specimens").header("origin", origin);
    let preflight = |origin: &str| {
        ask("OPTIONS", origin)
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "authorization, content-type")
            .send()
            .is(204)
    };
    let told = preflight("https://app.example.com");
    assert_eq!(told.expect_header("access-control-allow-origin"), "https://app.example.com");
    assert!(told.expect_header("access-control-allow-methods").contains("POST"));
    let headers = told.expect_header("access-control-allow-headers").to_ascii_lowercase();
    for name in ["authorization", "content-type", "if-match", "accept-language"] {
        assert!(headers.contains(name), "{headers}");
    }
    assert!(told.header("access-control-max-age").is_some());
    assert_eq!(preflight("https://evil.example").header("access-control-allow-origin"), None);
    let read = ask("GET", "https://app.example.com").send().is(200);
    assert_eq!(read.expect_header("access-control-allow-origin"), "https://app.example.com");
    let exposed = read.expect_header("access-control-expose-headers").to_ascii_lowercase();
    for name in ["location", "etag", "trace-id", "retry-after"] {
        assert!(exposed.contains(name), "{exposed}");
    }
    assert!(read.expect_header("vary").contains("Origin"), "{read}");
    // what is refused can be read, too
    let refused = ask("GET", "https://app.example.com").header("accept", "text/html").send().is(406);
    assert_eq!(refused.expect_header("access-control-allow-origin"), "https://app.example.com");
    assert_eq!(ask("GET", "https://evil.example").send().is(200).header("access-control-allow-origin"), None);
}

fn any(api: &Api) {
    let api = api.again(|setup: Setup| setup.cors(&["*"]));
    let read = api.request("GET", "/specimens").header("origin", "https://any.example").send().is(200);
    assert_eq!(read.expect_header("access-control-allow-origin"), "*");
    assert_eq!(read.expect_header("content-type"), PUBLIC);
    assert_eq!(api.get("/specimens").header("access-control-allow-origin"), None);
}
