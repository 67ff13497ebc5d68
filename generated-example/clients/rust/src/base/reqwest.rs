//! The transport that applications use: `reqwest`.

use super::transport::{BoxFuture, Request, Response, Transport, TransportError};
use futures_util::StreamExt;
use std::time::Duration;

/// How long a connection may take to be made.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Sends requests with `reqwest`. Needs a runtime of tokio.
#[derive(Debug, Clone)]
pub struct ReqwestTransport(::reqwest::Client);

impl ReqwestTransport {
    /// A transport with a client of its own. Redirects are not followed: the conventions have none.
    ///
    /// # Errors
    ///
    /// TLS cannot be set up.
    pub fn new() -> Result<Self, TransportError> {
        let client = ::reqwest::Client::builder();
        let client = client.connect_timeout(CONNECT_TIMEOUT).redirect(::reqwest::redirect::Policy::none());
        client.build().map(Self).map_err(|error| TransportError { was_sent: false, message: detailed(&error) })
    }
}

impl From<::reqwest::Client> for ReqwestTransport {
    fn from(client: ::reqwest::Client) -> Self {
        Self(client)
    }
}

impl Transport for ReqwestTransport {
    fn send(&self, request: Request) -> BoxFuture<'_, Result<Response, TransportError>> {
        Box::pin(async move {
            let method = ::reqwest::Method::from_bytes(request.method.as_bytes());
            let method = method.map_err(|error| TransportError { was_sent: false, message: error.to_string() })?;
            let mut sent = self.0.request(method, request.url);
            for (name, value) in request.headers {
                sent = sent.header(name, value);
            }
            if let Some(body) = request.body {
                sent = sent.body(body);
            }
            let response = sent.send().await.map_err(|error| TransportError {
                was_sent: !(error.is_connect() || error.is_builder()),
                message: detailed(&error),
            })?;
            let text = |value: &::reqwest::header::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
            let headers = response.headers().iter().map(|(name, value)| (name.as_str().to_owned(), text(value)));
            Ok(Response {
                status: response.status().as_u16(),
                headers: headers.collect(),
                body: Box::pin(response.bytes_stream().map(|piece| {
                    let lost = |error| TransportError { was_sent: true, message: detailed(&error) };
                    piece.map(Vec::from).map_err(lost)
                })),
            })
        })
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}

/// The error with its causes: `reqwest` says only the outermost.
fn detailed(error: &::reqwest::Error) -> String {
    let mut message = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        message.push_str(": ");
        message.push_str(&inner.to_string());
        cause = inner.source();
    }
    message
}
