//! Secrets of requests: hashed last, by threads of their own, and not without bound (§8, decisions "Order of checks").

use crate::Case;
use crate::client::{Api, PUBLIC};
use crate::specimen::{NOBODY, created, keeper, path, reference, specimen};
use serde_json::{Value, json};
use std::thread;

pub(super) const CASES: &[Case] = &[
    ("Order of checks: secrets are hashed last, and only what is stored is hashed", last),
    ("§8 secrets that wait to be hashed are bounded, and keep no list waiting", bounded),
];

/// Creations at once: more than one client's share of the queue.
const AT_ONCE: usize = 160;

fn secret(fields: &Value) -> Value {
    let mut body = specimen(fields);
    body["passphrase"] = json!("open sesame");
    body
}

/// Secrets that were hashed.
fn hashes(api: &Api) -> usize {
    let page = api.get("/metrics").is(200).body;
    let count = page.lines().find_map(|line| line.strip_prefix("restwell_hashes_total ")).map(str::to_owned);
    count.unwrap_or_else(|| panic!("no count of hashes: {page}")).parse().expect("a count")
}

fn last(api: &Api) {
    let api = api.again(|setup| setup);
    let [ann, bob] = ["Ann", "Bob"].map(|name| keeper(&api, name));
    let target = path("specimens", &created(&api, &json!({ "keeper": reference(&ann) })));
    created(&api, &json!({ "code": "ABC-01" }));
    let put = |target: &str, body: &Value, name: &str, value: &str| {
        api.request("PUT", target).json(body).header(name, value).send()
    };
    assert_eq!(hashes(&api), 0);
    put(&target, &secret(&json!({})), "if-match", "\"other\"").fails(412, "PreconditionFailed");
    api.put(&format!("/specimens/{NOBODY}"), &secret(&json!({}))).fails(404, "ResourceNotFound");
    api.put(&target, &secret(&json!({ "code": "ABC-01" }))).refused(&[("NotUnique", "code")]);
    api.put(&target, &secret(&json!({ "tag": { "id": NOBODY } }))).refused(&[("NotFound", "tag.id")]);
    api.put(&target, &secret(&json!({ "size": -1 }))).refused(&[("TooSmall", "size")]);
    api.put(&format!("{target}?dryRun=true"), &secret(&json!({}))).is(204);
    api.post("/specimens", &secret(&json!({ "code": "ABC-01" }))).refused(&[("NotUnique", "code")]);
    let sale = format!("/sale{target}");
    put(&sale, &secret(&json!({})), "authorization", &api.bearer(&bob, &[])).fails(403, "Forbidden");
    let set = |value: &str| json!([{ "op": "add", "path": "/passphrase", "value": value }]);
    let patch = |tag: &str| api.request("PATCH", &target).json(&set("sesame")).header("if-match", tag).send();
    patch("\"other\"").fails(412, "PreconditionFailed");
    assert_eq!(hashes(&api), 0);
    api.put(&target, &secret(&json!({}))).is(200);
    assert_eq!(hashes(&api), 1);
    let tag = api.get(&target).expect_header("etag");
    patch(&tag).is(200);
    api.post("/specimens", &secret(&json!({}))).is(201);
    assert_eq!(hashes(&api), 3);
    // what sets none needs none
    api.put(&target, &specimen(&json!({}))).is(200);
    assert_eq!(hashes(&api), 3);
}

fn bounded(api: &Api) {
    let api = &api.again(|setup| setup);
    let replies: Vec<_> = thread::scope(|scope| {
        let post = || api.request("POST", "/specimens").header("content-type", PUBLIC).json(&secret(&json!({}))).send();
        let threads: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(post)).collect();
        for _ in 0..5 {
            api.get("/specimens?limit=1").is(200);
        }
        threads.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    let (made, refused): (Vec<_>, Vec<_>) = replies.into_iter().partition(|reply| reply.status == 201);
    assert!(!made.is_empty() && !refused.is_empty(), "{} of {AT_ONCE} were made", made.len());
    for reply in refused {
        let reply = reply.fails(503, "Unavailable");
        assert!(reply.header("retry-after").is_some(), "{reply}");
    }
    assert_eq!(hashes(api), made.len());
    assert_eq!(api.get("/specimens?limit=0").is(200).json()["count"], made.len());
    // and then there is room again
    api.post("/specimens", &secret(&json!({}))).is(201);
}
