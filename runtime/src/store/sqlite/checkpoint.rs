//! Moving what the write-ahead log holds into the database file, beside the writes.
//!
//! SQLite would do it inside a COMMIT, which would wait for it. Here a thread of its own does the slow part while
//! commits go on. As they go on, it never quite catches up, and the log could not start over: past a length the writer
//! does the short rest itself.

use super::connection::{Location, open_reader};
use rusqlite::Connection;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::{self, SyncSender};
use std::thread::JoinHandle;

/// Changes between two checkpoints.
const CHANGES: usize = 4000;
/// Frames (4 KiB each) of the log past which the writer helps.
const MANY_FRAMES: i64 = 32_000;

/// The writer's side: counts its changes and has the log moved now and then.
pub(super) struct Checkpoints {
    /// `None` once it is to end.
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    frames: Arc<AtomicI64>,
    changes: usize,
}

impl Checkpoints {
    /// Starts the thread and takes the work from SQLite; `None` for a database without a log, in memory.
    pub(super) fn start(location: &Location, writer: &Connection) -> rusqlite::Result<Option<Self>> {
        if matches!(location, Location::Memory(_)) {
            return Ok(None);
        }
        writer.execute_batch("PRAGMA wal_autocheckpoint = 0")?;
        let connection = open_reader(location)?;
        connection.execute_batch("PRAGMA query_only = OFF")?;
        let (wake, woken) = mpsc::sync_channel(1);
        let frames = Arc::new(AtomicI64::new(0));
        let found = Arc::clone(&frames);
        let thread = std::thread::spawn(move || {
            while let Ok(()) = woken.recv() {
                match checkpoint(&connection) {
                    Ok(frames) => found.store(frames, Ordering::Relaxed),
                    Err(error) => tracing::warn!(%error, "a checkpoint failed; the log grows until one succeeds"),
                }
            }
        });
        Ok(Some(Self { wake: Some(wake), thread: Some(thread), frames, changes: 0 }))
    }

    /// Called after a commit of so many changes.
    pub(super) fn committed(&mut self, writer: &Connection, changes: usize) {
        self.changes += changes;
        if self.changes >= CHANGES {
            self.changes = 0;
            // one that is under way will see these changes too, or the next
            let _ = self.wake.as_ref().map(|wake| wake.try_send(()));
        }
        if self.frames.load(Ordering::Relaxed) > MANY_FRAMES {
            self.frames.store(0, Ordering::Relaxed);
            if let Err(error) = checkpoint(writer) {
                tracing::warn!(%error, "a checkpoint failed; the log grows until one succeeds");
            }
        }
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

/// Moves what can be moved without waiting for anybody; answers the frames that the log has.
fn checkpoint(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| row.get(1))
}
