//! A JSON Web Key Set (RFC 7517) → the keys that tokens may be signed with, each pinned to the one algorithm that it is
//! used with.
//!
//! The algorithm is the key's, never the token's: RSA keys check RS256, P-256 keys ES256, Ed25519 keys EdDSA. Whatever
//! else a set holds (symmetric keys, keys for encryption, other curves) is left out.

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyOperations, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde::Deserialize;
use serde_json::Value;
use std::fmt;

/// Keys of a set at most.
const MAX_KEYS: usize = 64;
/// Bytes of an RSA key's modulus: 2048 to 8192 bits.
const MODULUS: std::ops::RangeInclusive<usize> = 256..=1024;
/// Bytes of an RSA key's exponent at most.
const MAX_EXPONENT: usize = 8;
/// Bytes of a P-256 coordinate, and of an Ed25519 key.
const POINT: usize = 32;

/// Public keys of an issuer.
#[derive(Default)]
pub(super) struct Keys {
    keys: Vec<Key>,
    /// Why others of the set are not among them.
    pub(super) left_out: Vec<String>,
}

/// A key that tokens may be signed with.
pub(super) struct Key {
    id: Option<String>,
    algorithm: Algorithm,
    pub(super) key: DecodingKey,
}

#[derive(Deserialize)]
struct KeySet {
    keys: Vec<Value>,
}

impl Keys {
    /// Reads a set.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let set: KeySet = serde_json::from_slice(bytes).map_err(|error| format!("no JSON Web Key Set: {error}"))?;
        if set.keys.len() > MAX_KEYS {
            return Err(format!("it has {} keys, more than {MAX_KEYS}", set.keys.len()));
        }
        let mut keys = Self::default();
        for (index, value) in set.keys.into_iter().enumerate() {
            match Key::read(value) {
                Ok(key) => keys.keys.push(key),
                Err(reason) => keys.left_out.push(format!("key {index}: {reason}")),
            }
        }
        Ok(keys)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Those that a token may be signed with: of this algorithm, and of this id, where token and key have one. First
    /// whether the id itself was found.
    pub(super) fn find(&self, id: Option<&str>, algorithm: Algorithm) -> (bool, impl Iterator<Item = &Key>) {
        let is_named = id.is_some() && self.keys.iter().any(|key| key.id.as_deref() == id);
        let fits = move |key: &&Key| {
            let of_this_id = if is_named { key.id.as_deref() == id } else { id.is_none() || key.id.is_none() };
            of_this_id && key.algorithm == algorithm
        };
        (is_named, self.keys.iter().filter(fits))
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.keys.iter().map(|key| (&key.id, key.algorithm))).finish()
    }
}

impl Key {
    fn read(value: Value) -> Result<Self, String> {
        let jwk: Jwk = serde_json::from_value(value).map_err(|error| error.to_string())?;
        let algorithm = algorithm(&jwk)?;
        if let Some(named) = jwk.common.key_algorithm
            && Algorithm::try_from(named) != Ok(algorithm)
        {
            return Err(format!("it is for {named}, not {algorithm:?}"));
        }
        if !matches!(jwk.common.public_key_use, None | Some(PublicKeyUse::Signature)) {
            return Err("it is not for signatures".to_owned());
        }
        if jwk.common.key_operations.as_ref().is_some_and(|all| !all.contains(&KeyOperations::Verify)) {
            return Err("it is not for checking signatures".to_owned());
        }
        if !has_size(&jwk.algorithm) {
            return Err(format!("it has not the size of a key for {algorithm:?}"));
        }
        let key = DecodingKey::from_jwk(&jwk).map_err(|error| error.to_string())?;
        Ok(Self { id: jwk.common.key_id, algorithm, key })
    }
}

/// The one algorithm that a key is used with.
fn algorithm(jwk: &Jwk) -> Result<Algorithm, String> {
    match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => Ok(Algorithm::RS256),
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => Ok(Algorithm::ES256),
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => Ok(Algorithm::EdDSA),
        AlgorithmParameters::OctetKey(_) => Err("it is a secret, and tokens are signed with key pairs".to_owned()),
        _ => Err("it is not a key for RS256, ES256 or EdDSA".to_owned()),
    }
}

fn has_size(key: &AlgorithmParameters) -> bool {
    match key {
        AlgorithmParameters::RSA(key) => {
            MODULUS.contains(&bytes(key.n.trim_start_matches('A'))) && (1..=MAX_EXPONENT).contains(&bytes(&key.e))
        }
        AlgorithmParameters::EllipticCurve(key) => bytes(&key.x) == POINT && bytes(&key.y) == POINT,
        AlgorithmParameters::OctetKeyPair(key) => bytes(&key.x) == POINT,
        _ => false,
    }
}

/// How many bytes stand there in base64url, which has no padding.
fn bytes(text: &str) -> usize {
    text.len() * 3 / 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn ed25519(more: &Value) -> Value {
        let mut key = json!({ "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" });
        key.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        key
    }

    fn read(keys: &[Value]) -> Keys {
        Keys::parse(json!({ "keys": keys }).to_string().as_bytes()).unwrap()
    }

    #[test]
    fn keys_that_are_for_something_else_are_left_out() {
        for (more, is_taken) in [
            (json!({}), true),
            (json!({ "use": "sig", "alg": "EdDSA", "key_ops": ["verify"], "something": [1] }), true),
            (json!({ "use": "enc" }), false),
            (json!({ "alg": "RS256" }), false),
            (json!({ "alg": "ML-DSA-44" }), false),
            (json!({ "key_ops": ["sign"] }), false),
            (json!({ "x": "AAAA" }), false),
            (json!({ "crv": "P-256" }), false),
            (json!({ "crv": "Ed448" }), false),
            (json!({ "kty": "oct", "k": "c2VjcmV0" }), false),
            (json!({ "kty": "EC", "crv": "P-384", "y": "AAAA" }), false),
            (json!({ "kty": "RSA", "n": "AQAB", "e": "AQAB" }), false),
            (json!({ "kty": 5 }), false),
        ] {
            let keys = read(&[ed25519(&more)]);
            assert_eq!((keys.len(), keys.left_out.is_empty()), (usize::from(is_taken), is_taken), "{more}: {keys:?}");
        }
    }

    #[test]
    fn a_set_is_bounded_and_must_be_one() {
        assert!(Keys::parse(b"{\"keys\":[]}").is_ok_and(|keys| keys.len() == 0));
        for bad in ["", "[]", "{}", "{\"keys\":{}}", "<html>"] {
            assert!(Keys::parse(bad.as_bytes()).is_err(), "{bad}");
        }
        let many: Vec<_> = (0..=MAX_KEYS).map(|_| ed25519(&json!({}))).collect();
        assert!(Keys::parse(json!({ "keys": many }).to_string().as_bytes()).is_err());
    }

    #[test]
    fn a_key_is_found_by_its_id_and_its_algorithm() {
        let keys = read(&[ed25519(&json!({ "kid": "a" })), ed25519(&json!({ "kid": "b" })), ed25519(&json!({}))]);
        let found = |id, algorithm| {
            let (is_named, found) = keys.find(id, algorithm);
            (is_named, found.count())
        };
        assert_eq!(found(Some("a"), Algorithm::EdDSA), (true, 1));
        assert_eq!(found(Some("a"), Algorithm::RS256), (true, 0), "never with another algorithm");
        assert_eq!(found(Some("c"), Algorithm::EdDSA), (false, 1), "only the one without an id may be meant");
        assert_eq!(found(None, Algorithm::EdDSA), (false, 3));
    }
}
