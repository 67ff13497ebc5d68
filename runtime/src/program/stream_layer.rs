//! Streams that wrap the stream of a connection. A layer says what it adds; everything else is passed on here.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf, Take};

/// What a layer adds to reads and writes of the stream below it: by default, nothing.
pub(super) trait StreamLayer<S: AsyncWrite + Unpin> {
    /// The bytes that the next read may take at most, not 0.
    fn most(&self) -> u64 {
        u64::MAX
    }

    /// Sees the result of each read, and the buffer, which had the first `_before` of its bytes already.
    fn after_read(&mut self, _read: &Poll<io::Result<()>>, _buffer: &mut ReadBuf<'_>, _before: usize) {}

    /// Writes its own bytes, before anything else is written.
    fn poll_own(&mut self, _stream: &mut S, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    /// Takes bytes that shall not reach the stream, and returns their number.
    fn replace(&mut self, _bytes: &[u8]) -> Option<usize> {
        None
    }

    /// Sees the result of each write, and may change it.
    fn after_write(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        written
    }

    /// Sees that everything was written.
    fn before_flush(&mut self) {}

    /// Closes the stream.
    fn poll_close(&mut self, stream: &mut S, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(stream).poll_shutdown(context)
    }
}

/// A stream with a layer.
pub(super) struct LayeredStream<S, L> {
    stream: Take<S>,
    layer: L,
}

impl<S: AsyncRead, L> LayeredStream<S, L> {
    pub(super) fn new(stream: S, layer: L) -> Self {
        Self { stream: stream.take(u64::MAX), layer }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin, L: StreamLayer<S> + Unpin> AsyncRead for LayeredStream<S, L> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { stream, layer } = &mut *self;
        stream.set_limit(layer.most());
        let before = buffer.filled().len();
        let read = Pin::new(stream).poll_read(context, buffer);
        layer.after_read(&read, buffer, before);
        read
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin, L: StreamLayer<S> + Unpin> AsyncWrite for LayeredStream<S, L> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let Self { stream, layer } = self.get_mut();
        let stream = stream.get_mut();
        ready!(layer.poll_own(stream, context))?;
        match layer.replace(bytes) {
            Some(taken) => Poll::Ready(Ok(taken)),
            None => layer.after_write(Pin::new(stream).poll_write(context, bytes)),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let Self { stream, layer } = self.get_mut();
        let stream = stream.get_mut();
        ready!(layer.poll_own(stream, context))?;
        match bytes.first().and_then(|first| layer.replace(first)) {
            Some(taken) => Poll::Ready(Ok(taken)),
            None => layer.after_write(Pin::new(stream).poll_write_vectored(context, bytes)),
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.get_ref().is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { stream, layer } = self.get_mut();
        let stream = stream.get_mut();
        ready!(layer.poll_own(stream, context))?;
        layer.before_flush();
        Pin::new(stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { stream, layer } = self.get_mut();
        let stream = stream.get_mut();
        ready!(layer.poll_own(stream, context))?;
        layer.poll_close(stream, context)
    }
}
