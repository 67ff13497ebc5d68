//! `--jwks`, `--issuer`, `--audience`: credentials of an issuer (decisions, "Credentials"). Which tokens are taken is tested in
//! `tests/credentials`.

use jsonwebtoken::Algorithm;
use restwell_testkit::http::Request;
use restwell_testkit::key::{Key, now};
use restwell_testkit::market;
use restwell_testkit::process::{DATABASE, LISTEN, Service, folder, refusal, run};
use serde_json::json;
use std::fs;
use std::path::Path;

const ISSUER: &str = "--issuer=https://login.example.com";
const AUDIENCE: &str = "--audience=marketplace";

/// A key, published in a file.
fn published(folder: &Path) -> Key {
    let key = Key::new("one", Algorithm::ES256);
    fs::write(folder.join("keys.json"), json!({ "keys": [key.jwk()] }).to_string()).expect("a file can be written");
    key
}

fn token(key: &Key, sub: &str) -> String {
    let claims = json!({ "sub": sub, "iss": "https://login.example.com", "aud": "marketplace", "exp": now() + 600 });
    key.sign(&claims)
}

#[test]
fn with_an_issuer_the_service_may_be_reached_from_elsewhere() {
    let folder = folder();
    let key = published(folder.path());
    let arguments = ["--listen=0.0.0.0:0", DATABASE, ISSUER, AUDIENCE, "--jwks=keys.json"];
    let service = Service::start_with(folder.path(), &arguments);
    let user = market::user(service.address(), "owner");
    let token = token(&key, &user);
    service.send(&Request::new("GET", "/sale/offers").bearer(&token)).is(200);
    service.send(&Request::new("GET", "/sale/offers").bearer(&token[..token.len() - 3])).is(401);
    assert!(!folder.path().join("marketplace.development-key").exists(), "there is no development key");
    let log = service.stop().join("\n");
    assert!(log.contains("https://login.example.com") && log.contains("keys.json"), "{log}");
    assert!(!log.contains("development key") && !log.contains(&token), "{log}");
}

#[test]
fn with_an_issuer_no_token_is_minted() {
    let folder = folder();
    let sub = ["token", "--sub", "019e7045-7260-726b-b2a7-4de452e6b438"];
    let error = refusal(&run(folder.path(), sub.into_iter().chain([ISSUER, AUDIENCE])));
    assert!(error.contains("https://login.example.com"), "{error}");
    assert!(!folder.path().join("marketplace.development-key").exists());
}

#[test]
fn half_of_an_issuer_is_refused() {
    let folder = folder();
    for (given, missing) in [
        (&[ISSUER][..], "--audience"),
        (&[AUDIENCE], "--issuer"),
        (&["--jwks=keys.json"], "--issuer"),
        (&["--jwks=keys.json", ISSUER], "--audience"),
        (&["--jwks=keys.json", AUDIENCE], "--issuer"),
        (&["--jwks=http://login.example.com/keys", ISSUER, AUDIENCE], "https"),
        (&["--issuer=login", AUDIENCE], "--jwks"),
    ] {
        let error = refusal(&run(folder.path(), [LISTEN, DATABASE].iter().chain(given)));
        assert!(error.contains(missing), "{given:?}: {error}");
        assert!(!folder.path().join("test.db").exists(), "no database is made for a service that cannot run");
    }
}
