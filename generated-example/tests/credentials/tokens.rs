//! Which tokens are taken, and which are not.

use crate::api::Api;
use crate::issuer::{AUDIENCE, Issuer};
use crate::key::{Key, now};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};

const SOMEBODY: &str = "019e7045-7260-726b-b2a7-4de452e6b438";

struct World {
    issuer: Issuer,
    keys: [Key; 3],
    api: Api,
}

fn world() -> World {
    let keys = [("rsa", Algorithm::RS256), ("ec", Algorithm::ES256), ("ed", Algorithm::EdDSA)];
    let keys = keys.map(|(id, algorithm)| Key::new(id, algorithm));
    let issuer = Issuer::with(&[&keys[0], &keys[1], &keys[2]]);
    let api = Api::of(&issuer);
    World { issuer, keys, api }
}

impl World {
    fn claims(&self) -> Value {
        self.issuer.claims(SOMEBODY, "")
    }

    /// A token of the last key, with some claims set, or taken away by null.
    fn token(&self, changes: &Value) -> String {
        let mut claims = self.claims();
        for (name, value) in changes.as_object().unwrap() {
            match value {
                Value::Null => claims.as_object_mut().unwrap().remove(name),
                value => claims.as_object_mut().unwrap().insert(name.clone(), value.clone()),
            };
        }
        self.keys[2].sign(&claims)
    }
}

#[test]
fn each_algorithm_of_the_rulings_is_taken() {
    let world = world();
    let (seller, offer) = world.api.seller("seller");
    for key in &world.keys {
        let get = |sub: &str, scope: &str| {
            let token = key.sign(&world.issuer.claims(sub, scope));
            world.api.get(&format!("/sale/offers/{offer}"), &token).status().as_u16()
        };
        assert_eq!(get(&seller, ""), 200, "{}", key.id);
        assert_eq!(get(SOMEBODY, ""), 403, "{}", key.id);
        assert_eq!(get(SOMEBODY, "something offers.admin"), 200, "{}", key.id);
    }
}

#[test]
fn scopes_may_be_a_list() {
    let world = world();
    let (_, offer) = world.api.seller("seller");
    for (changes, status) in [
        (json!({ "scope": ["offers.admin", "x"] }), 200),
        (json!({ "scope": null, "scp": ["offers.admin"] }), 200),
        (json!({ "scope": null, "scp": "x offers.admin" }), 200),
        (json!({ "scope": null, "scp": "x" }), 403),
        (json!({ "scope": 5 }), 401),
        (json!({ "scope": [["offers.admin"]] }), 401),
    ] {
        let response = world.api.get(&format!("/sale/offers/{offer}"), &world.token(&changes));
        assert_eq!(response.status().as_u16(), status, "{changes}");
    }
}

#[test]
fn what_a_token_says_must_be_right() {
    let world = world();
    let hour = 3600;
    for (changes, status) in [
        (json!({}), 200),
        (json!({ "aud": ["others", AUDIENCE] }), 200),
        (json!({ "nbf": now() - hour, "iat": now() }), 200),
        // clocks may differ a little
        (json!({ "exp": now() - 10 }), 200),
        (json!({ "nbf": now() + 10 }), 200),
        (json!({ "exp": now() - 60 }), 401),
        (json!({ "exp": 0 }), 401),
        (json!({ "exp": -1 }), 401),
        (json!({ "exp": null }), 401),
        (json!({ "exp": "never" }), 401),
        (json!({ "exp": 1e300 }), 401),
        (json!({ "nbf": now() + hour }), 401),
        (json!({ "nbf": "now" }), 401),
        (json!({ "aud": "others" }), 401),
        (json!({ "aud": [] }), 401),
        (json!({ "aud": null }), 401),
        (json!({ "aud": 5 }), 401),
        (json!({ "iss": "http://127.0.0.1" }), 401),
        (json!({ "iss": format!("{}/", world.issuer.url) }), 401),
        (json!({ "iss": null }), 401),
        (json!({ "iss": 5 }), 401),
        (json!({ "sub": null }), 401),
        (json!({ "sub": "bookworm" }), 401),
        (json!({ "sub": SOMEBODY.to_uppercase() }), 401),
        (json!({ "sub": 5 }), 401),
    ] {
        assert_eq!(world.api.status(&world.token(&changes)), status, "{changes}");
    }
}

