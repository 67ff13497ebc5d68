//! An authenticator that lets every operation fail in the ways that are not the client's fault.

use restwell::{Authentication, Authenticator, Credentials, Denied};
use std::future;
use std::panic::resume_unwind;

/// Fails as the token says.
pub(super) struct Failing;

/// With this token it panics: 500.
pub(super) const BROKEN: &str = "broken";
/// With this one it cannot say: 503.
pub(super) const AWAY: &str = "away";
/// With this one it never answers: 504.
pub(super) const LATE: &str = "late";

impl Authenticator for Failing {
    fn authenticate<'a>(&'a self, credentials: Credentials<'a>) -> Authentication<'a> {
        match credentials.bearer() {
            // as a panic does, but the log of the tests stays readable
            Ok(Some(BROKEN)) => resume_unwind(Box::new("an authenticator with a mistake")),
            Ok(Some(AWAY)) => Err(Denied::Unavailable("it cannot ask".to_owned())).into(),
            Ok(Some(LATE)) => Authentication::waits(future::pending()),
            other => other.map(|_| None).into(),
        }
    }
}
