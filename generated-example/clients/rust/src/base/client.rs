//! The client: where the service is, who calls, and how a call is sent.

use super::error::{ApiError, Error, Problem, Uncertain};
use super::retry::{self, Retries};
use super::spans;
use super::transport::{BoxFuture, Request, Response, Transport, TransportError};
use futures_util::StreamExt;
use futures_util::future::{Either, select};
use serde::Deserialize;
use std::fmt;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use uuid::Uuid;

/// The largest response that is read, in bytes; events are not counted.
const MAX_RESPONSE: usize = 256 << 20;

/// Where tokens come from.
pub trait TokenSource: Send + Sync + 'static {
    /// A token for the next request. `renew`: the service has refused the last one, so ask for a new one.
    ///
    /// # Errors
    ///
    /// Why there is none: it ends the call as [`Error::Token`].
    fn token(&self, renew: bool) -> BoxFuture<'_, Result<String, String>>;
}

/// A token that does not change.
impl TokenSource for String {
    fn token(&self, _renew: bool) -> BoxFuture<'_, Result<String, String>> {
        Box::pin(std::future::ready(Ok(self.clone())))
    }
}

/// A response said that something the call used goes away.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeprecationNotice {
    /// The method and the path of the call.
    pub call: String,
    /// The value of `Deprecation`.
    pub deprecation: String,
    /// The value of `Sunset`: from then on it is gone.
    pub sunset: Option<String>,
}

type TraceParent = dyn Fn() -> Option<String> + Send + Sync;
type OnDeprecation = dyn Fn(&DeprecationNotice) + Send + Sync;

/// A client of the service. Cloning it is cheap; clones share the connections.
#[derive(Clone)]
pub struct Client {
    base_url: Arc<str>,
    user_agent: Arc<str>,
    transport: Arc<dyn Transport>,
    token: Option<Arc<dyn TokenSource>>,
    language: Option<Arc<str>>,
    trace_parent: Option<Arc<TraceParent>>,
    on_deprecation: Option<Arc<OnDeprecation>>,
    retries: Retries,
}

/// Makes a [`Client`].
#[must_use = "call `build`"]
pub struct Builder(Client);

/// A call: a request that may be sent several times.
#[derive(Debug, Clone, Default)]
pub(super) struct Call {
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) query: String,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: Option<Vec<u8>>,
}

/// A response that is no error.
#[derive(Debug)]
pub(super) struct Success {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Success {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn trace_id(&self) -> Option<Uuid> {
        self.header("trace-id").and_then(|id| id.parse().ok())
    }
}

impl Call {
    /// Whether nothing changes by it.
    fn is_safe(&self) -> bool {
        matches!(self.method, "GET" | "HEAD") || self.query.contains("dryRun=true")
    }

    /// Whether sending it twice has the effect of sending it once.
    fn is_repeatable(&self) -> bool {
        self.is_safe() || matches!(self.method, "PUT" | "DELETE")
    }
}

impl Client {
    /// A client of the service at `base_url` (`https://api.example.com`), over `reqwest`. `user_agent` is the name and
    /// version of the calling application: `shop/1.2`.
    ///
    /// # Errors
    ///
    /// TLS cannot be set up.
    #[cfg(feature = "reqwest")]
    pub fn new(base_url: &str, user_agent: &str) -> Result<Self, Error> {
        let transport = super::ReqwestTransport::new().map_err(|error| Error::Connection(error, Uncertain::No))?;
        Ok(Self::builder(base_url, user_agent, transport).build())
    }

    /// Makes a client over any transport.
    pub fn builder(base_url: &str, user_agent: &str, transport: impl Transport) -> Builder {
        Builder(Self {
            base_url: base_url.trim_end_matches('/').into(),
            user_agent: user_agent.into(),
            transport: Arc::new(transport),
            token: None,
            language: None,
            trace_parent: None,
            on_deprecation: None,
            retries: Retries::default(),
        })
    }

    /// The same client with a token: a text, or a [`TokenSource`].
    #[must_use]
    pub fn with_token(mut self, token: impl TokenSource) -> Self {
        self.token = Some(Arc::new(token));
        self
    }

