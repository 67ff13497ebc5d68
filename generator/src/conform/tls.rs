//! HTTPS, with the certificates that the system trusts and those that the run is given.

use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::http1::SendRequest;
use hyper_util::rt::TokioIo;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, Error, RootCertStore};

/// A connection, and the task that drives it.
type Opened = (SendRequest<Full<Bytes>>, JoinHandle<hyper::Result<()>>);

/// The authorities whose certificates a run accepts.
#[derive(Clone)]
pub(super) struct Trust(Arc<ClientConfig>);

impl Trust {
    /// Those of the system, and those in this PEM.
    pub(super) fn of(more: Option<&[u8]>) -> Result<Self, String> {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        if let Some(pem) = more {
            let unreadable = |problem: &dyn std::fmt::Display| format!("the certificates of `--ca`: {problem}");
            let mut is_empty = true;
            for certificate in CertificateDer::pem_slice_iter(pem) {
                let certificate = certificate.map_err(|error| unreadable(&error))?;
                roots.add(certificate).map_err(|error| unreadable(&error))?;
                is_empty = false;
            }
            if is_empty {
                return Err(unreadable(&"there are none in PEM"));
            }
        }
        let config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self(Arc::new(config)))
    }

    pub(super) async fn handshake(&self, stream: TcpStream, host: &str) -> Result<Opened, String> {
        let name = ServerName::try_from(host.to_owned()).map_err(|error| error.to_string())?;
        let connected = TlsConnector::from(Arc::clone(&self.0)).connect(name, stream).await;
        let stream = connected.map_err(|error| refusal(host, &error))?;
        let handshake = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await;
        let (sender, connection) = handshake.map_err(|error| error.to_string())?;
        Ok((sender, tokio::spawn(connection)))
    }
}

/// Why there is no connection: what can be done about a certificate is said.
fn refusal(host: &str, error: &std::io::Error) -> String {
    match error.get_ref().and_then(|inner| inner.downcast_ref()) {
        Some(Error::InvalidCertificate(reason)) => {
            format!("the certificate of {host} is not trusted ({reason}): name the file of its authority with `--ca`")
        }
        _ => format!("no TLS connection to {host}: {error}"),
    }
}
