//! An issuer's keys, kept and got again: now and then, and when a token names one that is not known.
//!
//! One thread gets them, so there is never more than one request to the issuer under way, however many wait for its
//! answer; and there is a pause after each, so that made-up key ids cost the issuer nothing. What was got last is used
//! on while the issuer is away, for a day.

use super::keys::Keys;
use super::source::{FETCH_TIMEOUT, Source};
use crate::auth::key_timing::KeyTiming;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long a request waits for an attempt: a discovery document, the keys, and a little.
const PATIENCE: Duration = FETCH_TIMEOUT.saturating_mul(2).saturating_add(Duration::from_secs(1));

/// The state of an issuer's keys.
#[derive(Debug, Clone)]
pub(super) struct KeyState {
    keys: Option<FetchedKeys>,
    /// Attempts that have ended.
    pub(super) attempts: u64,
    /// When the next may begin.
    next: Instant,
    /// Why the last one failed.
    pub(super) failure: Option<Arc<str>>,
}

#[derive(Debug, Clone)]
struct FetchedKeys {
    keys: Arc<Keys>,
    until: Instant,
}

impl KeyState {
    fn nothing() -> Self {
        Self { keys: None, attempts: 0, next: Instant::now(), failure: None }
    }

    /// The keys, if they may still be used.
    pub(super) fn keys(&self) -> Option<&Arc<Keys>> {
        self.keys.as_ref().filter(|got| Instant::now() < got.until).map(|got| &got.keys)
    }

    /// Whether it is worth waiting for newer ones.
    pub(super) fn may_become_newer(&self) -> bool {
        self.next <= Instant::now()
    }
}

/// The keys of an issuer. Its thread ends when it is dropped.
pub(super) struct Cache {
    known: watch::Receiver<KeyState>,
    /// The attempt that requests wait for.
    wanted: watch::Sender<u64>,
}

impl Cache {
    /// Begins to get the keys.
    pub(super) fn start(source: Source, timing: KeyTiming) -> io::Result<Self> {
        let (publish, known) = watch::channel(KeyState::nothing());
        let (wanted, asked) = watch::channel(0);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = std::thread::Builder::new().name("issuer keys".to_owned());
        thread.spawn(move || runtime.block_on(keep(&source, timing, &publish, asked)))?;
        Ok(Self { known, wanted })
    }

    /// The present state.
    pub(super) fn known(&self) -> KeyState {
        self.known.borrow().clone()
    }

    /// The state after one more attempt.
    pub(super) async fn after(&self, attempts: u64) -> KeyState {
        let next = attempts + 1;
        self.wanted.send_if_modified(|wanted| *wanted < next && std::mem::replace(wanted, next) < next);
        let mut known = self.known.clone();
        match tokio::time::timeout(PATIENCE, known.wait_for(|known| known.attempts >= next)).await {
            Ok(Ok(known)) => known.clone(),
            _ => self.known(),
        }
    }
}

/// Fetches the keys repeatedly, until they are no longer used.
async fn keep(source: &Source, timing: KeyTiming, publish: &watch::Sender<KeyState>, mut asked: watch::Receiver<u64>) {
    loop {
        let got = source.keys().await;
        log_result(source, &publish.borrow(), &got);
        publish.send_modify(|known| note(known, got, timing));
        let (failed, attempts) = (publish.borrow().failure.is_some(), publish.borrow().attempts);
        tokio::time::sleep(timing.pause).await;
        let idle = if failed { Duration::ZERO } else { timing.refresh.saturating_sub(timing.pause) };
        let wanted = tokio::time::timeout(idle, asked.wait_for(|wanted| *wanted > attempts)).await;
        if matches!(wanted, Ok(Err(_))) || publish.is_closed() {
            return;
        }
    }
}

fn note(known: &mut KeyState, got: Result<Keys, String>, timing: KeyTiming) {
    let now = Instant::now();
    known.attempts += 1;
    known.next = now + timing.pause;
    match got {
        Ok(keys) => {
            known.keys = Some(FetchedKeys { keys: Arc::new(keys), until: now + timing.kept });
            known.failure = None;
        }
        Err(reason) => known.failure = Some(reason.into()),
    }
}

/// Says what has changed, once.
fn log_result(source: &Source, before: &KeyState, got: &Result<Keys, String>) {
    match got {
        Ok(keys) if before.failure.is_some() || before.attempts == 0 => {
            tracing::info!("tokens are checked with the {} keys of {source}", keys.len());
        }
        Err(reason) if before.attempts == 0 => {
            tracing::error!(
                "no keys from {source}: {reason}. Until there are some, requests with credentials are answered 503"
            );
        }
        Err(reason) if before.failure.is_none() => {
            tracing::warn!("no keys from {source}: {reason}. Those that there are stay in use for a day");
        }
        _ => {}
    }
    if let Ok(keys) = got
        && before.keys.as_ref().is_none_or(|before| before.keys.left_out != keys.left_out)
    {
        keys.left_out.iter().for_each(|reason| tracing::warn!("a key of {source} is not used; {reason}"));
    }
}
