//! In place of `issuer`, where the program is built without the feature of that name: issuers are refused.

use super::authenticator::{Authentication, Authenticator, Credentials};
use super::{Issuer, KeyTiming};
use crate::built_without::built_without;
use std::convert::Infallible;
use std::time::Duration;

/// Takes the JSON Web Tokens of issuers: with the feature `issuer`. Without it, there is none.
pub struct JwtAuthenticator(Infallible);

impl JwtAuthenticator {
    /// Of this issuer, for this audience.
    ///
    /// # Errors
    ///
    /// Always: the program was built without the feature `issuer`.
    pub fn new(issuer: &str, audience: &str, jwks: Option<&str>) -> Result<Self, String> {
        Self::start(&Issuer::new(issuer, audience, jwks))
    }

    pub(crate) fn start(issuer: &Issuer) -> Result<Self, String> {
        Self::with(issuer, KeyTiming::default())
    }

    pub(crate) fn with(_: &Issuer, _: KeyTiming) -> Result<Self, String> {
        Err(refusal())
    }

    /// Takes the tokens of other issuers, too.
    #[must_use]
    pub fn or(self, _: Self) -> Self {
        self
    }

    /// Reads whom a token is about from this claim.
    #[must_use]
    pub fn subject_claim(self, _: &str) -> Self {
        self
    }

    /// Reads scopes from the first of these claims that a token has.
    #[must_use]
    pub fn scope_claims(self, _: &[&str]) -> Self {
        self
    }

    /// Reads roles from all of these claims.
    #[must_use]
    pub fn role_claims(self, _: &[&str]) -> Self {
        self
    }

    /// How far the clocks of issuer and service may be apart.
    #[must_use]
    pub fn leeway(self, _: Duration) -> Self {
        self
    }
}

impl Authenticator for JwtAuthenticator {
    fn authenticate<'a>(&'a self, _: Credentials<'a>) -> Authentication<'a> {
        match self.0 {}
    }
}

/// The state of an issuer's keys, for `--check`: they cannot be used.
pub(crate) async fn keys_of(_: &Issuer) -> Result<String, String> {
    Err(refusal())
}

fn refusal() -> String {
    built_without("--issuer", "issuer")
}
