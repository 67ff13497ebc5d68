//! The connection to the service: HTTP/1.1, one request at a time, each within a time.

use super::exchange::{Request, Response};
use super::tls::Trust;
use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};

/// Bytes of a response that are read at most.
const MAX_BODY: usize = 16 * 1024 * 1024;
/// How long bytes may take to come that follow a response without a body.
const EXCESS_WAIT: Duration = Duration::from_millis(2);

/// The address of a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BaseUrl {
    is_https: bool,
    host: String,
    port: u16,
    /// What comes before the paths of the conventions: `/api`, or nothing.
    pub(crate) prefix: String,
}

impl BaseUrl {
    /// Reads `http://localhost:8080/api`.
    pub(crate) fn parse(url: &str) -> Result<Self, String> {
        let wrong = || format!("`{url}` is not the URL of a service: write `http://localhost:8080`");
        let (scheme, rest) = url.split_once("://").ok_or_else(wrong)?;
        let is_https = match scheme {
            "http" => false,
            "https" => true,
            _ => return Err(wrong()),
        };
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        if authority.contains('@') || path.contains(['?', '#']) {
            return Err(wrong());
        }
        let default = if is_https { 443 } else { 80 };
        let (host, port) = match authority.rsplit_once(':') {
            // an IPv6 address has colons of its own
            Some((host, port)) if !port.ends_with(']') => (host, port.parse().map_err(|_| wrong())?),
            _ => (authority, default),
        };
        if host.is_empty() {
            return Err(wrong());
        }
        let path = path.trim_end_matches('/');
        let prefix = if path.is_empty() { String::new() } else { format!("/{path}") };
        Ok(Self { is_https, host: host.to_owned(), port, prefix })
    }

    fn authority(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }
}

/// A connection that is kept, and the task that drives it.
struct Kept {
    sender: SendRequest<Full<Bytes>>,
    driver: JoinHandle<hyper::Result<()>>,
}

/// Sends requests.
pub(crate) struct Wire {
    runtime: Runtime,
    pub(crate) base: BaseUrl,
    /// Of HTTPS.
    trust: Option<Trust>,
    kept: Option<Kept>,
    patience: Duration,
}

impl Wire {
    /// `authorities`: certificates in PEM that are trusted besides those of the system.
    pub(crate) fn new(base: BaseUrl, patience: Duration, authorities: Option<&[u8]>) -> Result<Self, String> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
        let trust = base.is_https.then(|| Trust::of(authorities)).transpose()?;
        Ok(Self { runtime, base, trust, kept: None, patience })
    }

    /// Sends a request and reads its response.
    pub(crate) fn exchange(&mut self, request: &Request, token: Option<&str>) -> Result<Response, String> {
        let prepared = || prepare(&self.base, request, token);
        let kept = self.kept.take().filter(|kept| !kept.sender.is_closed());
        let (base, trust, patience) = (self.base.clone(), self.trust.clone(), self.patience);
        let sent = prepared()?;
        let again = prepared()?;
        let is_head = request.method == "HEAD";
        let (kept, response) = self.runtime.block_on(async move {
            let whole = async {
                // the service may have ended a kept connection after its last response
                if let Some(kept) = kept
                    && let Ok(done) = send(kept, sent, is_head).await
                {
                    return Ok(done);
                }
                send(connect(&base, trust.as_ref()).await?, again, is_head).await
            };
            timeout(patience, whole).await.map_err(|_| format!("no response within {patience:?}"))?
        })?;
        self.kept = kept;
        Ok(response)
    }

    /// Reads a stream until something is found in it, or the time is over. `then` runs once the stream is open.
    pub(crate) fn watch(
        &mut self,
        request: &Request,
        token: Option<&str>,
        patience: Duration,
    ) -> Result<OpenStream, String> {
        let prepared = prepare(&self.base, request, token)?;
        let (base, trust) = (self.base.clone(), self.trust.clone());
        self.runtime.block_on(async move {
            let opened = async {
                let mut kept = connect(&base, trust.as_ref()).await?;
                let response = kept.sender.send_request(prepared).await.map_err(|error| error.to_string())?;
                let (head, body) = response.into_parts();
                let response =
                    Response { status: head.status.as_u16(), headers: texts(&head.headers), ..Response::default() };
                Ok(OpenStream { response, body, _kept: kept, text: String::new() })
            };
            timeout(patience, opened).await.map_err(|_| format!("no response within {patience:?}"))?
        })
    }

    /// Reads more of a stream until `is_found` says so, or the time is over: whether it was found.
    pub(crate) fn read_until(
        &mut self,
        stream: &mut OpenStream,
        patience: Duration,
        is_found: impl Fn(&str) -> bool,
    ) -> bool {
        self.runtime.block_on(async {
            let end = Instant::now() + patience;
            while !is_found(&stream.text) && stream.text.len() < MAX_BODY {
                match timeout_at(end, stream.body.frame()).await {
                    Ok(Some(Ok(frame))) => {
                        if let Some(data) = frame.data_ref() {
                            stream.text.push_str(&String::from_utf8_lossy(data));
                        }
                    }
                    Ok(Some(Err(_)) | None) | Err(_) => break,
                }
            }
        });
        is_found(&stream.text)
    }
}