    /// The same client with other retries and timeouts, for example for one call.
    #[must_use]
    pub fn with_retries(mut self, retries: Retries) -> Self {
        self.retries = retries;
        self
    }

    /// Sends a call, several times if need be.
    pub(super) async fn send(&self, call: &Call) -> Result<Success, Error> {
        let may_have_happened = AtomicBool::new(false);
        let tries = spans::in_span(call, self.tried(call, &may_have_happened));
        match self.within(self.retries.deadline, tries).await {
            Some(done) => done,
            None => Err(Error::Timeout(uncertain(&may_have_happened))),
        }
    }

    /// Sends a call and gives its response when the head has arrived; once, for streams.
    pub(super) async fn open(&self, call: &Call, renew: bool) -> Result<Response, Error> {
        let request = self.request(call, self.token(renew).await?.as_deref());
        let refused = |error| Error::Connection(error, Uncertain::No);
        let response = self.within(self.retries.timeout, self.transport.send(request)).await;
        let response = response.ok_or(Error::Timeout(Uncertain::No))?.map_err(refused)?;
        if response.status == 200 {
            return Ok(response);
        }
        let success = read(response).await.map_err(refused)?;
        Err(Error::of_response(api_error(&success, false)))
    }

    pub(super) async fn sleep(&self, pause: Duration) {
        self.transport.sleep(pause).await;
    }

    /// The future's value, unless the time is over before.
    pub(super) async fn within<T>(&self, limit: Duration, future: impl Future<Output = T>) -> Option<T> {
        match select(pin!(future), self.transport.sleep(limit)).await {
            Either::Left((value, _)) => Some(value),
            Either::Right(_) => None,
        }
    }

    async fn tried(&self, call: &Call, may_have_happened: &AtomicBool) -> Result<Success, Error> {
        let (mut tried, mut token, mut is_renewed) = (0, self.token(false).await?, false);
        loop {
            let request = self.request(call, token.as_deref());
            // until the response is there; dropped futures leave it so
            let was_lost = may_have_happened.swap(!call.is_safe(), Ordering::Relaxed);
            tried += 1;
            let (error, retry_after, was_sent) = match self.one_try(request).await {
                Ok(success) => {
                    let is_unclear = matches!(success.status, 500 | 502..=504) && !call.is_safe();
                    may_have_happened.store(was_lost || is_unclear, Ordering::Relaxed);
                    spans::responded(&success);
                    self.notice_deprecation(call, &success);
                    if success.status < 400 || (call.method == "DELETE" && success.status == 404 && was_lost) {
                        return Ok(success);
                    }
                    let error = api_error(&success, was_lost || is_unclear);
                    if error.status == 401 && token.is_some() && !is_renewed {
                        is_renewed = true;
                        let other = self.token(true).await?;
                        if other != token {
                            token = other;
                            tried -= 1;
                            continue;
                        }
                    }
                    let is_too_late = error.retry_after.is_some_and(|after| after > self.retries.deadline);
                    if is_too_late || !retry::is_passing(error.status) {
                        return Err(Error::of_response(error));
                    }
                    (Error::of_response(error.clone()), error.retry_after, true)
                }
                Err(lost) => {
                    let was_sent = lost.as_ref().is_none_or(|error| error.was_sent);
                    may_have_happened.store(was_lost || (was_sent && !call.is_safe()), Ordering::Relaxed);
                    let uncertain = uncertain(may_have_happened);
                    (lost.map_or(Error::Timeout(uncertain), |it| Error::Connection(it, uncertain)), None, was_sent)
                }
            };
            if tried >= self.retries.tries || (was_sent && !call.is_repeatable()) {
                return Err(error);
            }
            spans::sent_again(tried, &error);
            self.sleep(retry::pause(tried, retry_after)).await;
        }
    }

    /// One try: `Err(None)` if it took too long.
    async fn one_try(&self, request: Request) -> Result<Success, Option<TransportError>> {
        let exchange = async { read(self.transport.send(request).await?).await };
        match self.within(self.retries.timeout, exchange).await {
            Some(done) => done.map_err(Some),
            None => Err(None),
        }
    }

