//! Moving what the write-ahead log holds into the database file, beside the writes.
//!
//! SQLite would do it inside a COMMIT, which would wait for it. Here a separate thread does the slow part while commits
//! continue. Because they continue, it never catches up completely, and the log could not start over: past a size, the
//! writer does the short rest itself, right after the thread has done its part. The log cannot start over either while
//! it is read, and there may always be a reader: past a greater size, the writer waits for the present reads, which end
//! soon (`READ_TIMEOUT`); reads that begin meanwhile use the file.

use super::connection::{SqliteLocation, open_reader};
use crate::observe::log_throttle::throttled;
use rusqlite::Connection;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, SyncSender};
use std::thread::JoinHandle;

/// Bytes of the log past which the thread moves them into the file.
const CHECKPOINT_BYTES: u64 = 16 * 1024 * 1024;
/// Bytes of the log past which the writer does what the thread has left.
const HELP_BYTES: u64 = 48 * 1024 * 1024;
/// Bytes of the log past which the writer waits for those who read from it, and to which the log shrinks when it starts
/// over: to cut off what is written anew soon takes as long as hundreds of commits. Only another program that reads for
/// longer than the writer waits makes it longer than this and one batch.
const MAX_LOG_BYTES: u64 = 96 * 1024 * 1024;
/// Bytes of a page's header in the log.
const FRAME_HEADER_BYTES: u64 = 24;

/// The writer's side: checks the size of the log, and starts checkpoints.
pub(super) struct Checkpoints {
    /// `None` once it is to end.
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    /// The thread has done its part since the last commit.
    has_ended: Arc<AtomicBool>,
    log: WriteAheadLog,
    /// The sizes of the log at which something is done next.
    next: Thresholds,
}

/// The write-ahead log, as the last commit left it.
#[derive(Debug, Clone)]
struct WriteAheadLog {
    page_bytes: u64,
    /// Set by SQLite when a commit has written to it.
    frames: Arc<AtomicU64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Thresholds {
    checkpoint: u64,
    wait: u64,
    /// What the log had when it was last looked at.
    last: u64,
}

/// What a log of some size asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CheckpointDue {
    Nothing,
    Checkpoint,
    Help,
    Wait,
}

impl Checkpoints {
    /// Starts the thread and takes the work from SQLite; `None` for a database without a log, in memory.
    pub(super) fn start(location: &SqliteLocation, writer: &mut Connection) -> rusqlite::Result<Option<Self>> {
        if matches!(location, SqliteLocation::Memory(_)) {
            return Ok(None);
        }
        writer.execute_batch(&format!("PRAGMA journal_size_limit = {MAX_LOG_BYTES}"))?;
        let log = WriteAheadLog::of(writer)?;
        let connection = open_reader(location)?;
        connection.execute_batch("PRAGMA query_only = OFF")?;
        let (wake, woken) = mpsc::sync_channel(1);
        let has_ended = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&has_ended);
        let thread = std::thread::spawn(move || {
            while let Ok(()) = woken.recv() {
                checkpoint(&connection, "PASSIVE");
                ended.store(true, Ordering::Relaxed);
            }
        });
        Ok(Some(Self { wake: Some(wake), thread: Some(thread), has_ended, log, next: Thresholds::FIRST }))
    }

    /// What is due after a commit; `None` where it has written nothing.
    pub(super) fn committed(&mut self) -> Option<CheckpointDue> {
        let bytes = self.log.written()?;
        Some(self.next.due(bytes, self.has_ended.swap(false, Ordering::Relaxed)))
    }

    /// Does what is due.
    pub(super) fn run(&self, due: CheckpointDue, writer: &Connection) {
        match due {
            CheckpointDue::Nothing => {}
            CheckpointDue::Checkpoint => {
                // one that is under way moves this commit too, or the next one does
                let _ = self.wake.as_ref().map(|wake| wake.try_send(()));
            }
            CheckpointDue::Help => checkpoint(writer, "PASSIVE"),
            CheckpointDue::Wait => checkpoint(writer, "RESTART"),
        }
    }
}

