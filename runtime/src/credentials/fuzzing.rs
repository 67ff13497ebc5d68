//! The check of tokens by a fixed key set, for the fuzzers of this workspace (feature `fuzzing`).

use super::keys::Keys;
use super::token::{Demands, Verdict};
use crate::serve::authenticator::Credentials;
use crate::serve::caller::Caller;
use http::HeaderMap;

/// Checks tokens of one issuer by keys that never change.
pub struct TokenChecker {
    demands: Demands,
    keys: Keys,
}

impl TokenChecker {
    /// Of this issuer, for this audience, by this JSON Web Key Set.
    ///
    /// # Errors
    ///
    /// The key set cannot be read.
    pub fn new(issuer: &str, audience: &str, key_set: &[u8]) -> Result<Self, String> {
        Ok(Self { demands: Demands::of(issuer, audience), keys: Keys::parse(key_set)? })
    }

    /// Who calls with these headers; nobody where no token is good.
    #[must_use]
    pub fn check(&self, headers: &HeaderMap) -> Option<Caller> {
        let token = Credentials::of(headers).bearer().ok()??;
        match self.demands.check(token, &self.keys) {
            Verdict::Good(caller) => Some(caller),
            Verdict::Bad | Verdict::UnknownKey => None,
        }
    }
}
