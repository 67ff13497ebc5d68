//! In place of `tls`, where the program is built without the feature of that name: https is refused.

use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::http1::SendRequest;
use std::convert::Infallible;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

/// The authorities whose certificates a run accepts: there is no run with any.
#[derive(Clone)]
pub(super) struct Trust(Infallible);

impl Trust {
    /// Refuses https.
    pub(super) fn of(_: Option<&[u8]>) -> Result<Self, String> {
        Err("https needs the feature `tls`, which this program was built without; install it again with `--features tls`"
            .to_owned())
    }

    pub(super) async fn handshake(
        &self,
        _: TcpStream,
        _: &str,
    ) -> Result<(SendRequest<Full<Bytes>>, JoinHandle<hyper::Result<()>>), String> {
        match self.0 {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn https_is_refused_with_the_feature_that_it_needs() {
        assert!(Trust::of(None).is_err_and(|reason| reason.contains("`--features tls`")));
    }
}
