//! The latest answer to a question that many ask, such as whether the store is ready. One of them asks it, once a
//! second at most, and all get the answer.

use std::sync::{Arc, Mutex as StdMutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::time::Instant;

/// How long an answer is reused before the question is asked again.
const PROBE_PATIENCE: Duration = Duration::from_secs(1);

/// The latest answer to a question.
#[derive(Debug)]
pub(crate) struct Latest<T> {
    /// Locked by the request that asks.
    asking: Arc<Mutex<()>>,
    answer: Arc<StdMutex<Option<CachedValue<T>>>>,
}

/// An answer.
#[derive(Debug, Clone)]
struct CachedValue<T> {
    at: Instant,
    /// The stamp of the request that asked.
    stamp: u64,
    answer: T,
}

impl<T> Default for Latest<T> {
    fn default() -> Self {
        Self { asking: Arc::default(), answer: Arc::default() }
    }
}

impl<T: Clone + Send + 'static> Latest<T> {
    /// The latest answer, while it is fresh or another request asks again already; else the answer to `ask`, which is
    /// asked to the end even if no request waits for it any more. An answer with another `stamp` is too old: then it is
    /// waited until the question may be asked again. `None`: asking it panicked.
    pub(crate) async fn get<F>(&self, stamp: u64, ask: impl FnOnce() -> F) -> Option<T>
    where
        F: Future<Output = T> + Send + 'static,
    {
        loop {
            // lock before reading: the holder sees the answer of the holder before
            let turn = Arc::clone(&self.asking).try_lock_owned();
            let known = self.answer.lock().unwrap_or_else(PoisonError::into_inner).clone();
            match (turn, known) {
                (turn, Some(known)) if known.at.elapsed() < PROBE_PATIENCE => {
                    if known.stamp == stamp {
                        return Some(known.answer);
                    }
                    drop(turn);
                    tokio::time::sleep_until(known.at + PROBE_PATIENCE).await;
                }
                (Ok(turn), _) => return self.ask(turn, stamp, ask()).await,
                (Err(_), Some(known)) if known.stamp == stamp => return Some(known.answer),
                // another request asks already
                (Err(_), _) => drop(self.asking.lock().await),
            }
        }
    }

    async fn ask(
        &self,
        turn: OwnedMutexGuard<()>,
        stamp: u64,
        asking: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let known = Arc::clone(&self.answer);
        let asked = tokio::spawn(async move {
            let answer = asking.await;
            let at = Instant::now();
            *known.lock().unwrap_or_else(PoisonError::into_inner) =
                Some(CachedValue { at, stamp, answer: answer.clone() });
            drop(turn);
            answer
        });
        asked.await.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Asks so often at once; how often the question was asked by then.
    async fn asked(latest: &Latest<usize>, times: usize, count: &Arc<AtomicUsize>) -> Vec<Option<usize>> {
        let ask = || {
            let count = Arc::clone(count);
            async move {
                tokio::time::sleep(Duration::from_millis(20)).await;
                count.fetch_add(1, Ordering::SeqCst) + 1
            }
        };
        futures_util::future::join_all((0..times).map(|_| latest.get(0, ask))).await
    }

    #[tokio::test]
    async fn many_who_ask_at_once_cost_one_question() {
        let (latest, count) = (Latest::default(), Arc::default());
        for _ in 0..3 {
            assert_eq!(asked(&latest, 200, &count).await, vec![Some(1); 200]);
        }
    }

    #[tokio::test]
    async fn a_stale_answer_is_given_while_another_request_refreshes_it() {
        let (latest, count) = (Latest::default(), Arc::default());
        asked(&latest, 1, &count).await;
        tokio::time::sleep(PROBE_PATIENCE).await;
        let answers = asked(&latest, 100, &count).await;
        assert_eq!(answers.iter().filter(|answer| **answer == Some(2)).count(), 1);
        assert_eq!(count.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn what_has_happened_since_is_waited_for_but_not_asked_for_at_once() {
        let (latest, begun) = (Latest::default(), Instant::now());
        for stamp in 0..3 {
            assert_eq!(latest.get(stamp, || async move { stamp }).await, Some(stamp));
        }
        assert!(begun.elapsed() >= 2 * PROBE_PATIENCE);
    }

    #[tokio::test]
    async fn who_leaves_does_not_make_the_next_ask_again() {
        let (latest, count) = (Latest::default(), Arc::default());
        let left = tokio::time::timeout(Duration::from_millis(1), asked(&latest, 1, &count)).await;
        assert!(left.is_err());
        assert_eq!(asked(&latest, 10, &count).await, vec![Some(1); 10]);
    }
}
