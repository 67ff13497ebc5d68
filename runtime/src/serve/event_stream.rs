//! `GET /events`: events as they happen, as server-sent events.
//!
//! A connection pulls its stream: the next page is read when the client has received the one before, so a slow client
//! costs one page; the connection disconnects one that receives nothing. A stream continues after the `id:` in
//! `Last-Event-ID`. It begins with its present position, so that a client that is disconnected before any event knows
//! that.

use super::caller;
use super::failure::Failure;
use super::payload::Payload;
use super::{Engine, negotiate, parameters};
use crate::auth::authenticator::Authenticator;
use crate::auth::caller::Caller;
use crate::events::Feed;
use crate::events::cursor::Cursor;
use crate::events::feed::{EventReader, position};
use crate::events::visibility::{EventFilter, Visibility};
use crate::fair_share::Share;
use crate::limits::ClientKey;
use crate::observe::log_throttle::throttled;
use crate::store::StoreError;
use crate::store::outbox::{EventPosition, Seek};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Response, header, request};
use restwell_model::ErrorCode;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// What a client must accept.
const MEDIA_TYPE: HeaderValue = HeaderValue::from_static(restwell_model::events::STREAM_MEDIA_TYPE);
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// How long a stream waits for memory that clients have not given back yet.
const MEMORY_PATIENCE: Duration = Duration::from_millis(100);

