//! Who callers are, by tokens as identity providers issue them: claims as each documents them, with its own issuer and
//! audience. What the caller is shows in what rules and handlers are given of it.

use crate::credentials::api::{Api, TIMING};
use crate::credentials::issuer::Issuer;
use crate::credentials::tokens::SOMEBODY;
use jsonwebtoken::{Algorithm, Header};
use restwell::testing::{Setup, tokens_of};
use restwell::{Builder, Call, Caller, Command, Context, JwtAuthenticator, Rejection, Resource, Ruled, Rules, Stored};
use restwell_testkit::key::{Key, now};
use serde_json::{Value, json};
use std::time::Duration;

/// What a rule was told of who made it.
#[derive(Debug, Clone, Resource)]
#[resource(operations(create(access = user), get, list), commands(Stamp))]
struct Visit {
    #[field(read_only)]
    caller: Option<String>,
    #[field(read_only)]
    scopes: Vec<String>,
    #[field(read_only)]
    roles: Vec<String>,
    #[field(read_only)]
    subject: Option<String>,
    #[field(read_only)]
    client: Option<String>,
    #[field(read_only)]
    stamp: Option<String>,
}

/// Notes a claim of who sent it.
#[derive(Debug, Clone, Command)]
#[command(on = Visit, access = user)]
struct Stamp {
    claim: String,
}

struct VisitRules;

impl Rules<Visit> for VisitRules {
    async fn before_create(&self, visit: &mut Visit, context: &Context<'_>) -> Ruled {
        let Some(caller) = context.caller else { return Ok(()) };
        visit.caller = Some(caller.id.to_string());
        visit.scopes.clone_from(&caller.scopes);
        visit.roles.clone_from(&caller.roles);
        visit.subject = caller.subject.as_ref().map(|subject| subject.name.clone());
        visit.client = ["azp", "cid", "client_id"].iter().find_map(|name| text(caller, name));
        Ok(())
    }
}

fn text(caller: &Caller, claim: &str) -> Option<String> {
    caller.claim(claim)?.as_str().map(str::to_owned)
}

async fn stamp(call: Call<Stamp>) -> Result<(), Rejection> {
    let mut visit: Stored<Visit> = call.entity;
    visit.stamp = call.caller.and_then(|caller| text(&caller, &call.input.claim));
    call.transaction.update(visit).await
}

fn visits() -> Builder {
    Builder::new("visits").resource::<Visit>().rules(VisitRules).handle::<Stamp, _, _>(stamp)
}

/// A token, and what it makes of its bearer.
struct Case {
    name: &'static str,
    issuer: &'static str,
    audience: &'static str,
    typ: &'static str,
    claims: Value,
    id: &'static str,
    scopes: &'static [&'static str],
    roles: &'static [&'static str],
    client: Option<&'static str>,
}

const AZURE: &str = "https://login.microsoftonline.com/9122040d-6c67-4c5b-b112-36a304b66dad/v2.0";
const OKTA: &str = "https://dev-1234.okta.com/oauth2/default";
const KEYCLOAK: &str = "https://keycloak.example.com/realms/shop";
const AUTH0: &str = "https://my-domain.auth0.com/";

fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "Auth0: a user",
            issuer: AUTH0,
            audience: "https://shop.example.com",
            typ: "JWT",
            claims: json!({
                "sub": "auth0|507f1f77bcf86cd799439011", "azp": "my_client_id",
                "aud": ["https://shop.example.com", "https://my-domain.auth0.com/userinfo"],
                "scope": "openid profile read:visits", "permissions": ["read:visits"],
            }),
            id: "8fd2eb85-a390-54a6-aa91-a17f932ce34c",
            scopes: &["openid", "profile", "read:visits"],
            roles: &[],
            client: Some("my_client_id"),
        },
        Case {
            name: "Auth0: client credentials",
            issuer: AUTH0,
            audience: "https://shop.example.com",
            typ: "at+jwt",
            claims: json!({
                "sub": "Y2xpZW50SWQ3@clients", "azp": "Y2xpZW50SWQ3", "aud": "https://shop.example.com",
                "scope": "read:visits", "gty": "client-credentials",
            }),
            id: "684b7ffe-bbd4-5492-9103-b2fa63c03402",
            scopes: &["read:visits"],
            roles: &[],
            client: Some("Y2xpZW50SWQ3"),
        },
        Case {
            name: "Google: an ID token",
            issuer: "https://accounts.google.com",
            audience: "1234987819200.apps.googleusercontent.com",
            typ: "JWT",
            claims: json!({
                "sub": "110169484474386276334", "azp": "1234987819200.apps.googleusercontent.com",
                "aud": "1234987819200.apps.googleusercontent.com", "at_hash": "HK6E_P6Dh8Y93mRNtsDB1Q",
                "hd": "example.com", "email": "jsmith@example.com", "email_verified": true, "nonce": "0394852-3190485",
            }),
            id: "76376a5d-000f-5c4d-95cb-f1f3f75a5ed3",
            scopes: &[],
            roles: &[],
            client: Some("1234987819200.apps.googleusercontent.com"),
        },
        Case {
            name: "Keycloak: a user",
            issuer: KEYCLOAK,
            audience: "shop",
            typ: "JWT",
            claims: json!({
                "sub": "7f1f9d2e-6c5b-4a3d-9e8f-0a1b2c3d4e5f", "typ": "Bearer", "azp": "shop-web", "acr": "1",
                "aud": ["shop", "account"], "realm_access": { "roles": ["moderator", "offline_access"] },
                "resource_access": { "account": { "roles": ["manage-account"] } }, "scope": "openid email",
                "preferred_username": "jdoe",
            }),
            id: "7f1f9d2e-6c5b-4a3d-9e8f-0a1b2c3d4e5f",
            scopes: &["openid", "email"],
            roles: &["moderator", "offline_access"],
            client: Some("shop-web"),
        },
        Case {
            name: "Keycloak: a user of a federated store",
            issuer: KEYCLOAK,
            audience: "shop",
            typ: "JWT",
            claims: json!({
                "sub": "f:550e8400-e29b-41d4-a716-446655440000:jdoe", "typ": "Bearer", "azp": "shop-web", "aud": "shop",
                "scope": "openid",
            }),
            id: "14f2d575-87ed-51be-bd2e-129605406fc1",
            scopes: &["openid"],
            roles: &[],
            client: Some("shop-web"),
        },
        Case {
            name: "Okta: a user",
            issuer: OKTA,
            audience: "api://default",
            typ: "JWT",
            claims: json!({
                "ver": 1, "jti": "AT.0mP4JKAZX1iACIT4vbEDF7LpvDVjxypPMf0D7uX39RE", "aud": "api://default",
                "cid": "nmdP1fcyvdVO11AL7ECm", "uid": "00ugrenMeqvYla4HW0g3", "scp": ["openid", "visits.read"],
                "sub": "jdoe@example.com",
            }),
            id: "c0575218-80a5-51be-a7d7-a62ee2c20804",
            scopes: &["openid", "visits.read"],
            roles: &[],
            client: Some("nmdP1fcyvdVO11AL7ECm"),
        },
        Case {
            name: "Okta: client credentials",
            issuer: OKTA,
            audience: "api://default",
            typ: "JWT",
            claims: json!({
                "ver": 1, "jti": "AT.1", "aud": "api://default", "cid": "0oa1gm6ik5xyzABCD5d7", "scp": ["visits.read"],
                "sub": "0oa1gm6ik5xyzABCD5d7",
            }),
            id: "f340e06b-952e-51a3-9f51-fab2c8fbaa46",
            scopes: &["visits.read"],
            roles: &[],
            client: Some("0oa1gm6ik5xyzABCD5d7"),
        },
        Case {
            name: "Azure AD: a user",
            issuer: AZURE,
            audience: "6e74172b-be56-4843-9ff4-e66a39bb12e3",
            typ: "JWT",
            claims: json!({
                "aud": "6e74172b-be56-4843-9ff4-e66a39bb12e3", "azp": "6e74172b-be56-4843-9ff4-e66a39bb12e4",
                "azpacr": "0", "name": "Abe Lincoln", "oid": "690222be-ff1a-4d56-abd1-7e4f7d38e474",
                "preferred_username": "abeli@example.com", "rh": "I", "scp": "access_as_user visits",
                "sub": "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ", "roles": ["Moderator"],
                "tid": "9122040d-6c67-4c5b-b112-36a304b66dad", "uti": "fqiBqXLPj0eQa82S-IYFAA", "ver": "2.0",
            }),
            id: "288e3856-5f84-5cd8-9852-898f357ae2f6",
            scopes: &["access_as_user", "visits"],
            roles: &["Moderator"],
            client: Some("6e74172b-be56-4843-9ff4-e66a39bb12e4"),
        },
        Case {
            name: "Azure AD: a daemon",
            issuer: AZURE,
            audience: "6e74172b-be56-4843-9ff4-e66a39bb12e3",
            typ: "JWT",
            claims: json!({
                "aud": "6e74172b-be56-4843-9ff4-e66a39bb12e3", "azp": "6e74172b-be56-4843-9ff4-e66a39bb12e4",
                "azpacr": "1", "idtyp": "app", "oid": "690222be-ff1a-4d56-abd1-7e4f7d38e475",
                "sub": "690222be-ff1a-4d56-abd1-7e4f7d38e475", "roles": ["Visits.Read.All"], "ver": "2.0",
                "tid": "9122040d-6c67-4c5b-b112-36a304b66dad",
            }),
            id: "690222be-ff1a-4d56-abd1-7e4f7d38e475",
            scopes: &[],
            roles: &["Visits.Read.All"],
            client: Some("6e74172b-be56-4843-9ff4-e66a39bb12e4"),
        },
        Case {
            name: "RFC 9068: client credentials",
            issuer: "https://authorization-server.example.com/",
            audience: "https://rs.example.com/",
            typ: "at+JWT",
            claims: json!({
                "sub": "s6BhdRkqt3", "client_id": "s6BhdRkqt3", "aud": "https://rs.example.com/",
                "jti": "dbe39bf3a3ba4238a513f51d6e1691c4", "scope": "openid profile reademail",
            }),
            id: "78cc41d5-d88c-5665-aa94-4d3a72c7d243",
            scopes: &["openid", "profile", "reademail"],
            roles: &[],
            client: Some("s6BhdRkqt3"),
        },
    ]
}

