//! Credentials of one's own: partners with an API key each.
//! `cargo run -p restwell --example authenticator`, then
//! `curl -A me -H 'x-api-key: secret' http://127.0.0.1:8080/invoices`.

use restwell::{Authentication, Authenticator, Builder, Caller, Credentials, Denied, Resource, Uuid};
use std::collections::HashMap;
use std::process::ExitCode;

/// An invoice. Only partners may see it.
#[derive(Debug, Clone, Resource)]
#[resource(operations(create(access = user), list(access = user), get(access = user)))]
pub struct Invoice {
    /// What is charged.
    pub text: String,
}

/// Partners, by their keys.
struct ApiKeys(HashMap<String, Caller>);

impl Authenticator for ApiKeys {
    fn authenticate<'a>(&'a self, credentials: Credentials<'a>) -> Authentication<'a> {
        match credentials.header("x-api-key") {
            // without credentials there is no caller; wrong ones are refused with 401
            None => Ok(None).into(),
            Some(key) => self.0.get(key).cloned().map(Some).ok_or(Denied::Invalid).into(),
        }
    }
}

fn main() -> ExitCode {
    let partner = Caller::new(Uuid::from_u128(1));
    let keys = ApiKeys(HashMap::from([("secret".to_owned(), partner)]));
    restwell::main(Builder::new("invoices").resource::<Invoice>().authenticator(keys))
}
