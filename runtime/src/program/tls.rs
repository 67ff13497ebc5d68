//! TLS: a certificate chain and its key, from files that may change while the service runs.
//!
//! Connections that are open go on with what they began with; new ones get the newest pair that fits together. Files
//! that are being replaced one after the other are no mistake: the old pair is used until the new one is whole.

#[cfg(feature = "tls")]
mod acceptor;
#[cfg(not(feature = "tls"))]
#[path = "tls/without_tls.rs"]
mod acceptor;

pub(crate) use acceptor::Tls;

use super::serve_options::NETWORK;
use clap::Args;
use std::fmt;
use std::path::PathBuf;

/// Where the service's certificate is.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct TlsOptions {
    /// The certificate chain of the service, in PEM; it enables HTTPS. The file is read again when it changes.
    #[arg(long, env = "TLS_CERT", help_heading = NETWORK, value_name = "FILE")]
    tls_cert: Option<PathBuf>,
    /// The certificate's private key, in PEM.
    #[arg(long, env = "TLS_KEY", help_heading = NETWORK, value_name = "FILE")]
    tls_key: Option<PathBuf>,
}

/// The files of a certificate and its key.
#[derive(Debug, Clone)]
pub(crate) struct TlsFiles {
    certificate: PathBuf,
    key: PathBuf,
}

impl TlsOptions {
    /// The files, where there are any; one alone is a mistake.
    pub(crate) fn files(&self) -> Result<Option<TlsFiles>, String> {
        let given = |path: &Option<PathBuf>| path.clone().filter(|path| !path.as_os_str().is_empty());
        match (given(&self.tls_cert), given(&self.tls_key)) {
            (Some(certificate), Some(key)) => Ok(Some(TlsFiles { certificate, key })),
            (None, None) => Ok(None),
            (Some(_), None) => Err("--tls-cert is given without --tls-key".to_owned()),
            (None, Some(_)) => Err("--tls-key is given without --tls-cert".to_owned()),
        }
    }
}

impl fmt::Display for TlsFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with the key in {}", self.certificate.display(), self.key.display())
    }
}
