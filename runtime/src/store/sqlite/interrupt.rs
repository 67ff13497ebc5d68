//! What ends a read early: its deadline, a client that has gone, or a budget of steps.
//!
//! SQLite calls a progress handler each time a statement has taken [`STRIDE`] steps of its virtual machine. The handler
//! checks the limits of the read that its thread is running, and interrupts the statement when one is passed.
//!
//! What a read may take is CPU time of its thread: on a busy machine the clock goes on while the read waits for a core.
//! A longer limit by the clock ends it there, too.

use crate::store::{ReadLimits, StoreError};
use metrics::Counter;
use rusqlite::Connection;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// Steps between two calls of the progress handler.
const STRIDE: u16 = 512;

/// The state of a read: whether it has begun, and whether a client still waits for it.
#[derive(Debug, Default)]
pub(super) struct ReadTicket(AtomicU8);

const WAITING: u8 = 0;
const BEGUN: u8 = 1;
const GONE: u8 = 2;

impl ReadTicket {
    /// Begins the read; false if its client has left.
    pub(super) fn begin(&self) -> bool {
        self.0.compare_exchange(WAITING, BEGUN, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Cancels a read that has not begun; false if it has.
    pub(super) fn give_up(&self) -> bool {
        self.0.compare_exchange(WAITING, GONE, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// The client has left: the read is not begun, or it is interrupted.
    pub(super) fn cancel(&self) {
        self.0.store(GONE, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed) == GONE
    }
}

/// Why a read was interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StopReason {
    Deadline,
    Cancelled,
    Budget,
}

/// The read that a thread is running.
struct RunningRead {
    /// `None`: the connection does something that has no limits.
    limits: Cell<Option<ReadLimits>>,
    /// Set by the first stride, so that a short read never asks for the time.
    began: Cell<Option<ReadTimes>>,
    ticket: RefCell<Option<Arc<ReadTicket>>>,
    /// Steps that may still be taken; `None`: any number.
    budget: Cell<Option<u64>>,
    stopped: Cell<Option<StopReason>>,
}

/// When a read began.
#[derive(Debug, Clone, Copy)]
struct ReadTimes {
    clock: Instant,
    /// The CPU time that its thread had taken before.
    cpu: Duration,
}

impl ReadTimes {
    /// Whether limits are passed, so long after the beginning. The CPU time costs a system call, and is never more than
    /// the time by the clock.
    fn are_passed(self, limits: ReadLimits, by_clock: Duration, cpu: impl Fn() -> Duration) -> bool {
        by_clock >= limits.clock || by_clock >= limits.cpu && cpu().saturating_sub(self.cpu) >= limits.cpu
    }
}

/// The CPU time that this thread has taken.
#[cfg(unix)]
fn thread_cpu_time() -> Duration {
    let taken = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(taken).unwrap_or_default()
}

/// Elsewhere the clock stands for it.
#[cfg(not(unix))]
fn thread_cpu_time() -> Duration {
    static STARTED: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    STARTED.elapsed()
}

thread_local! {
    static RUNNING: RunningRead = const {
        RunningRead {
            limits: Cell::new(None),
            began: Cell::new(None),
            ticket: RefCell::new(None),
            budget: Cell::new(None),
            stopped: Cell::new(None),
        }
    };
}

/// Has the reads of a connection watched, and their steps counted.
pub(super) fn watch(connection: &mut Connection, steps: Counter) -> rusqlite::Result<()> {
    let handler = move || {
        steps.increment(STRIDE.into());
        RUNNING.with(RunningRead::is_over)
    };
    connection.progress_handler(STRIDE.into(), Some(handler))
}

/// Runs a read on this thread that ends at its limits, or when its client has left. `narrow` is what would make it
/// cheaper.
pub(super) fn limited<T>(
    limits: ReadLimits,
    ticket: Option<Arc<ReadTicket>>,
    narrow: &str,
    read: impl FnOnce() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    RUNNING.with(|running| running.begin(limits, ticket));
    let done = read();
    match RUNNING.with(RunningRead::end) {
        None | Some(StopReason::Budget) => done,
        Some(StopReason::Deadline) => Err(StoreError::TooCostly(narrow.to_owned())),
        Some(StopReason::Cancelled) => Err(StoreError::Unavailable("the client has left".to_owned())),
    }
}

/// Runs a read that ends at its limits, unless it is a part of one that has them already.
pub(super) fn in_time<T>(
    limits: ReadLimits,
    narrow: &str,
    read: impl FnOnce() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    match RUNNING.with(|running| running.limits.get()) {
        Some(_) => read(),
        None => limited(limits, None, narrow, read),
    }
}

/// Runs a part of a read with a budget. `None`: it took more steps than that, and was broken off.
pub(super) fn within<T>(steps: u64, work: impl FnOnce() -> Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    RUNNING.with(|running| running.budget.set(Some(steps)));
    let done = work();
    let is_over_budget = RUNNING.with(|running| {
        running.budget.set(None);
        let is_over_budget = running.stopped.get() == Some(StopReason::Budget);
        if is_over_budget {
            running.stopped.set(None);
        }
        is_over_budget
    });
    if is_over_budget { Ok(None) } else { done.map(Some) }
}

impl RunningRead {
    fn begin(&self, limits: ReadLimits, ticket: Option<Arc<ReadTicket>>) {
        self.limits.set(Some(limits));
        self.began.set(None);
        self.stopped.set(None);
        if ticket.is_some() {
            self.ticket.replace(ticket);
        }
    }

    fn end(&self) -> Option<StopReason> {
        self.limits.set(None);
        self.ticket.take();
        self.stopped.take()
    }

    /// Called after each stride: whether the statement is to be broken off.
    fn is_over(&self) -> bool {
        if self.stopped.get().is_none() {
            self.stopped.set(self.passed());
        }
        self.stopped.get().is_some()
    }

    /// The limit that is passed now.
    fn passed(&self) -> Option<StopReason> {
        if self.ticket.borrow().as_ref().is_some_and(|ticket| ticket.is_cancelled()) {
            return Some(StopReason::Cancelled);
        }
        if let Some(limits) = self.limits.get() {
            match self.began.get() {
                Some(began) if began.are_passed(limits, began.clock.elapsed(), thread_cpu_time) => {
                    return Some(StopReason::Deadline);
                }
                Some(_) => {}
                None => self.began.set(Some(ReadTimes { clock: Instant::now(), cpu: thread_cpu_time() })),
            }
        }
        let left = self.budget.get()?.saturating_sub(STRIDE.into());
        self.budget.set(Some(left));
        (left == 0).then_some(StopReason::Budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

    /// So much by the clock and of the CPU.
    fn for_millis(millis: u64) -> ReadLimits {
        let time = Duration::from_millis(millis);
        ReadLimits { cpu: time, clock: time }
    }

    fn endless() -> ReadLimits {
        ReadLimits { cpu: Duration::MAX, clock: Duration::MAX }
    }

    #[test]
    fn a_busy_machine_takes_nothing_from_a_read() {
        let limits = ReadLimits { cpu: Duration::from_secs(5), clock: Duration::from_secs(20) };
        let began = ReadTimes { clock: Instant::now(), cpu: Duration::from_secs(100) };
        let passed = |by_clock: f64, cpu: f64| {
            began.are_passed(limits, Duration::from_secs_f64(by_clock), || Duration::from_secs_f64(100.0 + cpu))
        };
        assert!(!passed(4.9, 4.9));
        assert!(!passed(5.0, 1.3), "it has waited for a core");
        assert!(!passed(19.9, 4.9));
        assert!(passed(5.1, 5.0));
        assert!(passed(20.0, 0.1), "nobody waits for longer");
        let unasked = || -> Duration { panic!("a short read asks for no CPU time") };
        assert!(!began.are_passed(limits, Duration::from_secs(4), unasked));
    }

    #[test]
    fn the_cpu_time_of_a_read_ends_it() {
        let connection = connection();
        let limits = ReadLimits { cpu: Duration::from_millis(5), clock: Duration::MAX };
        let done = limited(limits, None, "less", || count(&connection, ENDLESS));
        assert_eq!(done, Err(StoreError::TooCostly("less".to_owned())));
    }

    fn connection() -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        watch(&mut connection, Counter::noop()).unwrap();
        connection
    }

    fn count(connection: &Connection, sql: &str) -> Result<i64, StoreError> {
        Ok(connection.query_row(sql, [], |row| row.get(0))?)
    }

    #[test]
    fn a_read_ends_at_its_deadline_and_says_what_to_narrow() {
        let connection = connection();
        let narrow = "add a filter";
        let done = limited(for_millis(1), None, narrow, || count(&connection, ENDLESS));
        assert_eq!(done, Err(StoreError::TooCostly("add a filter".to_owned())));
        let next = limited(for_millis(60_000), None, narrow, || count(&connection, "SELECT 7"));
        assert_eq!(next, Ok(7));
    }

    #[test]
    fn a_read_ends_when_nobody_waits_for_it() {
        let connection = connection();
        let ticket = Arc::<ReadTicket>::default();
        let waiting = Arc::clone(&ticket);
        let client = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            waiting.cancel();
        });
        let done = limited(endless(), Some(ticket), "", || count(&connection, ENDLESS));
        assert!(matches!(done, Err(StoreError::Unavailable(_))), "{done:?}");
        client.join().unwrap();
    }

    #[test]
    fn a_part_of_a_read_has_the_deadline_of_the_whole() {
        let connection = connection();
        let alone = in_time(for_millis(5), "less", || count(&connection, ENDLESS));
        assert_eq!(alone, Err(StoreError::TooCostly("less".to_owned())));
        let part = || in_time(endless(), "", || count(&connection, ENDLESS));
        let whole = limited(for_millis(5), None, "all", part);
        assert_eq!(whole, Err(StoreError::TooCostly("all".to_owned())));
        assert_eq!(in_time(for_millis(60_000), "", || count(&connection, "SELECT 7")), Ok(7));
    }

    #[test]
    fn a_budget_ends_a_part_of_a_read_and_a_deadline_all_of_it() {
        let connection = connection();
        let read = || {
            assert_eq!(within(10_000, || count(&connection, ENDLESS))?, None);
            assert_eq!(within(10_000, || count(&connection, "SELECT 7"))?, Some(7));
            within(u64::MAX, || count(&connection, ENDLESS))
        };
        let done = limited(for_millis(5), None, "less", read);
        assert_eq!(done, Err(StoreError::TooCostly("less".to_owned())));
    }
}
