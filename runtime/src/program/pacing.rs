//! Disconnects clients that read too slowly: until a client has read its response, the service holds it in memory.

use super::stream_layer::StreamLayer;
use std::io;
use std::task::Poll;
use std::time::{Duration, Instant};
use tokio::io::AsyncWrite;

/// The least number of bytes per second that a client must read while the service waits for it. A slower client is
/// disconnected.
const MIN_ANSWER_RATE: usize = 8 * 1024;
/// How long a client may be slower.
const SLOW_ANSWER_PATIENCE: Duration = Duration::from_secs(15);

/// How fast a client must read.
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

/// The layer that fails once the reader is too slow. A reader that keeps up costs no call of the clock.
///
/// A slow reader is noticed when it takes something; a timeout disconnects a reader that takes nothing at all.
pub(super) struct PacingLayer {
    pace: Pace,
    /// While the stream is full: since when, and how many bytes the reader has taken.
    behind: Option<(Instant, usize)>,
}

impl PacingLayer {
    pub(super) fn new() -> Self {
        Self::with(Pace { rate: MIN_ANSWER_RATE, patience: SLOW_ANSWER_PATIENCE })
    }

    fn with(pace: Pace) -> Self {
        Self { pace, behind: None }
    }
}

impl<S: AsyncWrite + Unpin> StreamLayer<S> for PacingLayer {
    fn after_write(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
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

    /// The reader has caught up.
    fn before_flush(&mut self) {
        self.behind = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::stream_layer::LayeredStream;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    const PACE: Pace = Pace { rate: 100_000, patience: Duration::from_millis(100) };

    /// Sends bytes to a reader that takes some of them, pauses, and goes on.
    async fn sent(bytes: usize, at_once: usize, pause: Duration) -> io::Result<()> {
        let (stream, mut reader) = tokio::io::duplex(1024);
        let mut stream = LayeredStream::new(stream, PacingLayer::with(PACE));
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
    async fn a_slow_reader_is_disconnected() {
        let error = sent(64 * 1024, 1, Duration::from_millis(10)).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_fast_reader_is_served() {
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
