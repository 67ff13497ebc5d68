//! JSON Web Tokens signed with a secret: HS256 (RFC 7515, RFC 7518 §3.2). Only a development key is one.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use serde::Deserialize;
use sha2::Sha256;

/// The name of the algorithm, in the header of a token.
const ALGORITHM: &str = "HS256";
/// The header of the tokens that are made here.
const HEADER: &str = r#"{"typ":"JWT","alg":"HS256"}"#;
/// Bytes of a block of SHA-256, to which shorter keys are filled with zeros (RFC 2104).
const BLOCK: usize = 64;

/// Signs and checks tokens.
pub(super) struct Hs256([u8; BLOCK]);

/// The header's parameters that are read.
#[derive(Deserialize)]
struct Hs256Header {
    alg: String,
}

impl Hs256 {
    /// With a secret.
    pub(super) fn new(secret: &[u8; 32]) -> Self {
        let mut block = [0; BLOCK];
        block[..secret.len()].copy_from_slice(secret);
        Self(block)
    }

    /// A token with these claims, as JSON.
    pub(super) fn sign(&self, claims: &str) -> String {
        let signed = format!("{}.{}", URL_SAFE_NO_PAD.encode(HEADER), URL_SAFE_NO_PAD.encode(claims));
        let signature = self.mac(&signed).finalize().into_bytes();
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
    }

    /// The claims of a token, as JSON; `None` if it is not signed with this secret. The comparison takes the same time
    /// wherever signatures differ.
    pub(super) fn verify(&self, token: &str) -> Option<String> {
        let (signed, signature) = token.rsplit_once('.')?;
        let (header, claims) = signed.split_once('.')?;
        let header: Hs256Header = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(header).ok()?).ok()?;
        if header.alg != ALGORITHM {
            return None;
        }
        self.mac(signed).verify_slice(&URL_SAFE_NO_PAD.decode(signature).ok()?).ok()?;
        String::from_utf8(URL_SAFE_NO_PAD.decode(claims).ok()?).ok()
    }

    fn mac(&self, signed: &str) -> Hmac<Sha256> {
        Hmac::new(&self.0.into()).chain_update(signed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};

    const SECRET: [u8; 32] = [7; 32];

    #[test]
    fn tokens_are_those_of_the_library_for_issuers() {
        let claims = r#"{"sub":"someone","exp":4102444800}"#;
        let token = Hs256::new(&SECRET).sign(claims);
        let key = DecodingKey::from_secret(&SECRET);
        let read = jsonwebtoken::decode::<serde_json::Value>(&token, &key, &Validation::new(Algorithm::HS256)).unwrap();
        assert_eq!(read.claims, serde_json::from_str::<serde_json::Value>(claims).unwrap());

        let key = EncodingKey::from_secret(&SECRET);
        let theirs = jsonwebtoken::encode(&Header::new(Algorithm::HS256), &read.claims, &key).unwrap();
        let claims = Hs256::new(&SECRET).verify(&theirs).unwrap();
        assert_eq!(serde_json::from_str::<serde_json::Value>(&claims).unwrap(), read.claims);
        let stronger = jsonwebtoken::encode(&Header::new(Algorithm::HS512), &read.claims, &key).unwrap();
        assert_eq!(Hs256::new(&SECRET).verify(&stronger), None, "another algorithm");
    }

    #[test]
    fn what_is_not_signed_with_the_secret_is_refused() {
        let hs256 = Hs256::new(&SECRET);
        let token = hs256.sign("{}");
        assert_eq!(hs256.verify(&token).as_deref(), Some("{}"));
        assert_eq!(Hs256::new(&[8; 32]).verify(&token), None, "another secret's");
        let parts: Vec<_> = token.split('.').collect();
        let none = URL_SAFE_NO_PAD.encode(r#"{"alg":"none"}"#);
        let other = URL_SAFE_NO_PAD.encode(r#"{"admin":true}"#);
        for bad in [
            String::new(),
            "..".to_owned(),
            format!("{}.{}.", parts[0], parts[1]),
            format!("{none}.{}.", parts[1]),
            format!("{none}.{}.{}", parts[1], parts[2]),
            format!("{}.{other}.{}", parts[0], parts[2]),
            format!("{token}A"),
            format!("{token}.{token}"),
            token[..token.len() - 2].to_owned(),
        ] {
            assert_eq!(hs256.verify(&bad), None, "{bad}");
        }
    }
}