impl WriteAheadLog {
    /// The log of a connection: SQLite tells its length after each commit, instead of moving it then.
    fn of(writer: &mut Connection) -> rusqlite::Result<Self> {
        let page_bytes: u32 = writer.query_row("PRAGMA page_size", [], |row| row.get(0))?;
        let log = Self { page_bytes: page_bytes.into(), frames: Arc::default() };
        let frames = Arc::clone(&log.frames);
        writer.wal_hook(Some(move |_: &mut rusqlite::hooks::Wal, pages: i32| {
            frames.store(pages.unsigned_abs().into(), Ordering::Relaxed);
            Ok(())
        }))?;
        Ok(log)
    }

    /// How long it is; `None` where nothing was written to it since this was last asked.
    fn written(&self) -> Option<u64> {
        match self.frames.swap(0, Ordering::Relaxed) {
            0 => None,
            frames => Some(frames * (self.page_bytes + FRAME_HEADER_BYTES)),
        }
    }
}

impl Thresholds {
    const FIRST: Self = Self { checkpoint: CHECKPOINT_BYTES, wait: MAX_LOG_BYTES, last: 0 };

    /// What is due at this size, and where the thread has just ended. The first and the last are due again once the log
    /// has grown by as much, or has started over.
    fn due(&mut self, bytes: u64, has_ended: bool) -> CheckpointDue {
        if bytes < self.last {
            *self = Self::FIRST;
        }
        self.last = bytes;
        let due = match bytes {
            _ if bytes >= self.wait => CheckpointDue::Wait,
            _ if bytes >= HELP_BYTES && has_ended => CheckpointDue::Help,
            _ if bytes >= self.checkpoint => CheckpointDue::Checkpoint,
            _ => return CheckpointDue::Nothing,
        };
        // each does what those before it do
        self.checkpoint = bytes + CHECKPOINT_BYTES;
        if due == CheckpointDue::Wait {
            self.wait = bytes + HELP_BYTES;
        }
        due
    }
}

impl Drop for Checkpoints {
    /// The last connection to be closed takes the log away: this one is closed before the writer's.
    fn drop(&mut self) {
        self.wake = None;
        // a thread that panicked has nothing more to finish
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Moves what can be moved: `PASSIVE` waits for nothing, `RESTART` for reads from the log.
fn checkpoint(connection: &Connection, mode: &str) {
    let done = connection.query_row(&format!("PRAGMA wal_checkpoint({mode})"), [], |_| Ok(()));
    if let Err(error) = done {
        throttled!(warn, %error, "a checkpoint failed; the log grows until one succeeds");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_the_log_decides_what_is_done() {
        let mut next = Thresholds::FIRST;
        // the thread takes as long as the log takes to grow by 2 MiB
        let mut ends_at = None;
        let grown: Vec<_> = (1..=120)
            .map(|mebibytes| {
                let due = next.due(mebibytes << 20, ends_at == Some(mebibytes));
                if due == CheckpointDue::Checkpoint {
                    ends_at = Some(mebibytes + 2);
                }
                due
            })
            .collect();
        let at = |due: CheckpointDue| -> Vec<_> {
            (1..).zip(&grown).filter(|(_, found)| **found == due).map(|(mebibytes, _)| mebibytes).collect()
        };
        assert_eq!(at(CheckpointDue::Checkpoint), [16, 32, 48, 66, 84, 112]);
        assert_eq!(at(CheckpointDue::Help), [50, 68, 86, 114]);
        assert_eq!(at(CheckpointDue::Wait), [96]);
        // a log that has started over
        assert_eq!(next.due(15 << 20, true), CheckpointDue::Nothing);
        assert_eq!(next.due(16 << 20, false), CheckpointDue::Checkpoint);
    }
}
