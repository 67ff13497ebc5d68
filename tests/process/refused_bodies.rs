//! Bodies that are refused, as large as they may be: what the answers say of them, and how much.

use restwell_testkit::http::Request;
use restwell_testkit::market;
use restwell_testkit::process::{Service, folder};
use serde_json::json;
use std::fs;

/// Of what a client calls something, an error repeats 200 characters.
#[test]
fn long_words_are_repeated_in_part() {
    let folder = folder();
    let service = Service::start(folder.path());
    let user = market::user(service.address(), "somebody");
    let offer = service.send(&market::sell(&market::offer(&user, "lamp"))).is(201).id();
    let (word, offer) = ("k".repeat(400_000), format!("/sale/offers/{offer}"));
    let as_user = |method: &str| Request::new(method, &offer).bearer(&market::token(&user));
    let patch = json!([{ "op": "remove", "path": format!("/{word}") }, { "op": "rename", "path": format!("/{word}") }]);
    let refused = [
        (Request::post("/users", &json!({ &*word: 1 })), 422),
        (as_user("PUT").body(format!(r#"{{"{word}":1,"{word}":2}}"#).as_bytes()), 400),
        (as_user("PATCH").json(&patch), 422),
        (as_user("PATCH").json(&json!([patch[0]])), 422),
        (Request::post("/offer-searches", &json!({ &*word: 1 })), 422),
        (Request::new("GET", &format!("/offers?{}=1", &word[..5000])), 422),
        (Request::post(&format!("/users?dryRun=true&include={}", &word[..5000]), &json!({})), 422),
        (Request::new("GET", &format!("/offers?category={}", &word[..5000])), 422),
    ];
    for (request, status) in refused {
        let reply = service.send(&request);
        let start: String = reply.text().chars().take(2000).collect();
        assert_eq!(reply.status, status, "{start}");
        assert!(reply.body.len() < 4000 && !reply.text().contains(&word[..201]), "{} bytes: {start}", reply.body.len());
    }
}

/// What never fits is refused for good: 503 would mean that the client tries again.
#[test]
fn a_body_of_too_many_objects_is_too_large() {
    let folder = folder();
    let service = Service::start(folder.path());
    let user = market::user(service.address(), "seller");
    let objects = |count: usize| format!(r#"{{"shippingOptions":[{}{{}}]}}"#, "{},".repeat(count));
    let send = |body: String| {
        let request = Request::new("POST", "/offers").bearer(&market::token(&user)).body(body.as_bytes());
        service.send(&request)
    };
    let reply = send(objects(340_000)).is(413);
    assert_eq!(reply.codes(), ["BodyTooLarge"]);
    let most = reply.json()["errors"][0]["details"]["maxBytes"].as_u64().expect("a number") as usize;
    send(objects(most / 3 - 100)).is(422);
}

/// The ticks of the processor that the threads of a program have used: those that serve, and those beside them.
fn ticks(service: &Service) -> [u64; 2] {
    let mut ticks = [0; 2];
    for thread in fs::read_dir(format!("/proc/{}/task", service.pid())).expect("the process runs, on Linux") {
        let stat = fs::read_to_string(thread.expect("a thread").path().join("stat")).unwrap_or_default();
        let Some((name, rest)) = stat.rsplit_once(')') else { continue };
        let used = rest.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("a number"));
        ticks[usize::from(name.contains("tokio"))] += used.sum::<u64>();
    }
    ticks
}

/// Whatever a body is for, most of the work of a large one is done where it keeps no other request waiting.
#[test]
fn large_bodies_are_read_beside_the_threads_that_serve() {
    let folder = folder();
    let service = Service::start(folder.path());
    let user = market::user(service.address(), "seller");
    let offer = service.send(&market::sell(&market::offer(&user, "lamp"))).is(201).id();
    let wide = |name: &str| format!(r#"{{"{name}":[{}[]]}}"#, "[],".repeat(340_000)).into_bytes();
    let deep = |name: &str| {
        let part = format!("{}{},", "[".repeat(60), "]".repeat(60));
        format!(r#"{{"{name}":[{}[]]}}"#, part.repeat(8000)).into_bytes()
    };
    let patch = format!(r#"[{{"op":"add","path":"/images","value":[{}[]]}}]"#, "[],".repeat(340_000)).into_bytes();
    let command = format!("/offers/{offer}/renew-commands/019e7045-7260-726b-b2a7-4de452e6b438");
    let sale = format!("/sale/offers/{offer}");
    for (method, target, body) in [
        ("POST", "/offers", wide("images")),
        ("PUT", &*format!("/offers/{offer}"), wide("shippingOptions")),
        ("PATCH", &*sale, patch),
        ("PUT", &*command, deep("endingAt")),
        ("POST", "/offer-searches", deep("shippingOptions")),
    ] {
        let request = Request::new(method, target).bearer(&market::token(&user)).body(&body);
        let before = ticks(&service);
        for _ in 0..3 {
            service.send(&request).is(422);
        }
        let after = ticks(&service);
        let [serving, beside] = [0, 1].map(|index| after[index] - before[index]);
        assert!(serving < beside, "{method} {target}: {serving} ticks where it is served, {beside} beside");
    }
}
