//! The interface between a service and its way of checking credentials (§5): from headers to a caller.

use super::caller::Caller;
use http::{HeaderMap, header};
use std::fmt;
use std::pin::Pin;

/// Identifies the caller. A function from bearer tokens to callers is one: `|token: &str| callers.get(token).cloned()`.
///
/// ```
/// use restwell::{Authentication, Authenticator, Caller, Credentials, Denied};
///
/// /// Machines that a gateway has let in by their certificates.
/// struct Machines(std::collections::HashMap<String, Caller>);
///
/// impl Authenticator for Machines {
///     fn authenticate<'a>(&'a self, credentials: Credentials<'a>) -> Authentication<'a> {
///         let Some(name) = credentials.header("x-client-name") else { return Ok(None).into() };
///         self.0.get(name).cloned().map(Some).ok_or(Denied::Invalid).into()
///     }
/// }
///
/// let builder = restwell::Builder::new("shop").authenticator(Machines(Default::default()));
/// ```
pub trait Authenticator: Send + Sync + 'static {
    /// The caller with these credentials; `None` without credentials.
    fn authenticate<'a>(&'a self, credentials: Credentials<'a>) -> Authentication<'a>;
}

impl<F: Fn(&str) -> Option<Caller> + Send + Sync + 'static> Authenticator for F {
    fn authenticate<'a>(&'a self, credentials: Credentials<'a>) -> Authentication<'a> {
        let token = credentials.bearer();
        token.and_then(|token| token.map(|token| self(token).ok_or(Denied::Invalid)).transpose()).into()
    }
}

/// The caller; `None` if the request has no credentials.
pub type AuthenticationResult = Result<Option<Caller>, Denied>;

/// An authenticator's answer, or the promise of one.
#[must_use = "the result decides whether the caller has access"]
pub enum Authentication<'a> {
    /// It is known. Nothing was allocated for it, so that requests without credentials cost nothing.
    Known(AuthenticationResult),
    /// It takes a while: another system must be asked.
    Waits(Pin<Box<dyn Future<Output = AuthenticationResult> + Send + 'a>>),
}

impl<'a> Authentication<'a> {
    /// An answer that takes a while.
    pub fn waits(finding: impl Future<Output = AuthenticationResult> + Send + 'a) -> Self {
        Self::Waits(Box::pin(finding))
    }
}

impl From<AuthenticationResult> for Authentication<'_> {
    fn from(found: AuthenticationResult) -> Self {
        Self::Known(found)
    }
}

impl fmt::Debug for Authentication<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(found) => f.debug_tuple("Known").field(found).finish(),
            Self::Waits(_) => f.write_str("Waits"),
        }
    }
}

/// Why the credentials are refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Denied {
    /// The credentials are not to be trusted: 401.
    Invalid,
    /// The same, and why. The reason is for the log, and in development for the client; it must not have the
    /// credentials in it.
    InvalidBecause(String),
    /// They cannot be verified now: 503. The reason is for the log.
    Unavailable(String),
}

/// A token is refused for this reason.
pub(super) fn refused(reason: &str) -> Denied {
    Denied::InvalidBecause(format!("the token is refused: {reason}"))
}

/// The credentials of a request: its headers.
#[derive(Clone, Copy)]
pub struct Credentials<'a>(&'a HeaderMap);

impl fmt::Debug for Credentials<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // a log of them must not have secrets
        f.write_str("Credentials(…)")
    }
}

impl<'a> Credentials<'a> {
    /// Those in a request's headers.
    pub(crate) fn of(headers: &'a HeaderMap) -> Self {
        Self(headers)
    }

    /// The bearer token, where there is an `Authorization` header.
    ///
    /// # Errors
    ///
    /// There are several, or it holds something else.
    pub fn bearer(&self) -> Result<Option<&'a str>, Denied> {
        let mut values = self.0.get_all(header::AUTHORIZATION).iter();
        let Some(value) = values.next() else { return Ok(None) };
        if values.next().is_some() {
            return Err(Denied::InvalidBecause("there are several `Authorization` headers".to_owned()));
        }
        let parts = value.to_str().ok().and_then(|value| value.split_once(' '));
        let token = parts.and_then(|(scheme, token)| scheme.eq_ignore_ascii_case("bearer").then(|| token.trim()));
        token
            .filter(|token| !token.is_empty())
            .map(Some)
            .ok_or_else(|| Denied::InvalidBecause("`Authorization` is not `Bearer`, a blank and a token".to_owned()))
    }

    /// The first header of a name, where it is plain text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&'a str> {
        self.0.get(name)?.to_str().ok()
    }

    /// A cookie.
    #[must_use]
    pub fn cookie(&self, name: &str) -> Option<&'a str> {
        let values = self.0.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut cookies = values.flat_map(|value| value.split(';')).filter_map(|cookie| cookie.split_once('='));
        cookies.find(|(known, _)| known.trim() == name).map(|(_, value)| value.trim())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::{HeaderName, HeaderValue};

    fn headers(lines: &[(&'static str, &'static str)]) -> HeaderMap {
        let line = |&(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value));
        lines.iter().map(line).collect()
    }

    #[test]
    fn a_bearer_token_is_one_header_with_one_word() {
        let bearer = |lines: &[(&'static str, &'static str)]| {
            Credentials::of(&headers(lines)).bearer().map(|token| token.map(str::to_owned))
        };
        assert_eq!(bearer(&[]), Ok(None));
        assert_eq!(bearer(&[("authorization", "bearer abc")]), Ok(Some("abc".to_owned())));
        for bad in ["Basic abc", "Bearer", "Bearer ", "abc", ""] {
            let denied = bearer(&[("authorization", bad)]).unwrap_err();
            assert!(matches!(denied, Denied::InvalidBecause(_)), "{bad}: {denied:?}");
        }
        let two = &[("authorization", "Bearer abc"), ("authorization", "Bearer def")];
        assert!(bearer(two).is_err(), "whose?");
    }

    #[test]
    fn cookies_are_found_by_their_whole_name() {
        let headers = headers(&[("cookie", "a=1; session=x=y"), ("cookie", "b=2")]);
        let credentials = Credentials::of(&headers);
        assert_eq!(credentials.cookie("session"), Some("x=y"));
        assert_eq!(credentials.cookie("b"), Some("2"));
        assert_eq!(credentials.cookie("ession"), None);
    }
}
