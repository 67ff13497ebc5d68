//! How a row of `tokens.json` becomes the `Authorization` of a request.
//!
//! A row changes a good token: members of its header and claims (or their whole text), who signs and how, what becomes
//! of the signature, how parts are encoded and put together. Values have placeholders: `"$absent"` takes a member away,
//! `{"$now": 10}` is a time, `{"$repeat": ["x", 9]}` a long text, `{"$jwk": "stranger"}` a public key; in texts
//! `$issuer`, `$ISSUER`, `$elsewhere`, `$sub`, `$exp`.

use crate::credentials::mutation::{Coding, Mutation};
use crate::credentials::tokens::SOMEBODY;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, crypto};
use restwell_testkit::key::{Key, now};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Levels of an array that no reader should follow.
const DEEP: usize = 1000;
/// Characters that are tried in a claim that says nothing.
const MAX_PADDING: usize = 64;
/// When good tokens end: in 2100.
const END: &str = "4102444800";

/// A row of the table.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) expect: Expected,
    /// Whether the scope of the offers' administrators is in it, where the row is about that.
    pub(crate) admin: Option<bool>,
    key: Option<String>,
    #[serde(default)]
    header: Map<String, Value>,
    header_text: Option<String>,
    #[serde(default)]
    claims: Map<String, Value>,
    claims_text: Option<String>,
    /// `PS256`: the key's, by another algorithm; `HS256 pem`: by what everybody knows of it; `stranger`: by another
    /// key.
    sign: Option<String>,
    signature: Option<Mutation>,
    #[serde(default)]
    encode: BTreeMap<Part, Coding>,
    parts: Option<String>,
    size: Option<usize>,
    authorization: Option<Vec<Value>>,
}

/// What must become of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Expected {
    Accepted,
    Refused,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Part {
    Header,
    Claims,
    Signature,
}

/// What recipes are made with.
pub(crate) struct Kitchen<'a> {
    pub(crate) issuer: &'a str,
    /// Where a stranger's keys are.
    pub(crate) elsewhere: String,
    pub(crate) keys: &'a [Key; 3],
    /// A stranger's, of the same ids.
    pub(crate) strangers: &'a [Key; 3],
}

