//! Keys that change, and issuers that are away.

use crate::credentials::api::{Api, PAUSE, TIMING};
use crate::credentials::issuer::Issuer;
use jsonwebtoken::Algorithm;
use restwell::testing::KeyTiming;
use restwell_testkit::key::{Key, now};
use std::fs;
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

const SOMEBODY: &str = "019e7045-7260-726b-b2a7-4de452e6b438";

fn key(id: &str) -> Key {
    Key::new(id, Algorithm::ES256)
}

fn token(issuer: &Issuer, key: &Key) -> String {
    key.sign(&issuer.claims(SOMEBODY, ""))
}

/// Waits until a token gets a status.
#[track_caller]
fn becomes(api: &Api, token: &str, status: u16) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while api.status(token) != status {
        assert!(Instant::now() < deadline, "it stays {}", api.status(token));
        sleep(Duration::from_millis(50));
    }
}

#[test]
fn many_tokens_of_a_new_key_are_one_request_to_the_issuer() {
    let (old, new) = (key("old"), key("new"));
    let issuer = Issuer::with(&[&old]);
    let api = Api::of(&issuer);
    assert_eq!(api.status(&token(&issuer, &old)), 200);
    assert_eq!(issuer.fetches(), 1);
    issuer.publish(&[&old, &new]);
    sleep(PAUSE);
    let token_of_new = token(&issuer, &new);
    let statuses = scope(|scope| {
        let requests: Vec<_> = (0..50).map(|_| scope.spawn(|| api.status(&token_of_new))).collect();
        requests.into_iter().map(|request| request.join().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(statuses, [200; 50]);
    assert_eq!(issuer.fetches(), 2);
    assert_eq!(api.status(&token(&issuer, &old)), 200, "the old key is still published");
}

#[test]
fn made_up_key_ids_do_not_reach_the_issuer_more_often() {
    let (real, made_up) = (key("real"), key("made-up"));
    let issuer = Issuer::with(&[&real]);
    let api = Api::of(&issuer);
    assert_eq!(api.status(&token(&issuer, &real)), 200);
    let begin = Instant::now();
    for _ in 0..200 {
        assert_eq!(api.status(&token(&issuer, &made_up)), 401);
    }
    let at_most = 2 + usize::try_from(begin.elapsed().as_millis() / PAUSE.as_millis()).unwrap();
    assert!(issuer.fetches() <= at_most, "{} of {at_most}", issuer.fetches());
    // each known token meanwhile costs the issuer nothing
    let before = issuer.fetches();
    for _ in 0..50 {
        assert_eq!(api.status(&token(&issuer, &real)), 200);
    }
    assert_eq!(issuer.fetches(), before);
}

#[test]
fn keys_that_are_gone_are_forgotten_with_the_next_refresh() {
    let (old, new) = (key("old"), key("new"));
    let issuer = Issuer::with(&[&old]);
    let often = Duration::from_millis(200);
    let api = Api::start(&issuer, Some(&issuer.jwks()), KeyTiming { pause: often, refresh: often, ..TIMING });
    let token_of_old = token(&issuer, &old);
    assert_eq!(api.status(&token_of_old), 200);
    issuer.publish(&[&new]);
    becomes(&api, &token_of_old, 401);
    assert_eq!(api.status(&token(&issuer, &new)), 200, "without anybody asking");
}

#[test]
fn old_keys_serve_while_the_issuer_is_away() {
    let (known, new) = (key("known"), key("new"));
    let issuer = Issuer::with(&[&known]);
    let often = Duration::from_millis(100);
    let api = Api::start(&issuer, None, KeyTiming { pause: often, refresh: often, ..TIMING });
    assert_eq!(api.status(&token(&issuer, &known)), 200);
    issuer.set_away(true);
    let token_of_new = token(&issuer, &new);
    becomes(&api, &token_of_new, 503);
    assert_eq!(api.status(&token(&issuer, &known)), 200);
    issuer.publish(&[&known, &new]);
    issuer.set_away(false);
    becomes(&api, &token_of_new, 200);
}

#[test]
fn old_keys_do_not_serve_for_ever() {
    let known = key("known");
    let issuer = Issuer::with(&[&known]);
    let often = Duration::from_millis(100);
    let timing = KeyTiming { pause: often, refresh: often, kept: Duration::from_secs(1) };
    let api = Api::start(&issuer, None, timing);
    assert_eq!(api.status(&token(&issuer, &known)), 200);
    issuer.set_away(true);
    becomes(&api, &token(&issuer, &known), 503);
    issuer.set_away(false);
    becomes(&api, &token(&issuer, &known), 200);
}

#[test]
fn a_service_starts_before_its_issuer() {
    let key = key("key");
    let issuer = Issuer::with(&[&key]);
    issuer.set_away(true);
    let api = Api::start(&issuer, None, KeyTiming { pause: Duration::from_millis(100), ..TIMING });
    let token = token(&issuer, &key);
    let response = api.get("/offers", &token);
    assert_eq!(response.status().as_u16(), 503);
    assert!(response.headers().contains_key("retry-after"));
    assert!(response.text().unwrap().contains("\"code\":\"Unavailable\""));
    assert_eq!(api.get_with("/offers", &[]).status().as_u16(), 200, "nobody is asked who needs not be known");
    assert_eq!(api.get_with("/sale/offers", &[]).status().as_u16(), 401);
    assert_eq!(api.status("garbage"), 401, "that is clear without any key");
    issuer.set_away(false);
    becomes(&api, &token, 200);
}

#[test]
fn a_discovery_document_of_another_issuer_is_refused() {
    let key = key("key");
    let issuer = Issuer::with(&[&key]);
    issuer.claim_to_be("https://login.example.com");
    let api = Api::of(&issuer);
    assert_eq!(api.status(&token(&issuer, &key)), 503);
    assert_eq!(issuer.fetches(), 0);
}

#[test]
fn a_key_set_that_is_too_large_is_none() {
    let key = key("key");
    let issuer = Issuer::with(&[&key]);
    issuer.publish_text(&serde_json::json!({ "keys": [key.jwk()], "padding": "x".repeat(600 * 1024) }));
    let api = Api::of(&issuer);
    assert_eq!(api.status(&token(&issuer, &key)), 503);
}

#[test]
fn keys_may_be_in_a_file_that_changes() {
    let (old, new) = (key("old"), key("new"));
    // it is asked for nothing: a name is enough
    let issuer = Issuer::with(&[]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.json");
    let write = |keys: &[&Key]| {
        let keys: Vec<_> = keys.iter().map(|key| key.jwk()).collect();
        fs::write(&file, serde_json::json!({ "keys": keys }).to_string()).unwrap();
    };
    write(&[&old]);
    let timing = KeyTiming { pause: Duration::from_millis(100), ..TIMING };
    let api = Api::start(&issuer, file.to_str(), timing);
    assert_eq!(api.status(&token(&issuer, &old)), 200);
    write(&[&old, &new]);
    becomes(&api, &token(&issuer, &new), 200);
    assert_eq!(issuer.fetches(), 0);
}

#[test]
fn an_event_stream_ends_with_its_token() {
    let key = key("key");
    let issuer = Issuer::with(&[&key]);
    let api = Api::of(&issuer);
    let mut claims = issuer.claims(SOMEBODY, "");
    // 30 seconds are allowed for clocks that differ
    claims["exp"] = (now() - 23).into();
    let token = format!("Bearer {}", key.sign(&claims));
    let stream = reqwest::blocking::Client::builder().timeout(Duration::from_secs(30)).build().unwrap();
    let stream = stream.get(api.service.url("/events")).header("user-agent", "Tests/1.0");
    let stream = stream.header("accept", "text/event-stream").header("authorization", &token).send().unwrap();
    assert_eq!(stream.status().as_u16(), 200);
    let begin = Instant::now();
    stream.text().expect("the stream ends in good order");
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}