#[test]
fn no_key_is_used_with_another_algorithm() {
    let world = world();
    let [rsa, ec, ed] = &world.keys;
    let named =
        |key: &Key, id: &str| key.sign_as(&Header { kid: Some(id.to_owned()), ..key.header() }, &world.claims());
    assert_eq!(world.api.status(&named(rsa, "rsa")), 200);
    for (key, id) in [(rsa, "ec"), (rsa, "ed"), (ec, "rsa"), (ec, "ed"), (ed, "rsa"), (ed, "ec")] {
        assert_eq!(world.api.status(&named(key, id)), 401, "{} as {id}", key.id);
    }
    // what everybody knows of a key is no secret to sign with
    for key in &world.keys {
        let jwk = serde_json::to_vec(&key.jwk()).unwrap();
        let pem = key.pair.public_key_pem();
        for secret in [pem.as_bytes(), pem.trim().as_bytes(), key.pair.public_key_raw(), &jwk, b""] {
            for algorithm in [Algorithm::HS256, Algorithm::HS384, Algorithm::HS512] {
                let header = Header { kid: Some(key.id.clone()), ..Header::new(algorithm) };
                let token = encode(&header, &world.claims(), &EncodingKey::from_secret(secret)).unwrap();
                assert_eq!(world.api.status(&token), 401, "{algorithm:?} by {}", key.id);
            }
        }
    }
    // RS512 and PS256 fit the key, and are not taken
    for algorithm in [Algorithm::RS384, Algorithm::RS512, Algorithm::PS256] {
        let header = Header { alg: algorithm, ..rsa.header() };
        assert_eq!(world.api.status(&rsa.sign_as(&header, &world.claims())), 401, "{algorithm:?}");
    }
}

#[test]
fn no_token_vouches_for_itself() {
    let world = world();
    let good = world.token(&json!({}));
    let [head, claims, signature] = <[&str; 3]>::try_from(good.split('.').collect::<Vec<_>>()).unwrap();
    // {"alg":"none"}, {"alg":"None","typ":"JWT"}
    for none in ["eyJhbGciOiJub25lIn0", "eyJhbGciOiJOb25lIiwidHlwIjoiSldUIn0"] {
        for token in [format!("{none}.{claims}."), format!("{none}.{claims}"), format!("{none}.{claims}.{signature}")] {
            assert_eq!(world.api.status(&token), 401, "{token}");
        }
    }
    for token in [format!("{head}.{claims}."), format!("{head}.{claims}"), format!("{head}.{claims}.{signature}.x")] {
        assert_eq!(world.api.status(&token), 401, "{token}");
    }
    let other = world.token(&json!({ "sub": "019e7045-7260-726b-b2a7-4de452e6b439" }));
    let claims = other.split('.').nth(1).unwrap();
    assert_eq!(world.api.status(&format!("{head}.{claims}.{signature}")), 401, "another's claims");
    // a key of one's own, however it is brought along
    let own = Key::new("ed", Algorithm::EdDSA);
    let elsewhere = Issuer::with(&[&own]);
    let headers = [
        own.header(),
        Header { jwk: Some(own.jwk()), ..own.header() },
        Header { jku: Some(elsewhere.jwks()), ..own.header() },
        Header { kid: None, jwk: Some(own.jwk()), ..own.header() },
    ];
    for header in headers {
        assert_eq!(world.api.status(&own.sign_as(&header, &world.claims())), 401, "{header:?}");
    }
    assert_eq!(elsewhere.fetches(), 0, "nobody is sent anywhere by a token");
}

#[test]
fn headers_that_ask_for_more_are_refused() {
    let world = world();
    let key = &world.keys[2];
    let status = |header: Header| world.api.status(&key.sign_as(&header, &world.claims()));
    let of_type = |kind: Option<&str>| status(Header { typ: kind.map(str::to_owned), ..key.header() });
    for kind in [None, Some("JWT"), Some("jwt"), Some("at+jwt"), Some("application/at+jwt")] {
        assert_eq!(of_type(kind), 200, "{kind:?}");
    }
    assert_eq!(of_type(Some("logout+jwt")), 401, "a token for something else");
    assert_eq!(status(Header { crit: Some(vec!["exp".to_owned()]), ..key.header() }), 401);
    assert_eq!(status(Header { kid: None, ..key.header() }), 200, "a key without a name is looked for");
}

#[test]
fn garbage_is_refused_with_a_challenge() {
    let world = world();
    let huge = world.token(&json!({ "padding": "x".repeat(9000) }));
    let large = world.token(&json!({ "padding": "x".repeat(5000) }));
    assert_eq!(world.api.status(&large), 200);
    for token in [&huge, "", "x", "..", "a.b.c", "ey.ey.ey", "\u{20}", "e30.e30.e30", &"a".repeat(8000)] {
        let response = world.api.get("/offers", token);
        assert_eq!(response.status().as_u16(), 401, "{token:.50}");
        assert_eq!(response.headers()["www-authenticate"], "Bearer error=\"invalid_token\"");
    }
    let response = world.api.get_with("/sale/offers", &[]);
    assert_eq!(response.status().as_u16(), 401);
    assert_eq!(response.headers()["www-authenticate"], "Bearer");
    let basic = world.api.get_with("/offers", &[("authorization", "Basic dTpw")]);
    assert_eq!(basic.status().as_u16(), 401, "bad credentials are refused everywhere");
    let good = format!("Bearer {}", world.token(&json!({})));
    let twice = world.api.get_with("/offers", &[("authorization", &good), ("authorization", &good)]);
    assert_eq!(twice.status().as_u16(), 401);
}