impl Kitchen<'_> {
    /// The values of the `Authorization` headers that a row asks for.
    pub(crate) fn prepare(&self, row: &Row) -> Vec<String> {
        let token = match row.size {
            Some(size) => self.of_size(row, size),
            None => self.token(row, ""),
        };
        let templates = row.authorization.clone().unwrap_or_else(|| vec![json!("Bearer {token}")]);
        let value = |template| match self.value(row, template) {
            Value::String(text) => text.replace("{token}", &token),
            other => panic!("no header: {other}"),
        };
        templates.into_iter().map(value).collect()
    }

    fn key(&self, row: &Row) -> &Key {
        let id = row.key.as_deref().unwrap_or("ed");
        self.keys.iter().find(|key| key.id == id).unwrap_or_else(|| panic!("no key `{id}`"))
    }

    /// The token, with a claim that makes it as long as this, in bytes.
    fn of_size(&self, row: &Row, size: usize) -> String {
        let about = size.saturating_sub(self.token(row, "").len()) * 3 / 4;
        let tokens = (about.saturating_sub(40)..about + 4).map(|length| self.token(row, &"x".repeat(length)));
        tokens.into_iter().find(|token| token.len() == size).unwrap_or_else(|| panic!("no token of {size} bytes"))
    }

    fn token(&self, row: &Row, padding: &str) -> String {
        let key = self.key(row);
        let header = match &row.header_text {
            Some(text) => self.bytes(text),
            None => self.object(row, json!({ "alg": key.algorithm, "kid": key.id, "typ": "JWT" }), &row.header, ""),
        };
        let claims = match &row.claims_text {
            Some(text) => self.bytes(text),
            None => {
                let good = json!({
                    "sub": SOMEBODY, "iss": self.issuer, "aud": "marketplace", "exp": now() + 600, "scope": "",
                });
                self.object(row, good, &row.claims, padding)
            }
        };
        let coding = |part| row.encode.get(&part).copied().unwrap_or_default();
        let (head, body) = (coding(Part::Header).encode(&header), coding(Part::Claims).encode(&claims));
        let signature = self.signature(row, &format!("{head}.{body}"));
        let parts = [(Part::Header, &header), (Part::Claims, &claims), (Part::Signature, &signature)];
        if parts.iter().any(|(part, bytes)| coding(*part).is_idle(bytes)) {
            // a claim that says nothing, until the bytes are such that the coding makes a difference
            assert!(padding.len() < MAX_PADDING, "its coding makes no difference: {}", row.name);
            return self.token(row, &format!("{padding}?"));
        }
        let template = row.parts.as_deref().unwrap_or("{header}.{claims}.{signature}");
        let signature = coding(Part::Signature).encode(&signature);
        template.replace("{header}", &head).replace("{claims}", &body).replace("{signature}", &signature)
    }

    fn signature(&self, row: &Row, message: &str) -> Vec<u8> {
        let key = self.key(row);
        let message = if row.signature == Some(Mutation::OfAnother) { "e30.e30" } else { message };
        let signed = match row.sign.as_deref() {
            None => sign_bytes(key, message, key.algorithm),
            Some("stranger") => {
                let stranger = self.strangers.iter().find(|stranger| stranger.id == key.id);
                sign_bytes(stranger.expect("a stranger for each key"), message, key.algorithm)
            }
            Some(sign) => match sign.split_once(' ') {
                None => sign_bytes(key, message, algorithm(sign)),
                Some((name, secret)) => {
                    let secret = EncodingKey::from_secret(&known(key, secret));
                    let signature = crypto::sign(message.as_bytes(), &secret, algorithm(name)).unwrap();
                    URL_SAFE_NO_PAD.decode(signature).unwrap()
                }
            },
        };
        match row.signature {
            Some(mutation) => mutation.of(signed),
            None => signed,
        }
    }

    /// A JSON object with its members changed as a row says.
    fn object(&self, row: &Row, good: Value, changes: &Map<String, Value>, padding: &str) -> Vec<u8> {
        let Value::Object(mut members) = good else { panic!("no object: {good}") };
        for (name, value) in changes {
            match self.value(row, value.clone()) {
                Value::String(text) if text == "$absent" => members.remove(name),
                value => members.insert(name.clone(), value),
            };
        }
        if !padding.is_empty() {
            members.insert("padding".to_owned(), padding.into());
        }
        Value::Object(members).to_string().into_bytes()
    }

    /// A value with its placeholders filled in.
    fn value(&self, row: &Row, value: Value) -> Value {
        match value {
            Value::String(text) => self.text(&text).into(),
            Value::Array(items) => items.into_iter().map(|item| self.value(row, item)).collect(),
            Value::Object(members) => match members.iter().next() {
                Some((name, seconds)) if name == "$now" => match seconds.as_i64() {
                    Some(seconds) => (now().cast_signed() + seconds).into(),
                    None => (now() as f64 + seconds.as_f64().expect("seconds")).into(),
                },
                Some((name, _)) if name == "$repeat" || name == "$before" => repeated(&members).into(),
                Some((name, whose)) if name == "$jwk" => {
                    let keys = if whose == "stranger" { self.strangers } else { self.keys };
                    let key = keys.iter().find(|key| key.id == self.key(row).id).expect("a key");
                    serde_json::to_value(key.jwk()).expect("a key is JSON")
                }
                _ => {
                    let filled = members.into_iter().map(|(name, value)| (self.text(&name), self.value(row, value)));
                    Value::Object(filled.collect())
                }
            },
            other => other,
        }
    }

    fn text(&self, text: &str) -> String {
        let words = [
            ("$issuer", self.issuer.to_owned()),
            ("$ISSUER", self.issuer.to_uppercase()),
            ("$elsewhere", self.elsewhere.clone()),
            ("$sub", SOMEBODY.to_owned()),
            ("$exp", END.to_owned()),
            ("$deep", "[".repeat(DEEP) + &"]".repeat(DEEP)),
        ];
        words.into_iter().fold(text.to_owned(), |text, (word, value)| text.replace(word, &value))
    }

    /// The text of a whole header or of all claims, which need not be UTF-8.
    fn bytes(&self, text: &str) -> Vec<u8> {
        if text == "$nested" {
            let claims = json!({ "sub": SOMEBODY, "iss": self.issuer, "aud": "marketplace", "exp": now() + 600 });
            return self.keys[2].sign(&claims).into_bytes();
        }
        let text = self.text(text);
        let parts: Vec<_> = text.split("$ff").map(str::as_bytes).collect();
        parts.join(&0xff)
    }
}

/// The signature of a message.
fn sign_bytes(key: &Key, message: &str, algorithm: Algorithm) -> Vec<u8> {
    let signature = crypto::sign(message.as_bytes(), &key.signing, algorithm).expect("a signature");
    URL_SAFE_NO_PAD.decode(signature).expect("base64url")
}

/// The public part of a key, in a form that could be taken for a secret.
fn known(key: &Key, form: &str) -> Vec<u8> {
    let pem = key.pair.public_key_pem();
    match form {
        "pem" => pem.into_bytes(),
        "trimmed" => pem.trim().as_bytes().to_vec(),
        "raw" => key.pair.public_key_raw().to_vec(),
        "jwk" => serde_json::to_vec(&key.jwk()).expect("a key is JSON"),
        "nothing" => Vec::new(),
        _ => panic!("no form `{form}`"),
    }
}

fn repeated(members: &Map<String, Value>) -> String {
    let (text, count) = (&members["$repeat"][0], members["$repeat"][1].as_u64().expect("a count"));
    let before = members.get("$before").and_then(Value::as_str).unwrap_or_default();
    before.to_owned() + &text.as_str().expect("a text").repeat(usize::try_from(count).unwrap())
}

fn algorithm(name: &str) -> Algorithm {
    name.parse().unwrap_or_else(|_| panic!("no algorithm `{name}`"))
}
