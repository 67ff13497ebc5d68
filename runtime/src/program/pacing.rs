//! A client that takes an answer too slowly is cut off: until then its answer is held in memory.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Bytes a second that a client takes at least of what is sent to it, while it keeps the service waiting: else the
/// connection is closed.
const MIN_ANSWER_RATE: usize = 8 * 1024;
/// How long a client may take less than that.
const SLOW_ANSWER_PATIENCE: Duration = Duration::from_secs(15);

/// What a client must take.
#[derive(Debug, Clone, Copy)]
struct Pace {
    /// Bytes a second.
    rate: usize,
    patience: Duration,
}

impl Pace {
    fn is_kept(self, taken: usize, elapsed: Duration) -> bool {
        let counted = elapsed.saturating_sub(self.patience);
        taken as f64 >= counted.as_secs_f64() * self.rate as f64
    }
}

/// A stream that fails once its reader is too slow. A reader that keeps up costs no look at the clock.
///
/// How slow it is can only be seen when it takes something; what takes nothing at all is left to a timeout.
pub(crate) struct PacedStream<S> {
    stream: S,
    pace: Pace,
    /// Since the stream was full: since when, and how many bytes were taken.
    behind: Option<(Instant, usize)>,
}

impl<S> PacedStream<S> {
    pub(crate) fn new(stream: S) -> Self {
        Self::with(stream, Pace { rate: MIN_ANSWER_RATE, patience: SLOW_ANSWER_PATIENCE })
    }

    fn with(stream: S, pace: Pace) -> Self {
        Self { stream, pace, behind: None }
    }

    fn note(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match (&written, &mut self.behind) {
            (Poll::Pending, None) => self.behind = Some((Instant::now(), 0)),
            (Poll::Pending, Some((since, taken))) if !self.pace.is_kept(*taken, since.elapsed()) => {
                return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the answer is taken too slowly")));
            }
            (Poll::Ready(Ok(bytes)), Some((_, taken))) => *taken += bytes,
            _ => {}
        }
        written
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PacedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PacedStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.note(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.note(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Called once all is written: the reader has caught up.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.behind = None;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    const PACE: Pace = Pace { rate: 100_000, patience: Duration::from_millis(100) };

    /// Sends so many bytes to a reader who takes some of them, pauses, and goes on.
    async fn sent(bytes: usize, at_once: usize, pause: Duration) -> io::Result<()> {
        let (stream, mut reader) = tokio::io::duplex(1024);
        let mut stream = PacedStream::with(stream, PACE);
        let reading = async move {
            let mut taken = vec![0; at_once];
            while reader.read(&mut taken).await.is_ok_and(|count| count > 0) {
                tokio::time::sleep(pause).await;
            }
        };
        let writing = async move {
            stream.write_all(&vec![b'x'; bytes]).await?;
            stream.flush().await
        };
        tokio::pin!(reading);
        tokio::select! {
            sent = writing => sent,
            () = reading => unreachable!("the stream is open"),
        }
    }

    #[tokio::test]
    async fn who_takes_a_byte_now_and_then_is_cut_off() {
        let error = sent(64 * 1024, 1, Duration::from_millis(10)).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn who_keeps_the_pace_is_served() {
        sent(256 * 1024, 1024, Duration::ZERO).await.unwrap();
    }

    #[test]
    fn the_pace_counts_after_a_while() {
        let after = |millis| Duration::from_millis(millis);
        assert!(PACE.is_kept(0, after(100)));
        assert!(!PACE.is_kept(99_999, after(1100)));
        assert!(PACE.is_kept(100_000, after(1100)));
    }
}
