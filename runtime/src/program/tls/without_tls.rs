//! In place of `acceptor`, where the program is built without the feature `tls`: a certificate is refused.

use super::TlsFiles;
use crate::built_without::built_without;
use std::convert::Infallible;

impl TlsFiles {
    /// Refuses the chain and the key.
    pub(crate) fn load(&self) -> Result<(), String> {
        Err(refusal())
    }
}

/// Turns connections into connections with TLS: there is none.
#[derive(Clone)]
pub(crate) struct Tls(Infallible);

impl Tls {
    pub(crate) fn start(_: TlsFiles) -> Result<Self, String> {
        Err(refusal())
    }

    pub(crate) async fn accept<C>(&self, _: C) -> Option<C> {
        match self.0 {}
    }
}

fn refusal() -> String {
    built_without("--tls-cert", "tls")
}
