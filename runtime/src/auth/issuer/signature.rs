//! The signature of a token, checked by the keys that there are; then what the token says.

use super::keys::Keys;
use crate::auth::caller::Caller;
use crate::auth::token::{TokenRequirements, UnverifiedToken};
use crate::auth::{Issuer, MAX_TOKEN};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, crypto};
use serde::Deserialize;

/// The algorithms that are taken, by their names (RFC 7518 §3.1, RFC 8037 §3.1).
const ALGORITHMS: [(&str, Algorithm); 3] =
    [("RS256", Algorithm::RS256), ("ES256", Algorithm::ES256), ("EdDSA", Algorithm::EdDSA)];

/// What checks the tokens of an issuer.
pub(super) struct IssuerTokens(TokenRequirements);

/// The verdict on a token.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TokenVerdict {
    /// It is good.
    Good(Caller),
    /// It is not valid, with any key; this is why, for people.
    Bad(String),
    /// It is signed with none of these keys, but might be with a newer one.
    UnknownKey,
}

impl IssuerTokens {
    /// Of an issuer.
    pub(super) fn of(issuer: &Issuer) -> Self {
        let Issuer { jwks: _, issuer, audience, claims, leeway, knows_users } = issuer;
        Self(TokenRequirements {
            issuer: issuer.clone(),
            audience: Some(audience.clone()),
            leeway: *leeway,
            names: claims.clone(),
            knows_users: *knows_users,
        })
    }

    /// The issuer of the tokens.
    pub(super) fn issuer(&self) -> &str {
        &self.0.issuer
    }

    /// Checks a token.
    pub(super) fn check(&self, token: &str, keys: &Keys) -> TokenVerdict {
        let bad = |reason: &str| TokenVerdict::Bad(reason.to_owned());
        let token = match UnverifiedToken::read(token) {
            Ok(token) => token,
            Err(reason) => return TokenVerdict::Bad(reason),
        };
        let known = ALGORITHMS.into_iter().find(|(name, _)| *name == token.algorithm());
        let Some((_, algorithm)) = known else { return bad("it is not signed with RS256, ES256 or EdDSA") };
        let (is_named, mut candidates) = keys.find(token.key_id(), algorithm);
        let is_signed_with = |key| crypto::verify(token.signature, token.signed.as_bytes(), key, algorithm);
        if candidates.any(|candidate| is_signed_with(&candidate.key).unwrap_or(false)) {
            return self.0.caller(&token).map_or_else(TokenVerdict::Bad, TokenVerdict::Good);
        }
        if is_named { bad("it is not signed with the key of its `kid`") } else { TokenVerdict::UnknownKey }
    }
}

/// The issuer that a token names, before anything of it is checked: by it only the keys are chosen.
pub(super) fn named_issuer(token: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        iss: String,
    }
    if token.len() > MAX_TOKEN {
        return None;
    }
    let claims = URL_SAFE_NO_PAD.decode(token.split('.').nth(1)?).ok()?;
    serde_json::from_slice::<Named>(&claims).ok().map(|named| named.iss)
}
