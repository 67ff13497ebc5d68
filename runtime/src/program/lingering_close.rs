//! Hanging up without taking back the last answer (RFC 9112, §9.6).
//!
//! A connection that is closed while bytes of the client are unread is reset, and a reset destroys what the client has
//! not read yet: a request that is refused before all of it has come would fail without a reason. So the service ends
//! its own half first, and reads on for a while.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// How long is read on at most.
const LINGER_TIMEOUT: Duration = Duration::from_secs(5);
/// Bytes that are read, and forgotten, at a time.
const SCRAP_BYTES: usize = 16 * 1024;

/// A stream that, once it is shut down, reads until the peer has ended as well.
///
/// Where the peer had been waited for since the last answer there is nothing to read on for: a connection that idled is
/// closed at once.
pub(crate) struct LingeringStream<S> {
    stream: S,
    /// Nothing had come after what was written last.
    is_idle: bool,
    /// While it reads on: until when.
    until: Option<Pin<Box<Sleep>>>,
}

impl<S> LingeringStream<S> {
    pub(crate) fn new(stream: S) -> Self {
        Self { stream, is_idle: false, until: None }
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
        let Self { stream, is_idle, until } = self.get_mut();
        let until = match until {
            Some(until) => until,
            None => {
                ready!(Pin::new(&mut *stream).poll_shutdown(context))?;
                if *is_idle {
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
