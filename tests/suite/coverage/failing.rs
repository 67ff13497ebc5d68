//! An authenticator that lets every operation fail in the ways that are not the client's fault.

use restwell::{Authentication, Authenticator, Credentials, Denied};
use std::future;
use std::panic::resume_unwind;

/// Fails as the token says.
pub(super) struct Failing;

/// The tokens, with what becomes of requests that have them: 500, 503, 504.
pub(super) const TOKENS: [&str; 3] = ["broken", "away", "late"];

impl Authenticator for Failing {
    fn authenticate<'a>(&'a self, credentials: Credentials<'a>) -> Authentication<'a> {
        match credentials.bearer() {
            // as a panic does, but the log of the tests stays readable
            Ok(Some("broken")) => resume_unwind(Box::new("an authenticator with a mistake")),
            Ok(Some("away")) => Err(Denied::Unavailable("it cannot ask".to_owned())).into(),
            Ok(Some("late")) => Authentication::waits(future::pending()),
            other => other.map(|_| None).into(),
        }
    }
}
