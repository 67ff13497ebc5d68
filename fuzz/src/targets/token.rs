//! A bearer token up to its verdict, by a key set that never changes.
//!
//! An input that begins with `=` is the value of `Authorization`. Any other is a header and claims, a line each, and is
//! signed here by a key of the set: no fuzzer guesses a signature, and most of what is checked comes behind it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::{HeaderMap, HeaderValue, header};
use jsonwebtoken::{Algorithm, EncodingKey, crypto};
use restwell::fuzzing::TokenChecker;
use serde_json::Value as Json;
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// Published with the secret half: RFC 8037 appendix A, and for the other algorithms RFC 7515 appendix A.
const KEYS: &str = include_str!("keys.json");
/// The head of PKCS #8 around an Ed25519 secret.
const PKCS8: [u8; 16] = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
const ED25519_SECRET: &str = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A";
const ISSUER: &str = "https://login.example.com";
const AUDIENCE: &str = "shop";
/// Seconds that clocks may be apart, and a second for the test's own pace.
const LEEWAY: f64 = 31.0;

static CHECKER: LazyLock<TokenChecker> =
    LazyLock::new(|| TokenChecker::new(ISSUER, AUDIENCE, KEYS.as_bytes()).expect("a key set"));
static SIGNING: LazyLock<EncodingKey> = LazyLock::new(|| {
    let secret = URL_SAFE_NO_PAD.decode(ED25519_SECRET).expect("a secret");
    EncodingKey::from_ed_der(&[&PKCS8[..], &secret].concat())
});

pub(crate) fn judge(data: &[u8]) {
    let value = match data.strip_prefix(b"=") {
        Some(value) => value.to_vec(),
        None => match data.iter().position(|byte| *byte == b'\n') {
            Some(end) => signed(&data[..end], &data[end + 1..]),
            None => return,
        },
    };
    let Ok(value) = HeaderValue::from_bytes(&value) else { return };
    let headers: HeaderMap = [(header::AUTHORIZATION, value.clone())].into_iter().collect();
    if let Some(caller) = CHECKER.check(&headers) {
        judge_accepted(value.to_str().expect("a token is text"), caller.id.to_string().as_str(), &caller.scopes);
    }
}

fn signed(head: &[u8], claims: &[u8]) -> Vec<u8> {
    let message = format!("{}.{}", URL_SAFE_NO_PAD.encode(head), URL_SAFE_NO_PAD.encode(claims));
    let signature = crypto::sign(message.as_bytes(), &SIGNING, Algorithm::EdDSA).expect("a signature");
    format!("Bearer {message}.{signature}").into_bytes()
}

/// What was let in says all that RFC 7519, RFC 8725 and the decisions ask of it, read by another reader.
fn judge_accepted(value: &str, id: &str, scopes: &[String]) {
    let (scheme, token) = value.split_once(' ').expect("a scheme");
    assert!(scheme.eq_ignore_ascii_case("bearer"));
    let parts: Vec<_> = token.trim().split('.').collect();
    let [head, claims, _] = parts.as_slice() else { panic!("{token}") };
    // an unused claim may be a number that no type holds: it stays text
    let read = |part: &str| -> Json {
        let bytes = URL_SAFE_NO_PAD.decode(part).expect("base64url");
        let members: HashMap<String, Box<RawValue>> = serde_json::from_slice(&bytes).expect("an object");
        members
            .into_iter()
            .filter_map(|(name, value)| Some((name, serde_json::from_str::<Json>(value.get()).ok()?)))
            .collect()
    };
    let (head, claims) = (read(head), read(claims));
    assert!(["RS256", "ES256", "EdDSA"].contains(&head["alg"].as_str().expect("alg")), "{head}");
    assert!(head.get("crit").is_none(), "{head}");
    assert_eq!(claims["iss"].as_str(), Some(ISSUER), "{claims}");
    let is_ours = |audience: &Json| audience.as_str() == Some(AUDIENCE);
    assert!(is_ours(&claims["aud"]) || claims["aud"].as_array().is_some_and(|all| all.iter().any(is_ours)), "{claims}");
    let subject = claims["sub"].as_str().expect("sub");
    // what is no UUID is the name of one
    assert!(subject == id || id.as_bytes()[14] == b'5' && !subject.is_empty() && subject.is_ascii(), "{claims}");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is later").as_secs_f64();
    assert!(claims["exp"].as_f64().is_some_and(|end| end + LEEWAY >= now), "{claims}");
    assert!(claims.get("nbf").is_none_or(|begin| begin.as_f64().is_none_or(|begin| begin <= now + LEEWAY)), "{claims}");
    let known = [&claims["scope"], &claims["scp"]].map(Json::to_string).concat();
    for scope in scopes {
        assert!(!scope.contains(' ') || known.contains('['), "{scope:?} in {claims}");
        assert!(known.contains(Json::from(scope.as_str()).to_string().trim_matches('"')), "{scope:?} in {claims}");
    }
}
