//! What a transaction is for, and the statements that begin it.

use std::borrow::Cow;
use std::time::Duration;

/// How long a group of writes waits for a lock. The write that needs it is repeated alone, with a longer wait.
const GROUP_LOCK_TIMEOUT: Duration = Duration::from_millis(50);

/// How a transaction begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TransactionKind {
    /// Changes. Statements wait for locks, and see what was committed before they continue.
    Queued,
    /// Independent writes. If one fails, all are rolled back; so statements wait for locks only briefly. They find rows
    /// by their keys, and each statement has one plan for all values: planned for each execution, because the arrays of
    /// rows differ in length, they took the server a fifth more time. The server keeps such a plan for long, and one
    /// that was made for a small table would read all of a large one.
    Grouped,
    /// Reads from one snapshot, with a deadline for each statement.
    Snapshot(Duration),
    /// The same, with statements that are planned for their values.
    PlannedSnapshot(Duration),
}

/// Plans each statement for its values. Otherwise the server settles after some executions for one plan for all values,
/// if it expects that to cost less on average: for a caller with few entities that plan may read all of the table.
pub(super) const PLAN_EACH: &str = "SET LOCAL plan_cache_mode = force_custom_plan";
/// Lets statements that are executed many times have one plan.
pub(super) const REUSE_PLANS: &str = "SET LOCAL plan_cache_mode = auto";

impl TransactionKind {
    /// The statements that begin it, in one round trip. A read has its own deadline, set for this transaction only,
    /// because a pooler may give the connection to another client after it. Changes have the deadline of the session.
    /// A read has one server process, so that its deadline also bounds its CPU time. JIT compilation is off: the server
    /// overestimates the rows of JSON functions, and compiles a long condition for longer than it evaluates it.
    pub(super) fn begin(self) -> Cow<'static, str> {
        match self {
            Self::Queued => "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL jit = off".into(),
            Self::Grouped => format!(
                "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL jit = off; SET LOCAL enable_seqscan = off; \
                 SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL lock_timeout = {}",
                GROUP_LOCK_TIMEOUT.as_millis()
            )
            .into(),
            Self::Snapshot(timeout) => format!(
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL jit = off; \
                 SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL statement_timeout = {}",
                // zero would mean no timeout
                timeout.as_millis().max(1)
            )
            .into(),
            Self::PlannedSnapshot(timeout) => format!("{}; {PLAN_EACH}", Self::Snapshot(timeout).begin()).into(),
        }
    }

    /// The deadline of each statement of a read; `None` for changes.
    pub(super) fn read_timeout(self) -> Option<Duration> {
        match self {
            Self::Snapshot(timeout) | Self::PlannedSnapshot(timeout) => Some(timeout),
            Self::Queued | Self::Grouped => None,
        }
    }
}
