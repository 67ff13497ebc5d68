//! Bounds the log: how often a line is written, and the length of what clients sent in it.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Bytes of what a client can determine in one line of the log (a path, a reason). Beyond it the text is cut, and ends
/// with an ellipsis.
const MAX_LOGGED_BYTES: usize = 1024;

/// Writes a line of the log at most once a second, with how many were left out since the one before.
#[derive(Debug, Default)]
pub(crate) struct LogThrottle {
    /// When the last line was written, in seconds since 1970.
    written: AtomicU64,
    left_out: AtomicU64,
}

impl LogThrottle {
    /// One that has written nothing yet.
    pub(crate) const fn new() -> Self {
        Self { written: AtomicU64::new(0), left_out: AtomicU64::new(0) }
    }

    /// Writes a line, which is given how many were left out, unless one was written in this second.
    pub(crate) fn write(&self, write: impl FnOnce(u64)) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        if self.written.swap(now, Ordering::Relaxed) == now {
            self.left_out.fetch_add(1, Ordering::Relaxed);
        } else {
            write(self.left_out.swap(0, Ordering::Relaxed));
        }
    }
}

/// Writes a line of the log as `tracing` does, `throttled!(warn, %reason, "…")`, at most once a second; its field
/// `others` counts those that were left out. For every line that a client can cause.
macro_rules! throttled {
    ($level:ident, $($line:tt)+) => {{
        static LINE: $crate::observe::log_throttle::LogThrottle = $crate::observe::log_throttle::LogThrottle::new();
        LINE.write(|others| tracing::$level!(others, $($line)+));
    }};
}
pub(crate) use throttled;

/// A text that a client can determine, as long as a line of the log may have it.
pub(crate) fn logged(text: &str) -> Cow<'_, str> {
    if text.len() <= MAX_LOGGED_BYTES {
        return Cow::Borrowed(text);
    }
    let end = text.floor_char_boundary(MAX_LOGGED_BYTES);
    Cow::Owned(format!("{}…", &text[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn a_line_is_written_once_a_second_with_how_many_were_left_out() {
        let throttle = LogThrottle::new();
        let lines = RefCell::new(Vec::new());
        for _ in 0..1000 {
            throttle.write(|others| lines.borrow_mut().push(others));
        }
        // a second may end in between
        assert!((1..=2).contains(&lines.borrow().len()), "{lines:?}");
        throttle.written.store(0, Ordering::Relaxed);
        throttle.write(|others| lines.borrow_mut().push(others));
        let lines = lines.into_inner();
        assert_eq!(lines.iter().sum::<u64>() + lines.len() as u64, 1001, "none is forgotten: {lines:?}");
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(logged("/offers"), "/offers");
        let text = logged(&"ä".repeat(5000)).into_owned();
        assert!(text.len() <= MAX_LOGGED_BYTES + '…'.len_utf8(), "{}", text.len());
        assert!(text.starts_with('ä') && text.ends_with("ä…"));
    }
}
