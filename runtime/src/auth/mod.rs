//! How credentials are checked (decisions, "Credentials"): by a service's own way, else by the keys of an issuer, else
//! by a development key.
//!
//! `token` checks a JSON Web Token by `keys`; `source` gets these from a file or an issuer, `cache` keeps them and gets
//! them again; `jwt` is the whole. Nothing here ever trusts what a token says of its own key.

pub(crate) mod authenticator;
mod cache;
pub(crate) mod caller;
mod development;
#[cfg(feature = "fuzzing")]
pub(crate) mod fuzzing;
mod jwt;
mod keys;
pub(crate) mod permission;
mod source;
mod token;

pub use cache::KeyTiming;
pub(crate) use development::{DevelopmentKey, key_file};
pub use jwt::JwtAuthenticator;

use authenticator::Authenticator;
use clap::Args;
use source::Source;
use std::net::SocketAddr;
use std::sync::Arc;

/// Bytes of a token at most.
const MAX_TOKEN: usize = 8 * 1024;

/// Whose tokens are taken.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct KeyOptions {
    /// The JSON Web Key Set that tokens are signed with: a URL or a file. By default the issuer's discovery document
    /// names it.
    #[arg(long, env = "JWKS", help_heading = "Credentials", value_name = "URL|FILE")]
    pub(crate) jwks: Option<String>,
    /// The issuer of the tokens (`iss`): `https://login.example.com`. Without it, tokens are signed with a development
    /// key.
    #[arg(long, env = "ISSUER", help_heading = "Credentials")]
    pub(crate) issuer: Option<String>,
    /// The audience of the tokens (`aud`): this service.
    #[arg(long, env = "AUDIENCE", help_heading = "Credentials")]
    pub(crate) audience: Option<String>,
}

/// The way in which a service checks credentials.
pub(crate) enum CredentialScheme {
    /// Its own.
    Own(Arc<dyn Authenticator>),
    /// By an issuer's keys.
    Issuer(Issuer),
    /// By a development key.
    Development,
}

/// An issuer, and the tokens that are taken of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Issuer {
    pub(crate) jwks: Option<String>,
    pub(crate) issuer: String,
    pub(crate) audience: String,
}

impl CredentialScheme {
    /// What the service's own code and the command line say together.
    pub(crate) fn of(own: Option<Arc<dyn Authenticator>>, options: &KeyOptions) -> Result<Self, String> {
        match (own, options.issuer()?) {
            (Some(own), None) => Ok(Self::Own(own)),
            (None, Some(issuer)) => Ok(Self::Issuer(issuer)),
            (None, None) => Ok(Self::Development),
            (Some(_), Some(_)) => Err("this service checks credentials in a way of its own: leave out --jwks, \
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
            Self::Issuer(issuer) => Arc::new(JwtAuthenticator::start(issuer)?),
            Self::Development => Arc::new(development_key(service)?),
        })
    }

    /// Says in the log who is believed.
    pub(crate) fn announce(&self, service: &str) {
        match self {
            Self::Own(_) => {}
            Self::Issuer(issuer) => tracing::info!("tokens of {} for {} are taken", issuer.issuer, issuer.audience),
            Self::Development => tracing::warn!(
                "credentials are checked with the development key in {}: not for production",
                key_file(service).display()
            ),
        }
    }
}

impl KeyOptions {
    /// The issuer that they name. Half of one is refused: a check left out is worse than a service that does not start.
    fn issuer(&self) -> Result<Option<Issuer>, String> {
        let given = |option: &Option<String>| option.clone().filter(|value| !value.trim().is_empty());
        match (given(&self.jwks), given(&self.issuer), given(&self.audience)) {
            (None, None, None) => Ok(None),
            (jwks, Some(issuer), Some(audience)) => Ok(Some(Issuer { jwks, issuer, audience })),
            (_, Some(_), None) => Err("--issuer is given without --audience: tokens that the issuer made for others \
                                       would be taken; name the `aud` of those for this service"
                .to_owned()),
            (_, None, _) => {
                Err("--jwks and --audience need --issuer: the `iss` of the tokens that are taken".to_owned())
            }
        }
    }
}

/// A service's development key, made where there is none.
pub(crate) fn development_key(service: &str) -> Result<DevelopmentKey, String> {
    let file = key_file(service);
    DevelopmentKey::load_or_create(&file).map_err(|error| format!("cannot use the key in {}: {error}", file.display()))
}

/// What is to be said of a service's development key, without making one.
pub(crate) fn key_state(service: &str) -> Result<String, String> {
    let file = key_file(service);
    if file.exists() {
        return development_key(service).map(|_| format!("the development key in {}", file.display()));
    }
    Ok(format!("a development key, which will be made in {}", file.display()))
}

/// What is to be said of an issuer's keys, got once.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn options(jwks: &str, issuer: &str, audience: &str) -> KeyOptions {
        let option = |text: &str| Some(text.to_owned());
        KeyOptions { jwks: option(jwks), issuer: option(issuer), audience: option(audience) }
    }

    #[test]
    fn half_of_an_issuer_is_refused() {
        assert_eq!(KeyOptions::default().issuer(), Ok(None));
        assert_eq!(options("", "", " ").issuer(), Ok(None), "an empty variable is none");
        for half in [options("k", "", ""), options("k", "i", ""), options("", "i", ""), options("", "", "a")] {
            assert!(half.issuer().is_err(), "{half:?}");
        }
        for whole in [options("k", "i", "a"), options("", "i", "a")] {
            assert!(whole.issuer().is_ok_and(|issuer| issuer.is_some()), "{whole:?}");
        }
    }

    #[test]
    fn only_a_development_key_binds_the_service_to_this_machine() {
        let (here, everywhere) = ("127.0.0.1:80".parse().unwrap(), "0.0.0.0:80".parse().unwrap());
        let issuer = CredentialScheme::of(None, &options("", "i", "a")).unwrap();
        let own = || Some(Arc::new(|_: &str| None) as Arc<dyn Authenticator>);
        assert!(CredentialScheme::Development.may_listen(here).is_ok());
        assert!(CredentialScheme::Development.may_listen(everywhere).is_err());
        assert!(issuer.may_listen(everywhere).is_ok());
        assert!(CredentialScheme::of(own(), &KeyOptions::default()).unwrap().may_listen(everywhere).is_ok());
        assert!(CredentialScheme::of(own(), &options("", "i", "a")).is_err(), "two ways at once");
    }
}