/// A signed token with what every token has.
fn signed(key: &Key, typ: &str, issuer: &str, claims: &Value) -> String {
    let mut all = json!({ "iss": issuer, "exp": now() + 600, "iat": now(), "nbf": now() });
    all.as_object_mut().unwrap().extend(claims.as_object().unwrap().clone());
    let header = Header { typ: Some(typ.to_owned()), ..key.header() };
    key.sign_as(&header, &all)
}

fn tokens(server: &Issuer, issuer: &str, audience: &str) -> JwtAuthenticator {
    tokens_of(issuer, audience, Some(&server.jwks()), TIMING)
}

fn serve(authenticator: JwtAuthenticator) -> Api {
    Api::serve(Setup::of(visits()).authenticator(authenticator))
}

#[test]
fn tokens_as_identity_providers_issue_them() {
    let key = Key::new("rsa", Algorithm::RS256);
    let server = Issuer::with(&[&key]);
    for case in cases() {
        let api = serve(tokens(&server, case.issuer, case.audience));
        let token = signed(&key, case.typ, case.issuer, &case.claims);
        let visit = api.post_as("/visits", &json!({}), &token);
        assert_eq!(visit["caller"], case.id, "{}: {visit}", case.name);
        assert_eq!(visit["scopes"], json!(case.scopes), "{}", case.name);
        assert_eq!(visit["roles"], json!(case.roles), "{}", case.name);
        assert_eq!(visit["subject"], case.claims["sub"], "{}", case.name);
        assert_eq!(visit["client"], json!(case.client), "{}", case.name);
    }
}

