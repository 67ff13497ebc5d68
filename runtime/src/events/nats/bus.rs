//! The NATS server that events are published to: its address, the connection, what it fails with.

use crate::backoff;
use crate::store::{Refusal, StoreError};
use async_nats::jetstream::context::{CreateStreamError, PublishError};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{self, Context, stream};
use async_nats::{ConnectOptions, Event};
use futures_util::future::try_join_all;
use std::fmt;
use std::time::Duration;

/// How long the bus may take to acknowledge.
const ACK_TIMEOUT: Duration = Duration::from_secs(5);
/// How long the bus knows an id again. Repeats come after a crash or an outage of the bus, soon after the first.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(10 * 60);
/// The first wait after a failure; it doubles with each.
const FIRST_WAIT: Duration = Duration::from_millis(100);
/// The longest.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// The address of a server, with credentials where it takes some.
#[derive(Clone)]
pub(crate) struct NatsUrl(String);

impl NatsUrl {
    /// Takes any text: the client library reads it when it connects.
    pub(crate) fn parse(url: &str) -> Result<Self, String> {
        Ok(Self(url.to_owned()))
    }
}

impl fmt::Debug for NatsUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // it may hold a password
        f.write_str("NatsUrl(…)")
    }
}

/// Checks that events can be published to a server: it can be reached, and has JetStream.
pub(crate) async fn reach(url: &NatsUrl) -> Result<(), String> {
    let account = async {
        let options = ConnectOptions::new().connection_timeout(ACK_TIMEOUT);
        let client = options.connect(&url.0).await.map_err(|error| error.to_string())?;
        let mut context = jetstream::new(client);
        context.set_timeout(ACK_TIMEOUT);
        // of what it says of itself only an error is of interest, and other versions say other things
        let account: Result<serde_json::Value, _> = context.request("INFO", &()).await;
        let account = account.map_err(|error| format!("it has no JetStream: {error}"))?;
        account.get("error").map_or(Ok(()), |error| Err(format!("it has no JetStream: {error}")))
    };
    match tokio::time::timeout(ACK_TIMEOUT * 2, account).await {
        Ok(found) => found,
        Err(_) => Err("it does not answer in time".to_owned()),
    }
}

/// A NATS server, connected when it is first needed.
pub(super) struct Bus {
    pub(super) url: NatsUrl,
    pub(super) service: String,
    pub(super) retention: Duration,
    /// `None` before the first use, and after a failure.
    pub(super) context: Option<Context>,
}

impl Bus {
    /// Publishes messages together; all of them are acknowledged, or it has failed.
    pub(super) async fn send(
        &mut self,
        messages: impl Iterator<Item = (String, PublishMessage)>,
    ) -> Result<(), PublishFailure> {
        let context = match &self.context {
            Some(context) => context.clone(),
            None => self.context.insert(self.connect().await?).clone(),
        };
        let mut acks = Vec::new();
        for (subject, message) in messages {
            acks.push(context.send_publish(subject, message).await?);
        }
        let acks = try_join_all(acks.into_iter().map(IntoFuture::into_future));
        match tokio::time::timeout(ACK_TIMEOUT, acks).await {
            Ok(acks) => acks.map(|_| ()).map_err(PublishFailure::from),
            Err(_) => Err(PublishFailure::Bus("it does not acknowledge in time".to_owned())),
        }
    }

    /// Connects, and creates the stream if it is missing. An existing one is not changed.
    async fn connect(&self) -> Result<Context, PublishFailure> {
        let options = ConnectOptions::new()
            .name(&self.service)
            .connection_timeout(ACK_TIMEOUT)
            .reconnect_delay_callback(|attempts| wait_after(u32::try_from(attempts).unwrap_or(u32::MAX)))
            // what becomes of the connection shows in what becomes of the events
            .event_callback(|event| async move {
                if let Event::ClientError(error) = event {
                    tracing::debug!(%error, "NATS");
                }
            });
        let client = options.connect(&self.url.0).await.map_err(|error| PublishFailure::Bus(error.to_string()))?;
        let mut context = jetstream::new(client);
        context.set_timeout(ACK_TIMEOUT);
        let config = stream::Config {
            name: self.service.clone(),
            subjects: vec![format!("{}.>", self.service)],
            duplicate_window: DUPLICATE_WINDOW.min(self.retention),
            max_age: self.retention,
            ..stream::Config::default()
        };
        context.get_or_create_stream(config).await?;
        Ok(context)
    }
}

/// The pause before the next attempt: it doubles with each failure, and has jitter, so that clients that lost the bus
/// together do not all reconnect together.
pub(super) fn wait_after(failures: u32) -> Duration {
    backoff::equal_jitter(FIRST_WAIT.saturating_mul(2_u32.saturating_pow(failures)).min(LONGEST_WAIT))
}

/// Why events cannot be published now.
#[derive(Debug)]
pub(super) enum PublishFailure {
    Bus(String),
    Store(String),
}

impl fmt::Display for PublishFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bus(reason) => write!(f, "the bus: {reason}"),
            Self::Store(reason) => write!(f, "the store: {reason}"),
        }
    }
}

impl From<PublishError> for PublishFailure {
    fn from(error: PublishError) -> Self {
        Self::Bus(error.to_string())
    }
}

impl From<CreateStreamError> for PublishFailure {
    fn from(error: CreateStreamError) -> Self {
        Self::Bus(error.to_string())
    }
}

impl From<StoreError> for PublishFailure {
    fn from(error: StoreError) -> Self {
        Self::Store(error.to_string())
    }
}

impl From<Refusal> for PublishFailure {
    fn from(refusal: Refusal) -> Self {
        Self::Store(format!("{refusal:?}"))
    }
}
