//! Keys that sign tokens.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use rcgen::{KeyPair, PKCS_ECDSA_P256_SHA256, PKCS_ED25519, PKCS_RSA_SHA256};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// A key that signs tokens.
pub struct Key {
    /// The `kid` in the header of its tokens.
    pub id: String,
    /// The algorithm of its type.
    pub algorithm: Algorithm,
    /// Both halves.
    pub pair: KeyPair,
    /// The private half, as `jsonwebtoken` takes it.
    pub signing: EncodingKey,
}

impl Key {
    /// A new key.
    pub fn new(id: &str, algorithm: Algorithm) -> Self {
        let kind = match algorithm {
            Algorithm::RS256 => &PKCS_RSA_SHA256,
            Algorithm::ES256 => &PKCS_ECDSA_P256_SHA256,
            _ => &PKCS_ED25519,
        };
        let pair = KeyPair::generate_for(kind).expect("a key can be made");
        let pem = pair.serialize_pem();
        let signing = match algorithm {
            Algorithm::RS256 => EncodingKey::from_rsa_pem(pem.as_bytes()),
            Algorithm::ES256 => EncodingKey::from_ec_pem(pem.as_bytes()),
            _ => EncodingKey::from_ed_pem(pem.as_bytes()),
        };
        Self { id: id.to_owned(), algorithm, pair, signing: signing.expect("a key of its kind") }
    }

    /// The header of its tokens.
    pub fn header(&self) -> Header {
        Header { kid: Some(self.id.clone()), ..Header::new(self.algorithm) }
    }

    /// A token with these claims.
    pub fn sign(&self, claims: &Value) -> String {
        self.sign_as(&self.header(), claims)
    }

    /// A token with these claims and this header.
    pub fn sign_as(&self, header: &Header, claims: &Value) -> String {
        encode(header, claims, &self.signing).expect("a token can be signed")
    }

    /// Its public half, as a key set shows it.
    pub fn jwk(&self) -> Jwk {
        let raw = self.pair.public_key_raw();
        let mut jwk = if self.algorithm == Algorithm::EdDSA {
            let jwk = json!({ "kty": "OKP", "crv": "Ed25519", "use": "sig", "x": URL_SAFE_NO_PAD.encode(raw) });
            serde_json::from_value(jwk).expect("a key")
        } else {
            Jwk::from_encoding_key(&self.signing, self.algorithm).expect("a key")
        };
        jwk.common.key_id = Some(self.id.clone());
        jwk
    }
}

/// Seconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("it is later").as_secs()
}
