//! Closes connections without losing the last response (RFC 9112, §9.6).
//!
//! If a connection is closed while bytes of the client are unread, TCP resets it, and the client loses what it has not
//! read yet: a request that is refused before all of it has arrived would fail without a reason. So the service closes
//! its own half first, and reads on for a while.

use super::request_progress::RequestProgress;
use super::stream_layer::StreamLayer;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// How long it reads on at most.
const LINGER_TIMEOUT: Duration = Duration::from_secs(5);
/// Bytes that are read at a time, and discarded.
const SCRAP_BYTES: usize = 16 * 1024;

/// The layer that reads on, once the stream is shut down, until the peer has ended as well.
///
/// If the service was waiting for the peer since its last response, and no body was still coming, there is nothing to
/// read: an idle connection is closed at once.
pub(super) struct LingeringLayer {
    progress: RequestProgress,
    /// Nothing has come since the last write.
    is_idle: bool,
    /// While it reads on: until when.
    until: Option<Pin<Box<Sleep>>>,
}

impl LingeringLayer {
    pub(super) fn new(progress: RequestProgress) -> Self {
        Self { progress, is_idle: false, until: None }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> StreamLayer<S> for LingeringLayer {
    fn after_read(&mut self, read: &Poll<io::Result<()>>, _: &mut ReadBuf<'_>, _: usize) {
        self.is_idle = read.is_pending();
    }

    fn after_write(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        self.is_idle = false;
        written
    }

    fn poll_close(&mut self, stream: &mut S, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { progress, is_idle, until } = self;
        let until = match until {
            Some(until) => until,
            None => {
                ready!(Pin::new(&mut *stream).poll_shutdown(context))?;
                if *is_idle && !progress.is_unread() {
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
