//! JSON Web Tokens of issuers, checked by their keys.

use super::cache::{Cache, KeyState};
use super::signature::{IssuerTokens, TokenVerdict, named_issuer};
use super::source::Source;
use crate::auth::Issuer;
use crate::auth::authenticator::{Authentication, AuthenticationResult, Authenticator, Credentials, Denied, refused};
use crate::auth::key_timing::KeyTiming;
use std::time::Duration;

/// Takes the JSON Web Tokens that issuers made for an audience, signed with RS256, ES256 or EdDSA: what `--issuer`,
/// `--audience` and `--jwks` make. The caller's id is `sub` where that is a UUID, else the version 5 UUID of issuer and
/// `sub`; its scopes are `scope` (or `scp`).
///
/// ```no_run
/// # fn service() -> restwell::Builder { restwell::Builder::new("shop") }
/// let people = restwell::JwtAuthenticator::new("https://login.example.com", "shop", None)?;
/// let machines = restwell::JwtAuthenticator::new("https://machines.example.com", "shop", None)?;
/// let app = restwell::router(service().authenticator(people.or(machines)), "sqlite://shop.db")?;
/// # Ok::<(), String>(())
/// ```
pub struct JwtAuthenticator {
    /// Never empty.
    issuers: Vec<TrustedIssuer>,
}

struct TrustedIssuer {
    settings: Issuer,
    tokens: IssuerTokens,
    cache: Cache,
}

impl JwtAuthenticator {
    /// Of this issuer, for this audience. `jwks` is the URL or the file of its keys; where it is `None`, the issuer's
    /// discovery document names them. They are got in the background: until they are there, requests with credentials
    /// are answered 503.
    ///
    /// # Errors
    ///
    /// A sentence for people: a URL that cannot be trusted, or a machine without certificates to check the issuer's by.
    pub fn new(issuer: &str, audience: &str, jwks: Option<&str>) -> Result<Self, String> {
        Self::start(&Issuer::new(issuer, audience, jwks))
    }

    pub(crate) fn start(issuer: &Issuer) -> Result<Self, String> {
        Self::with(issuer, KeyTiming::default())
    }

    pub(crate) fn with(issuer: &Issuer, timing: KeyTiming) -> Result<Self, String> {
        let source = Source::of(issuer.jwks.as_deref(), &issuer.issuer)?;
        let cache = Cache::start(source, timing).map_err(|error| format!("cannot start a thread: {error}"))?;
        Ok(Self { issuers: vec![TrustedIssuer { tokens: IssuerTokens::of(issuer), settings: issuer.clone(), cache }] })
    }

    /// Takes the tokens of other issuers, too. Their subjects never are ids of users, not even UUIDs: otherwise each
    /// issuer could speak for the users of the first.
    #[must_use]
    pub fn or(mut self, others: Self) -> Self {
        self.issuers.extend(others.issuers.into_iter().map(|mut other| {
            other.set(|settings| settings.knows_users = false);
            other
        }));
        self
    }

    /// Reads whom a token is about from this claim instead of `sub`: `oid`, or a path, `user.id`.
    #[must_use]
    pub fn subject_claim(self, claim: &str) -> Self {
        self.set(|settings| claim.clone_into(&mut settings.claims.subject))
    }

    /// Reads scopes from the first of these claims that a token has, instead of `scope` and `scp`.
    #[must_use]
    pub fn scope_claims(self, claims: &[&str]) -> Self {
        self.set(|settings| settings.claims.scopes = claims.iter().map(|&claim| claim.to_owned()).collect())
    }

    /// Reads roles from all of these claims, instead of `roles` and `realm_access.roles`.
    #[must_use]
    pub fn role_claims(self, claims: &[&str]) -> Self {
        self.set(|settings| settings.claims.roles = claims.iter().map(|&claim| claim.to_owned()).collect())
    }

    /// How far the clocks of issuer and service may be apart, instead of 30 seconds.
    #[must_use]
    pub fn leeway(self, leeway: Duration) -> Self {
        self.set(|settings| settings.leeway = leeway)
    }

    fn set(mut self, change: impl Fn(&mut Issuer)) -> Self {
        self.issuers.iter_mut().for_each(|issuer| issuer.set(&change));
        self
    }

    /// The issuer of a token, if it is one of several; the only one checks every token, and says what is wrong with it.
    fn issuer_of(&self, token: &str) -> Result<&TrustedIssuer, Denied> {
        if let [only] = self.issuers.as_slice() {
            return Ok(only);
        }
        let named = named_issuer(token);
        let is_of = |issuer: &&TrustedIssuer| named.as_deref() == Some(issuer.tokens.issuer());
        let issuer = self.issuers.iter().find(is_of);
        issuer.ok_or_else(|| refused("its issuer (`iss`) is none of those that are accepted"))
    }
}

impl TrustedIssuer {
    fn set(&mut self, change: impl Fn(&mut Issuer)) {
        change(&mut self.settings);
        self.tokens = IssuerTokens::of(&self.settings);
    }

    fn check(&self, token: &str, known: &KeyState) -> TokenVerdict {
        match known.keys() {
            Some(keys) => self.tokens.check(token, keys),
            None => self.tokens.check(token, &super::keys::Keys::default()),
        }
    }

    /// With newer keys than those that were not enough.
    async fn check_again(&self, token: &str, attempts: u64) -> AuthenticationResult {
        let known = self.cache.after(attempts).await;
        settle(self.check(token, &known), &known)
    }
}

impl Authenticator for JwtAuthenticator {
    fn authenticate<'a>(&'a self, credentials: Credentials<'a>) -> Authentication<'a> {
        let token = match credentials.bearer() {
            Ok(Some(token)) => token,
            Ok(None) => return Ok(None).into(),
            Err(denied) => return Err(denied).into(),
        };
        let issuer = match self.issuer_of(token) {
            Ok(issuer) => issuer,
            Err(denied) => return Err(denied).into(),
        };
        let known = issuer.cache.known();
        match issuer.check(token, &known) {
            TokenVerdict::UnknownKey if known.may_become_newer() => {
                Authentication::waits(issuer.check_again(token, known.attempts))
            }
            verdict => settle(verdict, &known).into(),
        }
    }
}

/// The final verdict on a token. While the issuer is unreachable, a token with an unknown key is `Unavailable`.
fn settle(verdict: TokenVerdict, known: &KeyState) -> AuthenticationResult {
    match (verdict, &known.failure) {
        (TokenVerdict::Good(caller), _) => Ok(Some(caller)),
        (TokenVerdict::UnknownKey, Some(reason)) => Err(Denied::Unavailable(format!("the issuer's keys: {reason}"))),
        (TokenVerdict::UnknownKey, None) if known.keys().is_none() => {
            Err(Denied::Unavailable("the issuer's keys are not there yet".to_owned()))
        }
        (TokenVerdict::UnknownKey, None) => Err(refused("it is not signed with a key of its issuer")),
        (TokenVerdict::Bad(reason), _) => Err(refused(&reason)),
    }
}
