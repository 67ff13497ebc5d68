//! The check of tokens by a fixed key set, for the fuzzers of this workspace (feature `fuzzing`).

use super::keys::Keys;
use super::signature::{IssuerTokens, TokenVerdict};
use crate::auth::Issuer;
use crate::auth::authenticator::Credentials;
use crate::auth::caller::Caller;
use http::HeaderMap;

/// Checks tokens of one issuer by keys that never change.
pub struct TokenChecker {
    tokens: IssuerTokens,
    keys: Keys,
}

impl TokenChecker {
    /// Of this issuer, for this audience, by this JSON Web Key Set.
    ///
    /// # Errors
    ///
    /// The key set cannot be read.
    pub fn new(issuer: &str, audience: &str, key_set: &[u8]) -> Result<Self, String> {
        Ok(Self { tokens: IssuerTokens::of(&Issuer::new(issuer, audience, None)), keys: Keys::parse(key_set)? })
    }

    /// The caller with these headers; `None` without a valid token.
    #[must_use]
    pub fn check(&self, headers: &HeaderMap) -> Option<Caller> {
        let token = Credentials::of(headers).bearer().ok()??;
        match self.tokens.check(token, &self.keys) {
            TokenVerdict::Good(caller) => Some(caller),
            TokenVerdict::Bad(_) | TokenVerdict::UnknownKey => None,
        }
    }
}
