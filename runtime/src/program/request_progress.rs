//! What the layers of a connection and the service tell each other about the request that is being served on it.

use crate::fair_share::{FairShare, Share};
use crate::limits::ClientKey;
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

/// Bytes that are read of a body that nobody wanted, so that the connection can be used again. After a longer rest it
/// is closed.
const MAX_REST_BYTES: usize = 64 * 1024;
/// How long the client may take to send them. A response waits for them no longer than this.
const REST_TIMEOUT: Duration = Duration::from_millis(500);

/// The progress of the requests of one connection.
#[derive(Debug, Clone, Default)]
pub(crate) struct RequestProgress(Arc<RequestState>);

#[derive(Debug, Default)]
struct RequestState {
    /// Requests whose head was read.
    begun: AtomicUsize,
    /// Whether one of them is being served: what arrives meanwhile is its body.
    is_served: AtomicBool,
    /// Whether the last one was answered before all of its body had arrived.
    is_unread: AtomicBool,
    /// That body, unless it cannot be read any more.
    unread: Mutex<Option<Incoming>>,
    /// What a head holds that is not whole yet.
    head: Mutex<Option<Share>>,
}

/// A request that is being served, until this is dropped.
#[derive(Debug)]
pub(crate) struct ServedRequest {
    progress: RequestProgress,
    /// The headers are in memory as long as the request is served.
    _head: Option<Share>,
}

impl Drop for ServedRequest {
    fn drop(&mut self) {
        self.progress.0.is_served.store(false, Ordering::Relaxed);
    }
}

impl RequestProgress {
    /// The head of a request was read.
    pub(crate) fn begin(&self) -> ServedRequest {
        self.0.begun.fetch_add(1, Ordering::Relaxed);
        self.0.is_served.store(true, Ordering::Relaxed);
        ServedRequest { progress: self.clone(), _head: locked(&self.0.head).take() }
    }

    /// How many requests have begun.
    pub(super) fn begun(&self) -> usize {
        self.0.begun.load(Ordering::Relaxed)
    }

    /// Whether a request is being served.
    pub(super) fn is_served(&self) -> bool {
        self.0.is_served.load(Ordering::Relaxed)
    }

    /// Whether the last request was answered before all of its body had arrived.
    pub(super) fn is_unread(&self) -> bool {
        self.0.is_unread.load(Ordering::Relaxed)
    }

    /// Makes the share of a head that arrives this number of KiB; false where that is more than its client may have.
    pub(super) fn hold_head(&self, kib: usize, memory: &Arc<FairShare>, client: ClientKey) -> bool {
        let mut head = locked(&self.0.head);
        match &mut *head {
            Some(share) => share.grow_to(kib),
            none => {
                *none = memory.take(client, kib);
                none.is_some()
            }
        }
    }

    /// A request's body, watched until it is dropped.
    pub(crate) fn watch(&self, body: Incoming) -> WatchedBody {
        let rest = if body.is_end_stream() { Rest::Nothing } else { Rest::Some };
        WatchedBody { body: Some(body), rest, progress: self.clone() }
    }

    /// Reads what the service did not read of a body, if that is little and comes soon. Where this answers false, the
    /// connection cannot be used again.
    pub(crate) async fn read_rest(&self, is_expected: bool) -> bool {
        if !self.is_unread() {
            return true;
        }
        // a client that waits for `100 Continue` sends the body only if it is read
        let Some(body) = locked(&self.0.unread).take().filter(|_| !is_expected) else { return false };
        if body.size_hint().lower() > MAX_REST_BYTES as u64 {
            return false;
        }
        let is_read = tokio::time::timeout(REST_TIMEOUT, is_read(body)).await == Ok(true);
        self.0.is_unread.store(!is_read, Ordering::Relaxed);
        is_read
    }
}

/// Reads a short body; whether that was all.
async fn is_read(mut body: Incoming) -> bool {
    let mut bytes = 0;
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else { return false };
        bytes += frame.data_ref().map_or(0, Bytes::len);
        if bytes > MAX_REST_BYTES {
            return false;
        }
    }
    true
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A body that reports to its connection whether it was read to its end.
pub(crate) struct WatchedBody {
    /// `None` only while it is dropped.
    body: Option<Incoming>,
    rest: Rest,
    progress: RequestProgress,
}

/// What has not been read of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    Nothing,
    Some,
    /// The connection has failed within it.
    Lost,
}

impl Body for WatchedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let Self { body: Some(body), rest, .. } = &mut *self else { return Poll::Ready(None) };
        let frame = Pin::new(&mut *body).poll_frame(context);
        match &frame {
            Poll::Ready(Some(Err(_))) => *rest = Rest::Lost,
            Poll::Ready(None) if *rest == Rest::Some => *rest = Rest::Nothing,
            Poll::Ready(Some(Ok(_))) if body.is_end_stream() => *rest = Rest::Nothing,
            _ => {}
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map(Body::size_hint).unwrap_or_default()
    }
}

impl Drop for WatchedBody {
    fn drop(&mut self) {
        self.progress.0.is_unread.store(self.rest != Rest::Nothing, Ordering::Relaxed);
        if self.rest == Rest::Some {
            *locked(&self.progress.0.unread) = self.body.take();
        }
    }
}
