//! §4.10 and the decision "Caching" on it.

use crate::Case;
use crate::client::{Api, Reply};
use crate::specimen::{created, path, specimen};
use serde_json::json;

pub(super) const CASES: &[Case] = &[
    ("§4.10 Accept-Encoding: gzip gives gzip, errors included", compressed),
    ("§4.10 without it, or with q=0, nothing is compressed", plain),
    ("§4.10 what has no body has no encoding", empty),
    ("Caching: a gzip body's ETag ends in -gzip, and either form matches", tags),
    ("§4.10 a large list is what it is without compression", large),
    ("Content-Type: a body with a Content-Encoding is 415", encoded_body),
];

fn ask(api: &Api, target: &str, encoding: &str) -> Reply {
    api.request("GET", target).header("accept-encoding", encoding).send()
}

fn compressed(api: &Api) {
    let target = path("specimens", &created(api, &json!({})));
    let plain = api.get(&target).is(200);
    for encoding in ["gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.8", "GZip", "*"] {
        let reply = ask(api, &target, encoding).is(200);
        assert_eq!(reply.expect_header("content-encoding"), "gzip", "{encoding}");
        assert_eq!(reply.expect_header("content-length"), reply.bytes.len().to_string());
        assert_eq!(&reply.bytes[..2], [0x1f, 0x8b], "{encoding}");
        assert_eq!(reply.body, plain.body);
        assert!(reply.expect_header("vary").to_ascii_lowercase().contains("accept-encoding"));
    }
    let missing = ask(api, "/nothing", "gzip").fails(404, "ResourceNotFound");
    assert_eq!(missing.expect_header("content-encoding"), "gzip");
    let posted = api.request("POST", "/specimens").json(&specimen(&json!({}))).header("accept-encoding", "gzip").send();
    assert_eq!(posted.is(201).expect_header("content-encoding"), "gzip");
}

fn plain(api: &Api) {
    let target = path("specimens", &created(api, &json!({})));
    for encoding in ["identity", "gzip;q=0", "br", "gzip;q=0.1, identity;q=0.5", ""] {
        let reply = ask(api, &target, encoding).is(200);
        assert_eq!(reply.header("content-encoding"), None, "{encoding}");
        assert!(reply.body.starts_with('{'));
    }
}

fn empty(api: &Api) {
    let target = path("specimens", &created(api, &json!({})));
    let reply = api.request("DELETE", &target).header("accept-encoding", "gzip").send().is(204);
    assert_eq!((reply.header("content-encoding"), reply.bytes.len()), (None, 0));
}

fn tags(api: &Api) {
    let target = path("specimens", &created(api, &json!({})));
    let plain = api.get(&target).expect_header("etag");
    let gzip = ask(api, &target, "gzip").expect_header("etag");
    assert_eq!(gzip, format!("{}-gzip\"", plain.trim_end_matches('"')));
    for tag in [&plain, &gzip] {
        let know = |encoding: &str| {
            api.request("GET", &target).header("if-none-match", tag).header("accept-encoding", encoding).send().is(304)
        };
        assert_eq!(know("identity").expect_header("etag"), plain);
        assert_eq!(know("gzip").expect_header("etag"), gzip);
    }
    let put =
        |tag: &str| api.request("PUT", &target).json(&specimen(&json!({ "size": 1 }))).header("if-match", tag).send();
    put(&gzip).is(200);
    put(&gzip).is(412);
}

fn large(api: &Api) {
    let note = "a note of some length, ".repeat(40);
    for _ in 0..120 {
        created(api, &json!({ "note": note }));
    }
    let plain = api.get("/specimens").is(200);
    let reply = ask(api, "/specimens", "gzip").is(200);
    assert!(plain.bytes.len() > 100_000 && reply.bytes.len() < plain.bytes.len() / 4, "{}", reply.bytes.len());
    assert_eq!(reply.body, plain.body);
}

fn encoded_body(api: &Api) {
    let post = |encoding: &str| {
        api.request("POST", "/specimens").json(&specimen(&json!({}))).header("content-encoding", encoding).send()
    };
    post("gzip").fails(415, "UnsupportedEncoding");
    post("identity").is(201);
}