/// Opens a stream for the client at this address: 406, 401, 422, 503, 410.
pub(crate) async fn open(
    engine: &Engine,
    head: &request::Parts,
    peer: Option<IpAddr>,
) -> Result<Response<Payload>, Failure> {
    negotiate::takes(&head.headers, &MEDIA_TYPE)?;
    let caller = engine.authenticate(&head.headers).await?;
    let feed = Arc::clone(&engine.feed);
    let given = parameters::parse(head.uri.query());
    let (filter, problems) = EventFilter::read(&feed.plans, &given.parameters);
    let problems = given.refuse(problems);
    if !problems.is_empty() {
        return Err(Failure::invalid(problems));
    }
    let client = ClientKey::of(caller.as_ref().map(|caller| caller.id), peer);
    let full = || StoreError::Unavailable("as many event streams as there may be are open".to_owned());
    let place = feed.place(client).ok_or_else(full)?;
    let commits = feed.store.commits();
    let mark = begin(&feed, head.headers.get(LAST_EVENT_ID)).await?;
    let now = Instant::now();
    let stream = Stream {
        visibility: Visibility::of(&feed.plans, &filter, caller.as_ref()),
        filter,
        headers: caller.is_some().then(|| head.headers.clone()),
        caller,
        authenticator: Arc::clone(&engine.authenticator),
        authenticated: now,
        mark,
        sent: None,
        heartbeat: now,
        commits,
        ending: feed.ending(),
        feed,
        client,
        _place: place,
        memory: None,
    };
    let mut response = Response::new(Payload::stream(futures_util::stream::unfold(stream, Stream::next)));
    response.headers_mut().insert(header::CONTENT_TYPE, MEDIA_TYPE);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// The event that the stream goes on after; `None`: it begins with the first. Without a cursor it begins with what
/// comes next. One whose events are not all kept any more, or that is none, is refused (410): the client has missed
/// something.
async fn begin(feed: &Feed, cursor: Option<&HeaderValue>) -> Result<Option<EventPosition>, Failure> {
    let Some(cursor) = cursor.filter(|cursor| !cursor.is_empty()) else {
        return Ok(feed.store.mark(Seek::Newest).await?);
    };
    let gone = || Failure::new(ErrorCode::EventsGone);
    let cursor = cursor.to_str().ok().and_then(Cursor::parse).ok_or_else(gone)?;
    match cursor {
        Cursor::Start => match feed.store.mark(Seek::Oldest).await? {
            Some(oldest) if oldest.position > position(None) + 1 => Err(gone()),
            _ => Ok(None),
        },
        Cursor::Masked { .. } | Cursor::Plain { .. } => feed.event_of(cursor).await?.map(Some).ok_or_else(gone),
    }
}

/// An open stream.
struct Stream {
    feed: Arc<Feed>,
    visibility: Visibility,
    filter: EventFilter,
    /// The credentials of the caller; `None` without a caller.
    headers: Option<HeaderMap>,
    /// Whose permissions decide which events are visible.
    caller: Option<Caller>,
    authenticator: Arc<dyn Authenticator>,
    /// When the credentials were last checked.
    authenticated: Instant,
    /// The last event that was read.
    mark: Option<EventPosition>,
    /// The event whose cursor the client knows.
    sent: Option<Option<EventPosition>>,
    /// When it is time to show that the stream is alive.
    heartbeat: Instant,
    commits: watch::Receiver<u64>,
    ending: watch::Receiver<bool>,
    client: ClientKey,
    _place: Share,
    /// The memory of the portion that the connection has.
    memory: Option<Share>,
}

impl Stream {
    /// The next bytes; `None` ends the stream.
    async fn next(mut self) -> Option<(Bytes, Self)> {
        // the connection asks for more when it has taken what came before
        self.memory = None;
        loop {
            if *self.ending.borrow() || !self.is_authenticated().await {
                return None;
            }
            if self.heartbeat <= Instant::now() {
                return match self.beat().await {
                    Ok(beat) => Some((beat, self)),
                    Err(error) => ended_early(&error),
                };
            }
            self.commits.mark_unchanged();
            if self.visibility.is_empty() {
                self.wait().await?;
                continue;
            }
            if !self.feed.has_memory(self.client) {
                // nothing is read that could not be given away
                tokio::time::sleep(MEMORY_PATIENCE).await;
                continue;
            }
            let reader = EventReader { client: self.client, visibility: &self.visibility, until: self.heartbeat };
            let after = tokio::select! {
                after = self.feed.after(position(self.mark), &reader) => after,
                // it may have to wait long for its turn
                _ = self.ending.changed() => continue,
            };
            let portion = match after {
                Ok(Some(portion)) => portion,
                // others have their turns first
                Ok(None) => continue,
                Err(error) => return ended_early(&error),
            };
            if portion.frames.is_empty() {
                match portion.reached {
                    Some(reached) => self.mark = Some(reached),
                    None => self.wait().await?,
                }
                continue;
            }
            let bytes = joined(portion.frames);
            self.memory = self.feed.memory(self.client, bytes.len());
            if self.memory.is_none() {
                // reads it again when other clients have released memory
                tokio::time::sleep(MEMORY_PATIENCE).await;
                continue;
            }
            (self.mark, self.sent) = (portion.reached, Some(portion.shown));
            self.heartbeat = Instant::now() + self.feed.heartbeat;
            return Some((bytes, self));
        }
    }

    /// Waits until there may be visible events. `None`: the stream ends.
    async fn wait(&mut self) -> Option<()> {
        tokio::select! {
            committed = self.commits.changed(), if !self.visibility.is_empty() => committed.ok(),
            _ = self.ending.changed() => Some(()),
            () = tokio::time::sleep_until(self.heartbeat) => Some(()),
        }
    }

    /// A comment; and the cursor, if the client does not know it, so that invisible events are not read again.
    async fn beat(&mut self) -> Result<Bytes, StoreError> {
        self.heartbeat = Instant::now() + self.feed.heartbeat;
        // a stream begins with the cursor where it stands
        if self.visibility.is_empty() && self.sent.is_some() {
            let newest = self.feed.newest().await;
            self.mark = newest.filter(|newest| newest.position > position(self.mark)).or(self.mark);
        }
        if self.sent.replace(self.mark) == Some(self.mark) {
            return Ok(Bytes::from_static(b":\n\n"));
        }
        let cursor = self.feed.cursor(self.mark).await?;
        Ok(Bytes::from(format!(":\nid: {cursor}\n\n")))
    }

    /// Checks the credentials with every heartbeat, and decides again what is shown if the caller has changed. False:
    /// they are no longer good, and nothing more is shown.
    async fn is_authenticated(&mut self) -> bool {
        let Some(headers) = &self.headers else { return true };
        if self.authenticated.elapsed() < self.feed.heartbeat {
            return true;
        }
        self.authenticated = Instant::now();
        let Ok(Some(caller)) = caller::authenticate(headers, &*self.authenticator, false).await else { return false };
        if self.caller.as_ref() != Some(&caller) {
            self.visibility = Visibility::of(&self.feed.plans, &self.filter, Some(&caller));
            self.caller = Some(caller);
        }
        true
    }
}

fn ended_early<T>(error: &StoreError) -> Option<T> {
    throttled!(warn, %error, "an event stream ends early");
    None
}

fn joined(mut frames: Vec<Bytes>) -> Bytes {
    match frames.as_mut_slice() {
        [one] => std::mem::take(one),
        many => Bytes::from(many.concat()),
    }
}
