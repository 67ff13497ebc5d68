//! JSON Web Tokens of an issuer, checked by its keys.

use super::Issuer;
use super::authenticator::{Authentication, AuthenticationResult, Authenticator, Credentials, Denied};
use super::cache::{Cache, KeyState, KeyTiming};
use super::source::Source;
use super::token::{TokenRequirements, TokenVerdict};

/// Takes the JSON Web Tokens that an issuer made for an audience, signed with RS256, ES256 or EdDSA: what `--issuer`,
/// `--audience` and `--jwks` make. The caller's id is `sub`, a UUID; its scopes are `scope`.
///
/// ```no_run
/// # fn service() -> restwell::Builder { restwell::Builder::new("shop") }
/// let tokens = restwell::JwtAuthenticator::new("https://login.example.com", "shop", None)?;
/// let app = restwell::router(service().authenticator(tokens), "sqlite://shop.db")?;
/// # Ok::<(), String>(())
/// ```
pub struct JwtAuthenticator {
    demands: TokenRequirements,
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
        let jwks = jwks.map(str::to_owned);
        Self::start(&Issuer { jwks, issuer: issuer.to_owned(), audience: audience.to_owned() })
    }

    pub(crate) fn start(issuer: &Issuer) -> Result<Self, String> {
        Self::with(issuer, KeyTiming::default())
    }

    pub(crate) fn with(issuer: &Issuer, timing: KeyTiming) -> Result<Self, String> {
        let source = Source::of(issuer.jwks.as_deref(), &issuer.issuer)?;
        let cache = Cache::start(source, timing).map_err(|error| format!("cannot start a thread: {error}"))?;
        Ok(Self { demands: TokenRequirements::of(&issuer.issuer, &issuer.audience), cache })
    }

    fn check(&self, token: &str, known: &KeyState) -> TokenVerdict {
        match known.keys() {
            Some(keys) => self.demands.check(token, keys),
            None => self.demands.check(token, &crate::auth::keys::Keys::default()),
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
        let known = self.cache.known();
        match self.check(token, &known) {
            TokenVerdict::UnknownKey if known.may_become_newer() => {
                Authentication::waits(self.check_again(token, known.attempts))
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
        (TokenVerdict::Bad | TokenVerdict::UnknownKey, _) => Err(Denied::Invalid),
    }
}
