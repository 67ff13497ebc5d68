//! Moving what the write-ahead log holds into the database file, beside the writes.
//!
//! SQLite would do it inside a COMMIT, which would wait for it. Here a separate thread does the slow part while commits
//! continue. Because they continue, it never catches up completely, and the log could not start over: past a size, the
//! writer does the short rest itself. The log cannot start over either while it is read, and there may always be a
//! reader: past a greater size, the writer waits for the present reads, which end soon (`READ_TIMEOUT`); reads that
//! begin meanwhile use the file.

use super::connection::{SqliteLocation, open_reader};
use crate::observe::log_throttle::throttled;
use rusqlite::Connection;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, SyncSender};
use std::thread::JoinHandle;

/// Bytes of the log past which the thread moves them into the file. The log shrinks to it when it starts over.
const CHECKPOINT_BYTES: u64 = 16 * 1024 * 1024;
/// Bytes of the log past which the writer helps.
const HELP_BYTES: u64 = 48 * 1024 * 1024;
/// Bytes of the log past which the writer waits for those who read from it. Only another program that reads for longer
/// than the writer waits makes it longer than this and one batch.
const MAX_LOG_BYTES: u64 = 96 * 1024 * 1024;
/// Bytes of a page's header in the log.
const FRAME_HEADER_BYTES: u64 = 24;

/// The writer's side: checks the size of the log, and starts checkpoints.
pub(super) struct Checkpoints {
    /// `None` once it is to end.
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
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
    help: u64,
    wait: u64,
    /// What the log had when it was last looked at.
    last: u64,
}

/// What a log of some size asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CheckpointDue {
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
        writer.execute_batch(&format!("PRAGMA journal_size_limit = {CHECKPOINT_BYTES}"))?;
        let log = WriteAheadLog::of(writer)?;
        let connection = open_reader(location)?;
        connection.execute_batch("PRAGMA query_only = OFF")?;
        let (wake, woken) = mpsc::sync_channel(1);
        let thread = std::thread::spawn(move || {
            while let Ok(()) = woken.recv() {
                checkpoint(&connection, "PASSIVE");
            }
        });
        Ok(Some(Self { wake: Some(wake), thread: Some(thread), log, next: Thresholds::FIRST }))
    }

    /// Called after a commit. Whether it has written anything.
    pub(super) fn committed(&mut self, writer: &Connection) -> bool {
        let Some(bytes) = self.log.written() else { return false };
        match self.next.due(bytes) {
            CheckpointDue::Nothing => {}
            CheckpointDue::Checkpoint => {
                // one that is under way moves this commit too, or the next one does
                let _ = self.wake.as_ref().map(|wake| wake.try_send(()));
            }
            CheckpointDue::Help => checkpoint(writer, "PASSIVE"),
            CheckpointDue::Wait => checkpoint(writer, "RESTART"),
        }
        true
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
    const FIRST: Self = Self { checkpoint: CHECKPOINT_BYTES, help: HELP_BYTES, wait: MAX_LOG_BYTES, last: 0 };

    /// What is due at this size. It is due again once the log has grown by as much, or has started over.
    fn due(&mut self, bytes: u64) -> CheckpointDue {
        if bytes < self.last {
            *self = Self::FIRST;
        }
        self.last = bytes;
        let due = match bytes {
            _ if bytes >= self.wait => CheckpointDue::Wait,
            _ if bytes >= self.help => CheckpointDue::Help,
            _ if bytes >= self.checkpoint => CheckpointDue::Checkpoint,
            _ => return CheckpointDue::Nothing,
        };
        // each does what those before it do
        self.checkpoint = bytes + CHECKPOINT_BYTES;
        if due != CheckpointDue::Checkpoint {
            self.help = bytes + CHECKPOINT_BYTES;
        }
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
        let grown: Vec<_> = (1..=120).map(|mebibytes| next.due(mebibytes << 20)).collect();
        let at = |due: CheckpointDue| -> Vec<_> {
            (1..).zip(&grown).filter(|(_, found)| **found == due).map(|(mebibytes, _)| mebibytes).collect()
        };
        assert_eq!(at(CheckpointDue::Checkpoint), [16, 32]);
        assert_eq!(at(CheckpointDue::Help), [48, 64, 80, 112]);
        assert_eq!(at(CheckpointDue::Wait), [96]);
        // a log that has started over
        assert_eq!(next.due(15 << 20), CheckpointDue::Nothing);
        assert_eq!(next.due(16 << 20), CheckpointDue::Checkpoint);
    }
}
