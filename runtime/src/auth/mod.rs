//! How credentials are checked (decisions, "Credentials"): by a service's own way, else by the keys of an issuer, else
//! by a development key.
//!
//! `issuer` checks the signatures of JSON Web Tokens by the keys of an issuer, with the feature of that name;
//! `development` by a development key. `token` checks everything else of either, and `claims` reads the caller. Nothing
//! here ever trusts what a token says of its own key.

pub(crate) mod authenticator;
pub(crate) mod caller;
mod claims;
mod development;
mod hs256;
#[cfg(feature = "issuer")]
mod issuer;
#[cfg(not(feature = "issuer"))]
#[path = "without_issuer.rs"]
mod issuer;
mod key_timing;
mod options;
mod token;

pub(crate) use development::{DevelopmentClaims, DevelopmentKey, ISSUER as DEVELOPMENT_ISSUER, key_file};
pub use issuer::JwtAuthenticator;
#[cfg(feature = "fuzzing")]
pub(crate) use issuer::fuzzing;
pub(crate) use issuer::keys_of;
pub use key_timing::KeyTiming;
pub(crate) use options::{Issuer, KeyOptions};

use authenticator::Authenticator;
use std::net::SocketAddr;
use std::sync::Arc;

/// Bytes of a token at most.
const MAX_TOKEN: usize = 8 * 1024;

/// The way in which a service checks credentials.
pub(crate) enum CredentialScheme {
    /// Its own.
    Own(Arc<dyn Authenticator>),
    /// By the keys of issuers.
    Issuers(Vec<Issuer>),
    /// By a development key.
    Development,
}

impl CredentialScheme {
    /// The scheme that the service's own code and the command line choose.
    pub(crate) fn of(own: Option<Arc<dyn Authenticator>>, options: &KeyOptions) -> Result<Self, String> {
        let issuers = options.issuers()?;
        match (own, issuers.is_empty()) {
            (Some(own), true) => Ok(Self::Own(own)),
            (None, false) => Ok(Self::Issuers(issuers)),
            (None, true) => Ok(Self::Development),
            (Some(_), false) => Err("this service checks credentials in a way of its own: leave out --jwks, \
                                       --issuer and --audience"
                .to_owned()),
        }
    }

    /// A development key is for this machine only.
    pub(crate) fn may_listen(&self, address: SocketAddr) -> Result<(), String> {
        match self {
            Self::Development if !address.ip().is_loopback() => Err(format!(
                "{address} can be reached from elsewhere, and credentials are checked with a development key; listen on \
                 127.0.0.1, or name --issuer and --audience"
            )),
            _ => Ok(()),
        }
    }

    /// Begins to check credentials.
    pub(crate) fn start(&self, service: &str) -> Result<Arc<dyn Authenticator>, String> {
        Ok(match self {
            Self::Own(own) => Arc::clone(own),
            Self::Issuers(issuers) => {
                let all: Vec<_> = issuers.iter().map(JwtAuthenticator::start).collect::<Result<_, _>>()?;
                Arc::new(all.into_iter().reduce(JwtAuthenticator::or).ok_or("there is no issuer")?)
            }
            Self::Development => Arc::new(development_key(service)?),
        })
    }

    /// Logs whose tokens are accepted.
    pub(crate) fn announce(&self, service: &str) {
        match self {
            Self::Own(_) => {}
            Self::Issuers(issuers) => issuers
                .iter()
                .for_each(|issuer| tracing::info!("tokens of {} for {} are taken", issuer.issuer, issuer.audience)),
            Self::Development => tracing::warn!(
                "credentials are checked with the development key in {}: not for production",
                key_file(service).display()
            ),
        }
    }
}

/// A service's development key, made where there is none.
pub(crate) fn development_key(service: &str) -> Result<DevelopmentKey, String> {
    let file = key_file(service);
    DevelopmentKey::load_or_create(&file).map_err(|error| format!("cannot use the key in {}: {error}", file.display()))
}

/// The state of a service's development key, for `--check`. It is not created.
pub(crate) fn key_state(service: &str) -> Result<String, String> {
    let file = key_file(service);
    if file.exists() {
        return development_key(service).map(|_| format!("the development key in {}", file.display()));
    }
    Ok(format!("a development key, which will be made in {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_development_key_binds_the_service_to_this_machine() {
        let (here, everywhere) = ("127.0.0.1:80".parse().unwrap(), "0.0.0.0:80".parse().unwrap());
        let given = || vec!["https://login.example.com".to_owned()];
        let options = KeyOptions { issuer: given(), audience: given(), ..KeyOptions::default() };
        let issuer = CredentialScheme::of(None, &options).unwrap();
        let own = || Some(Arc::new(|_: &str| None) as Arc<dyn Authenticator>);
        assert!(CredentialScheme::Development.may_listen(here).is_ok());
        assert!(CredentialScheme::Development.may_listen(everywhere).is_err());
        assert!(issuer.may_listen(everywhere).is_ok());
        assert!(CredentialScheme::of(own(), &KeyOptions::default()).unwrap().may_listen(everywhere).is_ok());
        assert!(CredentialScheme::of(own(), &options).is_err(), "two ways at once");
    }
}
