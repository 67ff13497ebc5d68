//! A service that takes an issuer's tokens, and requests to it.

use crate::credentials::issuer::{AUDIENCE, Issuer};
use reqwest::blocking::{Client, RequestBuilder, Response};
use restwell::testing::{KeyTiming, Running, Setup, tokens_of};
use serde_json::{Value, json};
use std::time::Duration;

const MEDIA_TYPE: &str = "application/vnd.service.public.v1+json";

/// The pause between two attempts to get keys: long enough that no test is over before its end by accident.
pub(crate) const PAUSE: Duration = Duration::from_secs(2);

/// Unused keys are fetched too seldom for a test to notice.
pub(crate) const TIMING: KeyTiming =
    KeyTiming { pause: PAUSE, refresh: Duration::from_secs(3600), kept: Duration::from_secs(3600) };

pub(crate) struct Api {
    pub(crate) service: Running,
    client: Client,
}

impl Api {
    /// A marketplace that takes this issuer's tokens, found by discovery.
    pub(crate) fn of(issuer: &Issuer) -> Self {
        Self::start(issuer, None, TIMING)
    }

    pub(crate) fn start(issuer: &Issuer, jwks: Option<&str>, timing: KeyTiming) -> Self {
        let tokens = tokens_of(&issuer.url, AUDIENCE, jwks, timing);
        Self::serve(Setup::of(marketplace::service()).authenticator(tokens))
    }

    pub(crate) fn serve(setup: Setup) -> Self {
        Self { service: setup.start(), client: Client::new() }
    }

    pub(crate) fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Response {
        let request = self.client.get(self.service.url(path)).header("user-agent", "Tests/1.0");
        let request = request.header("accept", MEDIA_TYPE);
        headers.iter().fold(request, |request, (name, value)| request.header(*name, *value)).send().unwrap()
    }

    pub(crate) fn get(&self, path: &str, token: &str) -> Response {
        self.get_with(path, &[("authorization", &format!("Bearer {token}"))])
    }

    /// The status that a token gets where anyone may read: bad credentials are refused even there.
    pub(crate) fn status(&self, token: &str) -> u16 {
        self.get("/offers", token).status().as_u16()
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> String {
        let request = self.client.post(self.service.url(path)).header("user-agent", "Tests/1.0");
        let response = request.header("content-type", MEDIA_TYPE).body(body.to_string()).send().unwrap();
        let text = response.text().unwrap();
        let body: Value = serde_json::from_str(&text).unwrap();
        body["id"].as_str().unwrap_or_else(|| panic!("{text}")).to_owned()
    }

    /// An entity, as anyone sees it.
    pub(crate) fn json(&self, path: &str) -> Value {
        let text = self.get_with(path, &[]).text().unwrap();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// What a caller creates.
    pub(crate) fn post_as(&self, path: &str, body: &Value, token: &str) -> Value {
        self.send_as(self.client.post(self.service.url(path)), body, token)
    }

    /// A command of a caller.
    pub(crate) fn put_as(&self, path: &str, body: &Value, token: &str) -> Value {
        self.send_as(self.client.put(self.service.url(path)).header("accept", MEDIA_TYPE), body, token)
    }

    fn send_as(&self, request: RequestBuilder, body: &Value, token: &str) -> Value {
        let request = request.header("user-agent", "Tests/1.0").header("content-type", MEDIA_TYPE);
        let response = request.bearer_auth(token).body(body.to_string()).send().unwrap();
        let (status, text) = (response.status(), response.text().unwrap());
        assert_eq!(status.as_u16(), 201, "{text}");
        serde_json::from_str(&text).unwrap()
    }

    /// A new user, and an offer of theirs. `token`: that of a subject.
    pub(crate) fn seller(&self, name: &str, token: impl FnOnce(&str) -> String) -> (String, String) {
        let user = self.post("/users", &json!({ "name": name, "email": format!("{name}@example.com") }));
        let offer = json!({
            "name": "Bicycle",
            "seller": { "id": user },
            "buyNow": { "amount": "12.50", "currency": "PLN" },
            "address": { "city": "Gdynia", "countryCode": "PL" },
        });
        let offer = self.post_as("/offers", &offer, &token(&user));
        (user, offer["id"].as_str().expect("an id").to_owned())
    }
}
