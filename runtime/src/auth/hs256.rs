//! JSON Web Tokens signed with a secret: HS256 (RFC 7515, RFC 7518 §3.2). Only a development key is one.

use super::token::UnverifiedToken;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The name of the algorithm, in the header of a token.
const ALGORITHM: &str = "HS256";
/// The header of the tokens that are made here.
const HEADER: &str = r#"{"typ":"JWT","alg":"HS256"}"#;
/// Bytes of a block of SHA-256, to which shorter keys are filled with zeros (RFC 2104).
const BLOCK: usize = 64;

/// Signs and checks tokens.
pub(super) struct Hs256([u8; BLOCK]);

impl Hs256 {
    /// With a secret.
    pub(super) fn new(secret: &[u8; 32]) -> Self {
        let mut block = [0; BLOCK];
        block[..secret.len()].copy_from_slice(secret);
        Self(block)
    }

    /// A token with these claims, as JSON.
    pub(super) fn sign(&self, claims: &str) -> String {
        self.sign_with(HEADER, claims)
    }

    /// The same with another header.
    pub(super) fn sign_with(&self, header: &str, claims: &str) -> String {
        let signed = format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(claims));
        let signature = self.mac(&signed).finalize().into_bytes();
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
    }

    /// Whether a token is signed with this secret. The comparison takes the same time wherever signatures differ.
    pub(super) fn verify(&self, token: &UnverifiedToken<'_>) -> bool {
        let Ok(signature) = URL_SAFE_NO_PAD.decode(token.signature) else { return false };
        token.algorithm() == ALGORITHM && self.mac(token.signed).verify_slice(&signature).is_ok()
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

    fn is_signed(secret: [u8; 32], token: &str) -> bool {
        UnverifiedToken::read(token).is_ok_and(|token| Hs256::new(&secret).verify(&token))
    }

    #[test]
    fn tokens_are_those_of_the_library_for_issuers() {
        let claims = r#"{"sub":"someone","exp":4102444800}"#;
        let token = Hs256::new(&SECRET).sign(claims);
        let key = DecodingKey::from_secret(&SECRET);
        let read = jsonwebtoken::decode::<serde_json::Value>(&token, &key, &Validation::new(Algorithm::HS256)).unwrap();
        assert_eq!(read.claims, serde_json::from_str::<serde_json::Value>(claims).unwrap());

        let key = EncodingKey::from_secret(&SECRET);
        let theirs = jsonwebtoken::encode(&Header::new(Algorithm::HS256), &read.claims, &key).unwrap();
        assert!(is_signed(SECRET, &theirs));
        let stronger = jsonwebtoken::encode(&Header::new(Algorithm::HS512), &read.claims, &key).unwrap();
        assert!(!is_signed(SECRET, &stronger), "another algorithm");
    }

    #[test]
    fn what_is_not_signed_with_the_secret_is_refused() {
        let token = Hs256::new(&SECRET).sign("{}");
        assert!(is_signed(SECRET, &token));
        assert!(!is_signed([8; 32], &token), "another secret's");
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
            assert!(!is_signed(SECRET, &bad), "{bad}");
        }
    }
}