    async fn token(&self, renew: bool) -> Result<Option<String>, Error> {
        match &self.token {
            Some(source) => source.token(renew).await.map(Some).map_err(Error::Token),
            None => Ok(None),
        }
    }

    fn request(&self, call: &Call, token: Option<&str>) -> Request {
        let separator = if call.query.is_empty() { "" } else { "?" };
        let mut headers = vec![("user-agent", self.user_agent.to_string())];
        if let Some(language) = &self.language {
            headers.push(("accept-language", language.to_string()));
        }
        if let Some(token) = token {
            headers.push(("authorization", format!("Bearer {token}")));
        }
        if let Some(trace_parent) = self.trace_parent.as_ref().and_then(|supply| supply()) {
            headers.push(("traceparent", trace_parent));
        }
        headers.extend(call.headers.iter().cloned());
        let url = format!("{}{}{separator}{}", self.base_url, call.path, call.query);
        Request { method: call.method, url, headers, body: call.body.clone() }
    }

    fn notice_deprecation(&self, call: &Call, success: &Success) {
        if let (Some(hook), Some(deprecation)) = (&self.on_deprecation, success.header("deprecation")) {
            hook(&DeprecationNotice {
                call: format!("{} {}", call.method, call.path),
                deprecation: deprecation.to_owned(),
                sunset: success.header("sunset").map(str::to_owned),
            });
        }
    }
}

impl Builder {
    /// A token for every call: a text, or a [`TokenSource`], which is asked once more when the service responds 401.
    pub fn token(mut self, token: impl TokenSource) -> Self {
        self.0.token = Some(Arc::new(token));
        self
    }

    /// The language of messages for users: `pl-PL`.
    pub fn language(mut self, language: &str) -> Self {
        self.0.language = Some(language.into());
        self
    }

    /// Retries and timeouts.
    pub fn retries(mut self, retries: Retries) -> Self {
        self.0.retries = retries;
        self
    }

    /// Supplies the W3C `traceparent` of each request.
    pub fn trace_parent(mut self, supply: impl Fn() -> Option<String> + Send + Sync + 'static) -> Self {
        self.0.trace_parent = Some(Arc::new(supply));
        self
    }

    /// Hears of what is deprecated.
    pub fn on_deprecation(mut self, hook: impl Fn(&DeprecationNotice) + Send + Sync + 'static) -> Self {
        self.0.on_deprecation = Some(Arc::new(hook));
        self
    }

    /// The client.
    #[must_use]
    pub fn build(self) -> Client {
        self.0
    }
}

/// Without the token.
impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("base_url", &self.base_url)
            .field("user_agent", &self.user_agent)
            .finish_non_exhaustive()
    }
}

fn uncertain(may_have_happened: &AtomicBool) -> Uncertain {
    if may_have_happened.load(Ordering::Relaxed) { Uncertain::MayHaveHappened } else { Uncertain::No }
}

async fn read(response: Response) -> Result<Success, TransportError> {
    let Response { status, headers, body: mut pieces } = response;
    let mut body = Vec::new();
    while let Some(piece) = pieces.next().await {
        body.extend(piece?);
        if body.len() > MAX_RESPONSE {
            let message = format!("the response is longer than {MAX_RESPONSE} bytes");
            return Err(TransportError { was_sent: true, message });
        }
    }
    Ok(Success { status, headers, body })
}

/// A response that reports errors. From a proxy, it may have another body.
fn api_error(response: &Success, may_have_happened: bool) -> ApiError {
    #[derive(Deserialize)]
    struct Errors {
        errors: Vec<Problem>,
    }
    let problems = serde_json::from_slice::<Errors>(&response.body).map(|body| body.errors).unwrap_or_default();
    ApiError {
        status: response.status,
        problems,
        trace_id: response.trace_id(),
        retry_after: response.header("retry-after").and_then(|it| it.parse().ok()).map(Duration::from_secs),
        may_have_happened,
    }
}
