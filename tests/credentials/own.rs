//! Schemes of a team's own.

use crate::credentials::api::Api;
use restwell::testing::Setup;
use restwell::{Authentication, Authenticator, Caller, Credentials, Denied};
use std::time::Duration;

/// API keys in a header, sessions in a cookie that another service knows of, and machines that a gateway vouches for.
struct Doors;

fn caller(id: &str) -> Option<Caller> {
    Some(Caller::new(id.parse().unwrap()).with_scopes(["offers.admin"]))
}

const SOMEBODY: &str = "019e7045-7260-726b-b2a7-4de452e6b438";

impl Authenticator for Doors {
    fn authenticate<'a>(&'a self, credentials: Credentials<'a>) -> Authentication<'a> {
        match (credentials.header("x-api-key"), credentials.cookie("session")) {
            (Some("s3cret"), _) => Ok(caller(SOMEBODY)).into(),
            (Some(_), _) => Err(Denied::Invalid).into(),
            (None, Some(session)) => Authentication::waits(async move {
                // as long as another service would take
                tokio::time::sleep(Duration::from_millis(20)).await;
                match session {
                    "good" => Ok(caller(SOMEBODY)),
                    "away" => Err(Denied::Unavailable("the sessions are away".to_owned())),
                    _ => Err(Denied::Invalid),
                }
            }),
            (None, None) => Ok(None).into(),
        }
    }
}

#[test]
fn a_scheme_sees_headers_may_wait_and_may_be_unavailable() {
    let api = Api::serve(Setup::of(marketplace::service().authenticator(Doors)));
    let status = |headers: &[(&str, &str)]| api.get_with("/sale/offers", headers).status().as_u16();
    assert_eq!(status(&[]), 401);
    assert_eq!(status(&[("x-api-key", "s3cret")]), 200);
    assert_eq!(status(&[("x-api-key", "guess")]), 401);
    assert_eq!(status(&[("cookie", "theme=dark; session=good")]), 200);
    assert_eq!(status(&[("cookie", "session=bad")]), 401);
    let away = api.get_with("/sale/offers", &[("cookie", "session=away")]);
    assert_eq!(away.status().as_u16(), 503);
    assert!(away.headers().contains_key("retry-after"));
    assert!(!away.text().unwrap().contains("sessions"), "the reason is for the log");
    // event streams ask the same way
    let event = |value| [("accept", "text/event-stream"), ("x-api-key", value)];
    assert_eq!(api.get_with("/events", &event("guess")).status().as_u16(), 401);
}

#[test]
fn a_function_from_tokens_to_callers_is_a_scheme() {
    let api = Api::serve(Setup::of(marketplace::service()).authenticator(|token: &str| caller(token)));
    assert_eq!(api.get("/sale/offers", SOMEBODY).status().as_u16(), 200);
}
