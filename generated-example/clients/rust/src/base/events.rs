//! The events of the service (§6), as a stream that survives lost connections.

use super::client::{Call, Client};
use super::error::{Error, Uncertain};
use super::retry;
use super::transport::ByteStream;
use super::values::Timestamp;
use futures_util::{Stream, StreamExt, stream};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::collections::VecDeque;
use std::time::Duration;
use uuid::Uuid;

/// A connection that is silent for longer than this is made again: the service sends something every 15 seconds.
const SILENCE: Duration = Duration::from_secs(45);
/// How many ids of events are remembered, to drop those that come twice.
const REMEMBERED: usize = 1000;
/// The longest line of a stream, in bytes.
const MAX_LINE: usize = 16 << 20;

/// An event: a CloudEvent 1.0. What happened: [`Event::kind`](crate::events::EventKind).
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Event {
    /// The same wherever the event is seen.
    pub id: Uuid,
    /// What happened: `marketplace.offer.created`.
    #[serde(rename = "type")]
    pub event_type: String,
    /// The entity.
    pub subject: Uuid,
    /// When it happened.
    pub time: Timestamp,
    /// The `Trace-Id` of the causing request.
    #[serde(default, rename = "traceid")]
    pub trace_id: Option<Uuid>,
    /// The caller who sent the causing request.
    #[serde(default)]
    pub actor: Option<Uuid>,
    /// What the event says.
    #[serde(default)]
    pub data: Json,
    /// Where the stream is after this event: a later stream goes on from there.
    #[serde(skip)]
    pub cursor: String,
}

/// The data of an event, if it has this type.
pub(crate) fn from_json<T: DeserializeOwned>(json: &Json) -> Option<T> {
    T::deserialize(json).ok()
}

/// Which events a stream has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EventQuery {
    query: Vec<(&'static str, String)>,
    after: Option<String>,
}

impl EventQuery {
    /// All events from now on that the caller may see.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Those of a resource, by the word of its path: `offers`.
    #[must_use]
    pub fn resource(mut self, path: &str) -> Self {
        self.query.push(("resource", path.to_owned()));
        self
    }

    /// Those of a type.
    #[must_use]
    pub fn event_type(mut self, event_type: &str) -> Self {
        self.query.push(("type", event_type.to_owned()));
        self
    }

    /// Those after an event that was seen: its cursor.
    #[must_use]
    pub fn after(mut self, cursor: &str) -> Self {
        self.after = Some(cursor.to_owned());
        self
    }
}

impl Client {
    /// The events of the service, as they happen. A lost connection is made again, and goes on after the last event;
    /// events that come twice are dropped. The stream ends only with an error: [`Error::Gone`] says that events
    /// between are not kept any more, so that what is known has to be read again.
    pub fn events(&self, query: EventQuery) -> impl Stream<Item = Result<Event, Error>> + Send + use<> {
        let reader = Reader { client: self.clone(), query, seen: VecDeque::new(), open: None, failed: 0, refused: 0 };
        stream::unfold(Some(reader), |reader| async move {
            let mut reader = reader?;
            match reader.next().await {
                Ok(event) => Some((Ok(event), Some(reader))),
                Err(error) => Some((Err(error), None)),
            }
        })
    }
}

struct Reader {
    client: Client,
    query: EventQuery,
    /// The ids of the last events.
    seen: VecDeque<Uuid>,
    open: Option<Lines>,
    /// Connections that were lost one after the other.
    failed: u32,
    /// Tokens that were refused one after the other.
    refused: u32,
}

impl Reader {
    async fn next(&mut self) -> Result<Event, Error> {
        loop {
            let Some(lines) = &mut self.open else {
                self.connect().await?;
                continue;
            };
            let Some(Some(message)) = self.client.within(SILENCE, lines.message()).await else {
                // lost, or silent for too long
                self.open = None;
                self.pause().await;
                continue;
            };
            self.failed = 0;
            if let Some(cursor) = &message.id {
                self.query.after = Some(cursor.clone());
            }
            if message.data.is_empty() {
                continue;
            }
            let mut event: Event =
                serde_json::from_str(&message.data).map_err(|error| Error::UnexpectedBody(error.to_string()))?;
            event.cursor = message.id.unwrap_or_default();
            if self.is_new(event.id) {
                return Ok(event);
            }
        }
    }

    async fn connect(&mut self) -> Result<(), Error> {
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(&self.query.query).finish();
        let mut headers = vec![("accept", "text/event-stream".to_owned())];
        headers.extend(self.query.after.iter().map(|cursor| ("last-event-id", cursor.clone())));
        let call = Call { method: "GET", path: "/events".to_owned(), query, headers, body: None };
        match self.client.open(&call, self.refused > 0).await {
            Ok(response) => {
                self.refused = 0;
                self.open = Some(Lines { body: response.body, rest: Vec::new(), message: Message::default() });
                Ok(())
            }
            Err(Error::Unauthenticated(_)) if self.refused == 0 => {
                self.refused += 1;
                Ok(())
            }
            Err(
                Error::Connection(..) | Error::Timeout(Uncertain::No) | Error::RateLimited(_) | Error::Unavailable(_),
            ) => {
                self.pause().await;
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    async fn pause(&mut self) {
        self.failed = self.failed.saturating_add(1);
        self.client.sleep(retry::reconnect_pause(self.failed)).await;
    }

    fn is_new(&mut self, id: Uuid) -> bool {
        if self.seen.contains(&id) {
            return false;
        }
        if self.seen.len() == REMEMBERED {
            self.seen.pop_front();
        }
        self.seen.push_back(id);
        true
    }
}

/// A message of a stream.
#[derive(Default)]
struct Message {
    id: Option<String>,
    data: String,
}

/// Reads a stream of server-sent events.
struct Lines {
    body: ByteStream,
    /// What has arrived of the next line.
    rest: Vec<u8>,
    message: Message,
}

impl Lines {
    /// The next message, also an empty one; `None` at the end.
    async fn message(&mut self) -> Option<Message> {
        loop {
            let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') else {
                let piece = self.body.next().await?.ok()?;
                self.rest.extend(piece);
                if self.rest.len() > MAX_LINE {
                    return None;
                }
                continue;
            };
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end_matches(['\n', '\r']);
            if line.is_empty() {
                return Some(std::mem::take(&mut self.message));
            }
            if line.starts_with(':') {
                // a sign of life
                return Some(Message::default());
            }
            let (name, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match name {
                "id" => self.message.id = Some(value.to_owned()),
                "data" => self.message.data.push_str(value),
                _ => {}
            }
        }
    }
}
