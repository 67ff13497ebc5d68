//! Where an issuer's keys come from: a file, a URL, or the issuer's discovery document (OpenID Connect Discovery 1.0).
//!
//! Only what is fetched over TLS, or from this machine, can be trusted with who may do what. Redirects are not
//! followed.

use super::keys::Keys;
use reqwest::{Client, Url, redirect};
use restwell_model::regular_file;
use serde::Deserialize;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long an issuer may take for one document.
pub(super) const FETCH_TIMEOUT: Duration = Duration::from_secs(5);
/// Bytes of a document at most.
const MAX_DOCUMENT: usize = 512 * 1024;
/// The path of an issuer's metadata.
const DISCOVERY: &str = "/.well-known/openid-configuration";

/// Where the keys are.
pub(super) enum Source {
    /// In a file.
    File(PathBuf),
    /// At a URL.
    Url(Client, Url),
    /// Where the issuer's discovery document says.
    Discovery { client: Client, document: Url, issuer: String },
}

#[derive(Deserialize)]
struct Discovered {
    issuer: String,
    jwks_uri: String,
}

impl Source {
    /// What the command line names.
    pub(super) fn of(jwks: Option<&str>, issuer: &str) -> Result<Self, String> {
        match jwks {
            Some(jwks) if jwks.contains("://") => Ok(Self::Url(client()?, trusted(jwks)?)),
            Some(file) => Ok(Self::File(PathBuf::from(file))),
            None => {
                let document = trusted(&format!("{}{DISCOVERY}", issuer.trim_end_matches('/')))
                    .map_err(|reason| format!("{reason}; name the keys of this issuer with --jwks"))?;
                Ok(Self::Discovery { client: client()?, document, issuer: issuer.to_owned() })
            }
        }
    }

    /// The keys, as they are now.
    pub(super) async fn keys(&self) -> Result<Keys, String> {
        let document = match self {
            Self::File(path) => read(path)?,
            Self::Url(client, url) => fetch(client, url).await?,
            Self::Discovery { client, document, issuer } => {
                let found = fetch(client, document).await?;
                let found: Discovered = serde_json::from_slice(&found).map_err(|error| error.to_string())?;
                if found.issuer != *issuer {
                    return Err(format!("{document} is that of `{}`, not of `{issuer}`", found.issuer));
                }
                fetch(client, &trusted(&found.jwks_uri)?).await?
            }
        };
        Keys::parse(&document)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Url(_, url) => f.write_str(&place(url)),
            Self::Discovery { document, .. } => f.write_str(&place(document)),
        }
    }
}

/// A URL without its parts that may be secret.
fn place(url: &Url) -> String {
    format!("{}{}", url.origin().ascii_serialization(), url.path())
}

fn client() -> Result<Client, String> {
    let client = Client::builder()
        .user_agent(concat!("Restwell/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::none())
        .timeout(FETCH_TIMEOUT);
    client.build().map_err(|error| format!("cannot make requests to the issuer: {}", reason(&error)))
}

/// A URL over which an attacker cannot send other keys.
fn trusted(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| format!("`{text}` is not a URL: {error}"))?;
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let is_here = host == "localhost" || host.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback());
    match url.scheme() {
        "https" => Ok(url),
        "http" if is_here => Ok(url),
        _ => Err(format!("keys cannot be trusted that come from {}: an https URL is needed", place(&url))),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    regular_file::read(path, MAX_DOCUMENT).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

async fn fetch(client: &Client, url: &Url) -> Result<Vec<u8>, String> {
    let failed = |error: reqwest::Error| format!("{} cannot be read: {}", place(url), reason(&error.without_url()));
    let mut response = client.get(url.clone()).send().await.map_err(failed)?;
    if !response.status().is_success() {
        return Err(format!("{} answers {}", place(url), response.status()));
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > MAX_DOCUMENT {
            return Err(too_large());
        }
    }
    Ok(bytes)
}

fn too_large() -> String {
    format!("it has more than {MAX_DOCUMENT} bytes")
}

/// An error with what caused it: the outermost says only that something failed.
fn reason(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_fetched_over_https_or_loopback_only() {
        for (url, is_trusted) in [
            ("https://login.example.com/keys", true),
            ("http://localhost:8000/keys", true),
            ("http://127.0.0.1:8000/keys", true),
            ("http://[::1]:8000/keys", true),
            ("http://login.example.com/keys", false),
            ("http://127.0.0.1.example.com/keys", false),
            ("http://localhost.example.com/keys", false),
            ("ftp://login.example.com/keys", false),
            ("https://", false),
        ] {
            assert_eq!(trusted(url).is_ok(), is_trusted, "{url}");
        }
        let error = trusted("http://user:secret@example.com/keys?code=secret").unwrap_err();
        assert!(!error.contains("secret"), "{error}");
    }
}
