//! The interface to an HTTP library. The rest of the client knows none, so that tests and other platforms bring theirs.

use futures_util::Stream;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

/// A future on the heap.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The body of a response, in the pieces in which it arrives.
pub type ByteStream = Pin<Box<dyn Stream<Item = Result<Vec<u8>, TransportError>> + Send>>;

/// A request as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The HTTP method.
    pub method: &'static str,
    /// The complete URL, with the query string.
    pub url: String,
    /// The headers; names in lower case.
    pub headers: Vec<(&'static str, String)>,
    /// The body; `None` without one.
    pub body: Option<Vec<u8>>,
}

/// A response.
pub struct Response {
    /// The status code.
    pub status: u16,
    /// The headers; names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: ByteStream,
}

/// No response arrived, or not all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransportError {
    /// Whether the service may have received the request. False: certainly not, for example because no connection
    /// could be made.
    pub was_sent: bool,
    /// What happened.
    pub message: String,
}

/// Sends requests.
pub trait Transport: Send + Sync + 'static {
    /// Sends a request. The future ends when the head of the response has arrived. Dropping it cancels the request.
    fn send(&self, request: Request) -> BoxFuture<'_, Result<Response, TransportError>>;

    /// Waits.
    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()>;
}

impl Response {
    /// The value of a header; the name in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response").field("status", &self.status).field("headers", &self.headers).finish_non_exhaustive()
    }
}

impl fmt::Display for TransportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TransportError {}
