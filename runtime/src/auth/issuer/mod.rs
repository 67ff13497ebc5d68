//! Tokens of issuers. `signature` checks that of one by `keys`; `source` gets keys from a file or the issuer, `cache`
//! keeps them and gets them again; `authenticator` is the whole.

mod authenticator;
mod cache;
#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;
mod keys;
mod signature;
mod source;

pub use authenticator::JwtAuthenticator;

use super::Issuer;
use source::Source;

/// The state of an issuer's keys, for `--check`, fetched once.
pub(crate) async fn keys_of(issuer: &Issuer) -> Result<String, String> {
    let source = Source::of(issuer.jwks.as_deref(), &issuer.issuer)?;
    let keys = source.keys().await?;
    let left_out = match keys.left_out.as_slice() {
        [] => String::new(),
        reasons => format!("; not used: {}", reasons.join(", ")),
    };
    match keys.len() {
        0 => Err(format!("{source} has no key that tokens can be checked with{left_out}")),
        1 => Ok(format!("tokens of {}, checked with the key of {source}{left_out}", issuer.issuer)),
        count => Ok(format!("tokens of {}, checked with the {count} keys of {source}{left_out}", issuer.issuer)),
    }
}