#[test]
fn handlers_are_given_the_claims() {
    let key = Key::new("ec", Algorithm::ES256);
    let server = Issuer::with(&[&key]);
    let api = serve(tokens(&server, OKTA, "api://default"));
    let token = signed(&key, "JWT", OKTA, &json!({ "sub": "00u1", "aud": "api://default", "a": { "b": "deep" } }));
    let visit = api.post_as("/visits", &json!({}), &token);
    let path = format!("/visits/{}", visit["id"].as_str().unwrap());
    api.put_as(&format!("{path}/stamp-commands/{SOMEBODY}"), &json!({ "claim": "a.b" }), &token);
    for _ in 0..200 {
        if api.json(&path)["stamp"] == "deep" {
            return;
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    panic!("{}", api.json(&path));
}

#[test]
fn other_claims_can_say_who_calls() {
    let key = Key::new("rsa", Algorithm::RS256);
    let server = Issuer::with(&[&key]);
    let audience = "6e74172b-be56-4843-9ff4-e66a39bb12e3";
    let authenticator = tokens(&server, AZURE, audience)
        .subject_claim("oid")
        .scope_claims(&["permissions"])
        .role_claims(&["https://shop.example.com/roles", "resource_access.shop.roles"]);
    let api = serve(authenticator);
    let claims = json!({
        "aud": audience, "oid": SOMEBODY, "sub": "pairwise", "scope": "no", "permissions": ["visits:read"],
        "https://shop.example.com/roles": ["a"], "resource_access": { "shop": { "roles": ["b"] } },
    });
    let visit = api.post_as("/visits", &json!({}), &signed(&key, "JWT", AZURE, &claims));
    assert_eq!(visit["caller"], SOMEBODY);
    assert_eq!(visit["scopes"], json!(["visits:read"]));
    assert_eq!(visit["roles"], json!(["a", "b"]));
    let without = json!({ "aud": audience, "sub": SOMEBODY });
    assert_eq!(api.get("/visits", &signed(&key, "JWT", AZURE, &without)).status().as_u16(), 401);
}

#[test]
fn an_issuer_speaks_for_its_own_subjects_only() {
    let keys = [Key::new("one", Algorithm::RS256), Key::new("two", Algorithm::ES256)];
    let servers = keys.each_ref().map(|key| Issuer::with(&[key]));
    let issuers = ["https://one.example.com", "https://two.example.com"];
    let [first, second] = [0, 1].map(|at| tokens(&servers[at], issuers[at], "shop"));
    let api = serve(first.or(second));
    let token =
        |at: usize, issuer: &str, sub: &str| signed(&keys[at], "JWT", issuer, &json!({ "sub": sub, "aud": "shop" }));
    let caller = |token: &str| api.post_as("/visits", &json!({}), token)["caller"].as_str().unwrap().to_owned();
    assert_eq!(caller(&token(0, issuers[0], SOMEBODY)), SOMEBODY);
    let of_second = caller(&token(1, issuers[1], SOMEBODY));
    assert_ne!(of_second, SOMEBODY, "the users are those of the first issuer");
    assert_ne!(caller(&token(0, issuers[0], "a")), caller(&token(1, issuers[1], "a")));
    let status = |token: &str| api.get("/visits", token).status().as_u16();
    for (at, issuer) in [(0, issuers[1]), (1, issuers[0]), (0, "https://three.example.com")] {
        assert_eq!(status(&token(at, issuer, "a")), 401, "{at} {issuer}");
    }
}

#[test]
fn clocks_may_be_as_far_apart_as_the_operator_says() {
    let key = Key::new("ed", Algorithm::EdDSA);
    let server = Issuer::with(&[&key]);
    let token = |seconds: u64| {
        signed(&key, "JWT", OKTA, &json!({ "sub": "a", "aud": "shop", "exp": now() - seconds, "nbf": 0, "iat": 0 }))
    };
    let status = |leeway: Option<Duration>, seconds| {
        let authenticator = tokens(&server, OKTA, "shop");
        let api = serve(leeway.into_iter().fold(authenticator, JwtAuthenticator::leeway));
        api.get("/visits", &token(seconds)).status().as_u16()
    };
    assert_eq!(status(None, 20), 200);
    assert_eq!(status(None, 40), 401);
    assert_eq!(status(Some(Duration::from_secs(120)), 100), 200);
    assert_eq!(status(Some(Duration::ZERO), 5), 401);
}

#[test]
fn the_reason_of_a_401_is_told_in_development() {
    let key = Key::new("ed", Algorithm::EdDSA);
    let (server, stranger) = (Issuer::with(&[&key]), Key::new("ed", Algorithm::EdDSA));
    let start =
        |setup: fn(Setup) -> Setup| Api::serve(setup(Setup::of(visits())).authenticator(tokens(&server, OKTA, "shop")));
    let (open, closed) = (start(|setup| setup), start(Setup::without_contracts));
    let token = |claims: &Value| signed(&key, "JWT", OKTA, claims);
    let good = json!({ "sub": "a", "aud": "shop" });
    for (token, reason) in [
        (token(&json!({ "sub": "a", "aud": "others" })), "`aud`"),
        (token(&json!({ "sub": "a", "aud": "shop", "iss": "https://elsewhere.example.com" })), "`iss`"),
        (token(&json!({ "sub": "a", "aud": "shop", "exp": now() - 60 })), "expired"),
        (token(&json!({ "sub": "a", "aud": "shop", "nbf": now() + 60 })), "`nbf`"),
        (token(&json!({ "aud": "shop" })), "`sub`"),
        (token(&json!({ "sub": 5, "aud": "shop" })), "`sub`"),
        (token(&json!({ "sub": "a", "aud": "shop", "scope": 5 })), "`scope`"),
        (signed(&stranger, "JWT", OKTA, &good), "`kid`"),
        (signed(&key, "dpop+jwt", OKTA, &good), "`typ`"),
        ("nonsense".to_owned(), "not a JSON Web Token"),
    ] {
        let body: Value = serde_json::from_str(&open.get("/visits", &token).text().unwrap()).unwrap();
        let told = body["errors"][0]["details"]["reason"].as_str().unwrap_or_else(|| panic!("{reason}: {body}"));
        assert!(told.contains(reason), "{reason}: {told}");
        assert!(!told.contains(&token), "{told}");
        let body: Value = serde_json::from_str(&closed.get("/visits", &token).text().unwrap()).unwrap();
        assert_eq!(body["errors"][0]["details"], Value::Null, "{reason}");
    }
    let basic = open.get_with("/visits", &[("authorization", "Basic dTpw")]).text().unwrap();
    assert!(basic.contains("Bearer"), "{basic}");
}