/// A response that does not end.
pub(crate) struct OpenStream {
    pub(crate) response: Response,
    body: Incoming,
    /// Keeps the connection open.
    _kept: Kept,
    /// What has come.
    pub(crate) text: String,
}

fn prepare(base: &BaseUrl, request: &Request, token: Option<&str>) -> Result<http::Request<Full<Bytes>>, String> {
    let mut prepared = http::Request::builder()
        .method(request.method)
        .uri(format!("{}{}", base.prefix, request.target))
        .header("host", base.authority());
    for (name, value) in &request.headers {
        prepared = prepared.header(*name, value);
    }
    if let Some(token) = token {
        prepared = prepared.header("authorization", format!("Bearer {token}"));
    }
    let body = request.body.clone().unwrap_or_default();
    prepared.body(Full::new(Bytes::from(body))).map_err(|error| error.to_string())
}

async fn connect(base: &BaseUrl, trust: Option<&Trust>) -> Result<Kept, String> {
    let failed = |error: &dyn std::fmt::Display| format!("cannot connect to {}: {error}", base.authority());
    let host = base.host.trim_start_matches('[').trim_end_matches(']');
    let stream = TcpStream::connect((host, base.port)).await.map_err(|error| failed(&error))?;
    // a request is written at once
    let _ = stream.set_nodelay(true);
    let (sender, driver) = match trust {
        Some(trust) => trust.handshake(stream, host).await?,
        None => {
            let (sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(|error| failed(&error))?;
            (sender, tokio::spawn(connection))
        }
    };
    Ok(Kept { sender, driver })
}

async fn send(
    mut kept: Kept,
    request: http::Request<Full<Bytes>>,
    is_head: bool,
) -> Result<(Option<Kept>, Response), String> {
    kept.sender.ready().await.map_err(|error| error.to_string())?;
    let response = kept.sender.send_request(request).await.map_err(|error| error.to_string())?;
    let (head, body) = response.into_parts();
    let body = Limited::new(body, MAX_BODY).collect().await.map_err(|error| error.to_string())?.to_bytes().to_vec();
    let status = head.status.as_u16();
    let mut response = Response { status, headers: texts(&head.headers), body, has_excess: false };
    if is_head || status == 204 || status == 304 {
        // such a response ends with its head: what follows is read as a response that nobody asked for
        match timeout(EXCESS_WAIT, &mut kept.driver).await {
            Ok(ended) => {
                response.has_excess = matches!(ended, Ok(Err(error)) if !error.is_incomplete_message());
                return Ok((None, response));
            }
            Err(_) => return Ok((Some(kept), response)),
        }
    }
    Ok((Some(kept), response))
}

fn texts(headers: &http::HeaderMap) -> Vec<(String, String)> {
    let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_read() {
        let of = |url| BaseUrl::parse(url).unwrap();
        assert_eq!(of("http://localhost").port, 80);
        assert_eq!(of("https://shop.example/api/").prefix, "/api");
        assert_eq!(of("http://[::1]:8080").authority(), "[::1]:8080");
        for wrong in ["localhost:8080", "ftp://a", "http://", "http://a:b", "http://user:word@a", "http://a/?b=c"] {
            assert!(BaseUrl::parse(wrong).is_err(), "{wrong}");
        }
    }
}
