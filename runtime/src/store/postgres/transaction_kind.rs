//! What a transaction is for, and the statements that begin it.

use std::time::Duration;

/// How long a group of changes waits for a lock. Whoever wants it waits for longer alone.
const GROUP_LOCK_TIMEOUT: Duration = Duration::from_millis(50);

/// How a transaction begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TransactionKind {
    /// Changes: its statements wait for those who have what they want, and see what is committed by then.
    Queued,
    /// Changes that have nothing to do with each other. Where one fails nothing of it stays, so none waits for long for
    /// what others have locked.
    Grouped,
    /// Reads, all of one moment, with a deadline for each statement.
    Snapshot(Duration),
}

impl TransactionKind {
    /// The statements that begin it, in one round trip. A read has its own deadline, set for this transaction only: a
    /// pooler may give the connection to somebody else after it. Changes have that of the session. A read has one
    /// server process, so that its deadline also bounds its CPU time. Nothing is compiled for a read: the server
    /// overestimates the rows of JSON functions, and would compile longer than it reads.
    pub(super) fn begin(self) -> String {
        match self {
            Self::Queued => "BEGIN ISOLATION LEVEL READ COMMITTED".to_owned(),
            Self::Grouped => format!(
                "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = {}",
                GROUP_LOCK_TIMEOUT.as_millis()
            ),
            Self::Snapshot(timeout) => format!(
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL jit = off; \
                 SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL statement_timeout = {}",
                // zero is none at all
                timeout.as_millis().max(1)
            ),
        }
    }
}
