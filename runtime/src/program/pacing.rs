//! Disconnects clients that read too slowly: until a client has read its response, the service holds it in memory.
//!
//! A small response has no share of the memory for responses, so that it costs nothing. If its client lets the service
//! wait, the connection takes one of the memory for unread responses; where there is none left, it is closed.

use super::stream_layer::StreamLayer;
use crate::fair_share::{FairShare, Share};
use crate::limits::ClientKey;
use crate::serve::answers::{SMALL_ANSWER_BYTES, kib};
use std::io;
use std::sync::Arc;
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
    /// The memory for responses that are not read.
    memory: Arc<FairShare>,
    client: ClientKey,
    /// While the stream is full: how far the reader is behind.
    behind: Option<Behind>,
}

/// A reader that the service waits for.
struct Behind {
    since: Instant,
    /// Bytes that it has taken since then.
    taken: usize,
    _share: Share,
}

impl PacingLayer {
    pub(super) fn new(memory: Arc<FairShare>, client: ClientKey) -> Self {
        Self::with(Pace { rate: MIN_ANSWER_RATE, patience: SLOW_ANSWER_PATIENCE }, memory, client)
    }

    fn with(pace: Pace, memory: Arc<FairShare>, client: ClientKey) -> Self {
        Self { pace, memory, client, behind: None }
    }

    fn begin_to_wait(&mut self) -> io::Result<()> {
        let share = self.memory.take(self.client, kib(SMALL_ANSWER_BYTES));
        let share = share.ok_or_else(|| io::Error::new(io::ErrorKind::QuotaExceeded, "too many answers are unread"))?;
        self.behind = Some(Behind { since: Instant::now(), taken: 0, _share: share });
        Ok(())
    }
}

impl<S: AsyncWrite + Unpin> StreamLayer<S> for PacingLayer {
    fn after_write(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match (&written, &mut self.behind) {
            (Poll::Pending, None) => {
                if let Err(error) = self.begin_to_wait() {
                    return Poll::Ready(Err(error));
                }
            }
            (Poll::Pending, Some(behind)) if !self.pace.is_kept(behind.taken, behind.since.elapsed()) => {
                return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the answer is taken too slowly")));
            }
            (Poll::Ready(Ok(bytes)), Some(behind)) => behind.taken += bytes,
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
    use futures_util::FutureExt;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    const PACE: Pace = Pace { rate: 100_000, patience: Duration::from_millis(100) };

    fn layer(kib: usize) -> PacingLayer {
        PacingLayer::with(PACE, FairShare::new(kib), ClientKey::of(None, None))
    }

    /// Sends bytes to a reader that takes some of them, pauses, and goes on.
    async fn sent(bytes: usize, at_once: usize, pause: Duration) -> io::Result<()> {
        let (stream, mut reader) = tokio::io::duplex(1024);
        let mut stream = LayeredStream::new(stream, layer(1024));
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

    #[tokio::test]
    async fn unread_answers_have_a_share_until_they_are_read() {
        let memory = FairShare::new(4 * kib(SMALL_ANSWER_BYTES));
        let connect = || {
            let (stream, reader) = tokio::io::duplex(1024);
            let layer = PacingLayer::with(PACE, Arc::clone(&memory), ClientKey::of(None, None));
            (LayeredStream::new(stream, layer), reader)
        };
        let mut unread: Vec<_> = (0..3).map(|_| connect()).collect();
        let mut outcomes = Vec::new();
        for (stream, _) in &mut unread {
            stream.write_all(&[b'x'; 1024]).await.unwrap();
            assert_eq!(memory.held(), outcomes.len() * kib(SMALL_ANSWER_BYTES), "what is taken at once has none");
            let written = stream.write_all(b"x").now_or_never();
            outcomes.push(written.map(|written| written.map_err(|error| error.kind())));
        }
        // one client has half
        assert_eq!(outcomes, [None, None, Some(Err(io::ErrorKind::QuotaExceeded))]);
        let (stream, reader) = &mut unread[0];
        reader.read_exact(&mut [0; 1024]).await.unwrap();
        stream.write_all(b"x").await.unwrap();
        stream.flush().await.unwrap();
        assert_eq!(memory.held(), kib(SMALL_ANSWER_BYTES));
        drop(unread);
        assert_eq!(memory.held(), 0);
    }

    #[test]
    fn the_pace_counts_after_a_while() {
        let after = |millis| Duration::from_millis(millis);
        assert!(PACE.is_kept(0, after(100)));
        assert!(!PACE.is_kept(99_999, after(1100)));
        assert!(PACE.is_kept(100_000, after(1100)));
    }
}
