//! An issuer of tokens: its keys, and the server where they are found.

use restwell_testkit::key::{Key, now};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Whom good tokens are for.
pub(crate) const AUDIENCE: &str = "marketplace";

struct State {
    keys: Mutex<Value>,
    /// What the discovery document says of itself, where it is something else than the truth.
    claims_to_be: Mutex<Option<String>>,
    is_away: AtomicBool,
    fetches: AtomicUsize,
}

/// A server with a discovery document and a key set.
pub(crate) struct Issuer {
    pub(crate) url: String,
    state: Arc<State>,
}

impl Issuer {
    /// One that publishes these keys.
    pub(crate) fn with(keys: &[&Key]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(State {
            keys: Mutex::default(),
            claims_to_be: Mutex::default(),
            is_away: AtomicBool::new(false),
            fetches: AtomicUsize::new(0),
        });
        let issuer = Self { url: url.clone(), state: Arc::clone(&state) };
        issuer.publish(keys);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // a client that gave up does not get the response
                let _ = answer(&stream, &url, &state);
            }
        });
        issuer
    }

    pub(crate) fn publish(&self, keys: &[&Key]) {
        self.publish_text(&json!({ "keys": keys.iter().map(|key| key.jwk()).collect::<Vec<_>>() }));
    }

    pub(crate) fn publish_text(&self, document: &Value) {
        *self.state.keys.lock().unwrap() = document.clone();
    }

    pub(crate) fn set_away(&self, is_away: bool) {
        self.state.is_away.store(is_away, Ordering::SeqCst);
    }

    pub(crate) fn claim_to_be(&self, issuer: &str) {
        *self.state.claims_to_be.lock().unwrap() = Some(issuer.to_owned());
    }

    /// How often the keys were asked for.
    pub(crate) fn fetches(&self) -> usize {
        self.state.fetches.load(Ordering::SeqCst)
    }

    pub(crate) fn jwks(&self) -> String {
        format!("{}/keys", self.url)
    }

    /// What a good token says.
    pub(crate) fn claims(&self, sub: &str, scope: &str) -> Value {
        json!({ "sub": sub, "iss": self.url, "aud": AUDIENCE, "exp": now() + 600, "scope": scope })
    }
}

fn answer(stream: &TcpStream, url: &str, state: &State) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let path = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let is_away = state.is_away.load(Ordering::SeqCst);
    let (status, body) = match path.split(' ').nth(1) {
        Some("/keys") => {
            state.fetches.fetch_add(1, Ordering::SeqCst);
            // long enough for others to come meanwhile
            std::thread::sleep(Duration::from_millis(50));
            (if is_away { "503 Away" } else { "200 OK" }, state.keys.lock().unwrap().clone())
        }
        Some("/.well-known/openid-configuration") if !is_away => {
            let issuer = state.claims_to_be.lock().unwrap().clone().unwrap_or_else(|| url.to_owned());
            ("200 OK", json!({ "issuer": issuer, "jwks_uri": format!("{url}/keys") }))
        }
        _ => ("503 Away", Value::Null),
    };
    let body = body.to_string();
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
    (&*stream).write_all((head + &body).as_bytes())
}
