//! Why requests and commands failed whose errors tell clients nothing: tests ask for it, by the trace.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use uuid::Uuid;

/// Reasons that are kept at most: the newest.
const MAX_REASONS: usize = 100;

/// The reasons of the newest failures; none, unless they are asked for.
#[derive(Debug, Default)]
pub(crate) struct Reasons {
    is_asked: AtomicBool,
    kept: Mutex<VecDeque<(Uuid, String)>>,
}

impl Reasons {
    /// Keeps them from now on: the service is one under test.
    pub(crate) fn keep(&self) {
        self.is_asked.store(true, Ordering::Relaxed);
    }

    /// Why something failed in this trace.
    pub(crate) fn note(&self, trace: Uuid, reason: &str) {
        if self.is_asked.load(Ordering::Relaxed) {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.truncate(MAX_REASONS - 1);
            kept.push_front((trace, reason.to_owned()));
        }
    }

    /// The newest reason of a trace.
    pub(crate) fn of(&self, trace: Uuid) -> Option<String> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(of, _)| *of == trace).map(|(_, reason)| reason.clone())
    }
}

/// What a panic says.
pub(crate) fn panic_text(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    text.map_or_else(|| "it panicked".to_owned(), |text| format!("it panicked: {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_are_kept_once_they_are_asked_for() {
        let (reasons, trace) = (Reasons::default(), Uuid::from_u128);
        reasons.note(trace(1), "early");
        assert_eq!(reasons.of(trace(1)), None);
        reasons.keep();
        (0..=MAX_REASONS).for_each(|number| reasons.note(trace(number as u128), &number.to_string()));
        assert_eq!([reasons.of(trace(0)), reasons.of(trace(1))], [None, Some("1".to_owned())]);
    }
}
