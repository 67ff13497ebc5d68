//! `GET /events`: events as they happen, as server-sent events.
//!
//! A stream is pulled by its connection: it reads on when the client has taken what came before, so a slow client costs
//! one page, and one that takes nothing at all is cut off by the connection. An event's `id:` is where `Last-Event-ID` goes
//! on; the stream begins with the one it stands at, so that a client that is cut off before any event knows it.

use super::Feed;
use super::cursor::Cursor;
use super::feed::position;
use super::sight::{Filter, Sight};
use crate::serve::authenticator::Authenticator;
use crate::serve::caller;
use crate::serve::failure::Failure;
use crate::serve::payload::Payload;
use crate::serve::{Engine, negotiate, parameters};
use crate::store::StoreError;
use crate::store::outbox::{Mark, Which};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Response, header, request};
use restwell_model::ErrorCode;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::Instant;

/// What a client must accept.
const MEDIA_TYPE: HeaderValue = HeaderValue::from_static("text/event-stream");
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Opens a stream: 406, 401, 422, 410, 503.
pub(crate) async fn open(engine: &Engine, head: &request::Parts) -> Result<Response<Payload>, Failure> {
    negotiate::takes(&head.headers, &MEDIA_TYPE)?;
    let caller = caller::authenticate(&head.headers, &*engine.authenticator).await?;
    let feed = Arc::clone(&engine.feed);
    let given = parameters::parse(head.uri.query());
    let (filter, problems) = Filter::read(&feed.plans, &given.parameters);
    let problems = given.refuse(problems);
    if !problems.is_empty() {
        return Err(Failure::invalid(problems));
    }
    let full = |_| Failure::from(StoreError::Unavailable("as many event streams as there may be are open".to_owned()));
    let place = Arc::clone(&feed.places).try_acquire_owned().map_err(full)?;
    let commits = feed.store.commits();
    let mark = begin(&feed, head.headers.get(LAST_EVENT_ID)).await?;
    let now = Instant::now();
    let stream = Stream {
        sight: Sight::of(&feed.plans, caller.as_ref()),
        filter,
        headers: caller.is_some().then(|| head.headers.clone()),
        authenticator: Arc::clone(&engine.authenticator),
        authenticated: now,
        mark,
        told: None,
        heartbeat: now,
        commits,
        ending: feed.ending(),
        feed,
        _place: place,
    };
    let mut response = Response::new(Payload::stream(futures_util::stream::unfold(stream, Stream::next)));
    response.headers_mut().insert(header::CONTENT_TYPE, MEDIA_TYPE);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

/// The event that the stream goes on after; `None`: it begins with the first. Without a cursor it begins with what comes
/// next. One whose events are not all kept any more, or that is none, is refused (410): the client has missed something.
async fn begin(feed: &Feed, cursor: Option<&HeaderValue>) -> Result<Option<Mark>, Failure> {
    let Some(cursor) = cursor.filter(|cursor| !cursor.is_empty()) else {
        return Ok(feed.store.mark(Which::Newest).await?);
    };
    let gone = || Failure::new(ErrorCode::EventsGone);
    let cursor = cursor.to_str().ok().and_then(Cursor::parse).ok_or_else(gone)?;
    match cursor {
        Cursor::Start => match feed.store.mark(Which::Oldest).await? {
            Some(oldest) if oldest.position > position(None) + 1 => Err(gone()),
            _ => Ok(None),
        },
        Cursor::After(position, _) => {
            let mark = feed.store.mark(Which::At(position)).await?;
            mark.filter(|mark| cursor.is_of(*mark)).map(Some).ok_or_else(gone)
        }
    }
}

/// An open stream.
struct Stream {
    feed: Arc<Feed>,
    sight: Sight,
    filter: Filter,
    /// What the caller was known by; `None` where nobody is.
    headers: Option<HeaderMap>,
    authenticator: Arc<dyn Authenticator>,
    /// When the credentials were last found good.
    authenticated: Instant,
    /// The last event that was looked at.
    mark: Option<Mark>,
    /// The cursor that the client knows.
    told: Option<Cursor>,
    /// When it is time to show that the stream is alive.
    heartbeat: Instant,
    commits: watch::Receiver<u64>,
    ending: watch::Receiver<bool>,
    _place: OwnedSemaphorePermit,
}

impl Stream {
    /// The next bytes; `None` ends the stream.
    async fn next(mut self) -> Option<(Bytes, Self)> {
        loop {
            if *self.ending.borrow() || !self.is_authenticated().await {
                return None;
            }
            if self.heartbeat <= Instant::now() {
                return Some((self.beat(), self));
            }
            self.commits.mark_unchanged();
            let events = match self.feed.after(position(self.mark)).await {
                Ok(events) => events,
                Err(error) => {
                    tracing::warn!(%error, "an event stream ends early");
                    return None;
                }
            };
            if let Some(last) = events.last() {
                self.mark = Some(last.mark);
                let shown = events.iter().filter(|event| self.filter.covers(event) && self.sight.covers(event));
                let frames: Vec<_> = shown.map(|event| (event.mark, event.frame.clone())).collect();
                if let Some((mark, _)) = frames.last() {
                    self.told = Some(Cursor::of(Some(*mark)));
                    self.heartbeat = Instant::now() + self.feed.heartbeat;
                    return Some((joined(frames.into_iter().map(|(_, frame)| frame).collect()), self));
                }
            } else {
                self.wait().await?;
            }
        }
    }

    /// Waits until something may have happened. `None`: nothing ever will.
    async fn wait(&mut self) -> Option<()> {
        tokio::select! {
            committed = self.commits.changed() => committed.ok(),
            _ = self.ending.changed() => Some(()),
            () = tokio::time::sleep_until(self.heartbeat) => Some(()),
        }
    }

    /// A comment; and the cursor, where the client does not know it: what was not shown need not be looked at again.
    fn beat(&mut self) -> Bytes {
        self.heartbeat = Instant::now() + self.feed.heartbeat;
        let cursor = Cursor::of(self.mark);
        if self.told.replace(cursor) == Some(cursor) {
            return Bytes::from_static(b":\n\n");
        }
        Bytes::from(format!(":\nid: {cursor}\n\n"))
    }

    /// Credentials that are no longer good show nothing more: they are looked at again with every heartbeat.
    async fn is_authenticated(&mut self) -> bool {
        let Some(headers) = &self.headers else { return true };
        if self.authenticated.elapsed() < self.feed.heartbeat {
            return true;
        }
        self.authenticated = Instant::now();
        caller::authenticate(headers, &*self.authenticator).await.is_ok_and(|caller| caller.is_some())
    }
}

fn joined(mut frames: Vec<Bytes>) -> Bytes {
    match frames.as_mut_slice() {
        [one] => std::mem::take(one),
        many => Bytes::from(many.concat()),
    }
}
