//! The certificate that is shown, and the connections that it is shown to.

use super::TlsFiles;
use restwell_model::regular_file;
use std::io;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock, Weak};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::{CryptoProvider, aws_lc_rs};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert, ServerConfig};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::server::TlsStream;

/// How long a client may take for its part of the handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// How often the files are looked at.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// Bytes of a file at most.
const MAX_PEM: usize = 256 * 1024;
/// What is spoken within TLS.
const HTTP: &[u8] = b"http/1.1";

impl TlsFiles {
    /// The chain and the key, which must belong together.
    pub(crate) fn load(&self) -> Result<CertifiedKey, String> {
        self.read().and_then(|texts| self.parse(&texts))
    }

    fn read(&self) -> Result<[Vec<u8>; 2], String> {
        Ok([bytes(&self.certificate)?, bytes(&self.key)?])
    }

    fn parse(&self, [certificate, key]: &[Vec<u8>; 2]) -> Result<CertifiedKey, String> {
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(certificate).collect();
        let chain = chain.map_err(|error| format!("{}: {error}", self.certificate.display()))?;
        if chain.is_empty() {
            return Err(format!("{} holds no certificate in PEM", self.certificate.display()));
        }
        let key = PrivateKeyDer::from_pem_slice(key);
        let key = key.map_err(|error| format!("{} holds no private key in PEM: {error}", self.key.display()))?;
        CertifiedKey::from_der(chain, key, &provider())
            .map_err(|error| format!("{} and {}: {error}", self.certificate.display(), self.key.display()))
    }
}

fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    regular_file::read(path, MAX_PEM).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn provider() -> CryptoProvider {
    aws_lc_rs::default_provider()
}

/// The certificate that is shown now.
#[derive(Debug)]
struct ServedCertificate(RwLock<Arc<CertifiedKey>>);

impl ResolvesServerCert for ServedCertificate {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// Turns connections into connections with TLS.
#[derive(Clone)]
pub(crate) struct Tls(TlsAcceptor);

impl Tls {
    /// With a pair that fits together, or why there is none. A thread looks at the files from then on.
    pub(crate) fn start(files: TlsFiles) -> Result<Self, String> {
        let texts = files.read()?;
        let shown = Arc::new(ServedCertificate(RwLock::new(Arc::new(files.parse(&texts)?))));
        let config = ServerConfig::builder_with_provider(Arc::new(provider())).with_safe_default_protocol_versions();
        let config = config.map_err(|error| error.to_string())?.with_no_client_auth();
        let mut config = config.with_cert_resolver(Arc::<ServedCertificate>::clone(&shown));
        config.alpn_protocols = vec![HTTP.to_vec()];
        let weak = Arc::downgrade(&shown);
        let thread = std::thread::Builder::new().name("certificates".to_owned());
        thread.spawn(move || watch(&files, texts, &weak)).map_err(|error| format!("cannot start a thread: {error}"))?;
        Ok(Self(TlsAcceptor::from(Arc::new(config))))
    }

    /// The connection with TLS, if its client is quick enough and makes sense.
    pub(crate) async fn accept<C: AsyncRead + AsyncWrite + Unpin>(&self, connection: C) -> Option<TlsStream<C>> {
        let accepted = tokio::time::timeout(HANDSHAKE_TIMEOUT, self.0.accept(connection)).await;
        match accepted.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())) {
            Ok(connection) => Some(connection),
            Err(error) => {
                tracing::debug!(%error, "no TLS with a client");
                None
            }
        }
    }
}

/// Checks the files for changes as long as the certificate is in use.
fn watch(files: &TlsFiles, mut before: [Vec<u8>; 2], shown: &Weak<ServedCertificate>) {
    let mut reported = None;
    loop {
        std::thread::sleep(LOOK_EVERY);
        let Some(shown) = shown.upgrade() else { return };
        let fresh = files.read().and_then(|texts| match texts == before {
            true => Ok(None),
            false => files.parse(&texts).map(|pair| Some((texts, pair))),
        });
        match fresh {
            Ok(None) => reported = None,
            Ok(Some((texts, pair))) => {
                *shown.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(pair);
                tracing::info!("the certificate in {} is new, and shown from now on", files.certificate.display());
                (before, reported) = (texts, None);
            }
            Err(reason) if reported.as_ref() == Some(&reason) => {}
            Err(reason) => {
                tracing::warn!("the old certificate is still shown: {reason}");
                reported = Some(reason);
            }
        }
    }
}
