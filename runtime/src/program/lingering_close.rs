//! Hanging up without taking back the last answer (RFC 9112, §9.6).
//!
//! A connection that is closed while bytes of the client are unread is reset, and a reset destroys what the client has
//! not read yet: a request that is refused before all of it has come would fail without a reason. So the service ends
//! its own half first, and reads on for a while.

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

/// How long is read on at most.
const LINGER_TIMEOUT: Duration = Duration::from_secs(5);
/// Bytes that are read, and forgotten, at a time.
const SCRAP_BYTES: usize = 16 * 1024;

/// Whether the last request on a connection was answered before all of its body had come.
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

/// A body that tells its connection whether it was read to its end.
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

/// A stream that, once it is shut down, reads until the peer has ended as well.
///
/// Where the peer had been waited for since the last answer, and no body was still coming, there is nothing to read on
/// for: a connection that idled is closed at once.
pub(crate) struct LingeringStream<S> {
    stream: S,
    unread: UnreadBody,
    /// Nothing had come after what was written last.
    is_idle: bool,
    /// While it reads on: until when.
    until: Option<Pin<Box<Sleep>>>,
}

impl<S> LingeringStream<S> {
    pub(crate) fn new(stream: S, unread: UnreadBody) -> Self {
        Self { stream, unread, is_idle: false, until: None }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for LingeringStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.is_idle = read.is_pending();
        read
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for LingeringStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.is_idle = false;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.is_idle = false;
        Pin::new(&mut self.stream).poll_write_vectored(context, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { stream, unread, is_idle, until } = self.get_mut();
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
