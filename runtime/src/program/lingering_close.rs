//! Closes connections without losing the last response (RFC 9112, §9.6).
//!
//! If a connection is closed while bytes of the client are unread, TCP resets it, and the client loses what it has not
//! read yet: a request that is refused before all of it has arrived would fail without a reason. So the service closes
//! its own half first, and reads on for a while.

use super::stream_layer::StreamLayer;
use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// How long it reads on at most.
const LINGER_TIMEOUT: Duration = Duration::from_secs(5);
/// Bytes that are read at a time, and discarded.
const SCRAP_BYTES: usize = 16 * 1024;

/// Whether the last request on a connection was answered before all of its body had arrived.
#[derive(Debug, Clone, Default)]
pub(crate) struct UnreadBody(Arc<AtomicBool>);

impl UnreadBody {
    /// A request's body, watched until it is dropped.
    pub(crate) fn watch(&self, body: Incoming) -> WatchedBody {
        WatchedBody { is_whole: body.is_end_stream(), body, unread: self.clone() }
    }

    fn set(&self, is_unread: bool) {
        self.0.store(is_unread, Ordering::Relaxed);
    }

    fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A body that reports to its connection whether it was read to its end.
pub(crate) struct WatchedBody {
    body: Incoming,
    is_whole: bool,
    unread: UnreadBody,
}

impl Body for WatchedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        self.is_whole |= matches!(frame, Poll::Ready(None)) || self.body.is_end_stream();
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for WatchedBody {
    fn drop(&mut self) {
        self.unread.set(!self.is_whole);
    }
}

/// The layer that reads on, once the stream is shut down, until the peer has ended as well.
///
/// If the service was waiting for the peer since its last response, and no body was still coming, there is nothing to
/// read: an idle connection is closed at once.
pub(super) struct LingeringLayer {
    unread: UnreadBody,
    /// Nothing has come since the last write.
    is_idle: bool,
    /// While it reads on: until when.
    until: Option<Pin<Box<Sleep>>>,
}

impl LingeringLayer {
    pub(super) fn new(unread: UnreadBody) -> Self {
        Self { unread, is_idle: false, until: None }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> StreamLayer<S> for LingeringLayer {
    fn after_read(&mut self, read: &Poll<io::Result<()>>) {
        self.is_idle = read.is_pending();
    }

    fn after_write(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        self.is_idle = false;
        written
    }

    fn poll_close(&mut self, stream: &mut S, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { unread, is_idle, until } = self;
        let until = match until {
            Some(until) => until,
            None => {
                ready!(Pin::new(&mut *stream).poll_shutdown(context))?;
                if *is_idle && !unread.get() {
                    return Poll::Ready(Ok(()));
                }
                until.insert(Box::pin(tokio::time::sleep(LINGER_TIMEOUT)))
            }
        };
        let mut scrap = [0; SCRAP_BYTES];
        while until.as_mut().poll(context).is_pending() {
            let mut buffer = ReadBuf::new(&mut scrap);
            // an error is an end, too
            let read = ready!(Pin::new(&mut *stream).poll_read(context, &mut buffer));
            if read.is_err() || buffer.filled().is_empty() {
                break;
            }
        }
        Poll::Ready(Ok(()))
    }
}
