//! HTTPS, with the certificates that the system trusts.

use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::http1::SendRequest;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

/// A connection, and the task that drives it.
type Opened = (SendRequest<Full<Bytes>>, JoinHandle<hyper::Result<()>>);

#[cfg(feature = "tls")]
pub(super) async fn handshake(stream: TcpStream, host: &str) -> Result<Opened, String> {
    use hyper_util::rt::TokioIo;
    use std::sync::Arc;
    use tokio_rustls::TlsConnector;
    use tokio_rustls::rustls::pki_types::ServerName;
    use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto::aws_lc_rs};

    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from(host.to_owned()).map_err(|error| error.to_string())?;
    let stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.map_err(|error| error.to_string())?;
    let handshake = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await;
    let (sender, connection) = handshake.map_err(|error| error.to_string())?;
    Ok((sender, tokio::spawn(connection)))
}

#[cfg(not(feature = "tls"))]
#[expect(clippy::unused_async, reason = "the same interface as with the feature")]
pub(super) async fn handshake(_stream: TcpStream, _host: &str) -> Result<Opened, String> {
    Err("this program was built without the feature `tls`, which https needs".to_owned())
}
