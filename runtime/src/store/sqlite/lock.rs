//! One process serves a database file. A lock on a file beside it tells others that it is in use.
//!
//! The lock is not one on the database file itself: SQLite has its own there, and closing another descriptor of that
//! file would drop them.

use super::connection::{SqliteLocation, beside};
use super::health::FileId;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

/// How often a lock is tried whose file is removed at that moment, because another process ends. Beyond it the database
/// counts as in use.
const MAX_LOCK_ATTEMPTS: usize = 8;

/// What a process does with a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It serves it, alone.
    Serve,
    /// It migrates or fills it. Several processes may: SQLite's own locks let one write at a time.
    Prepare,
}

/// A database that no other process serves as long as this is held.
#[derive(Debug)]
pub(super) struct ProcessLock {
    purpose: Purpose,
    /// The file that is locked; `None` of a database in memory.
    held: Option<(PathBuf, File)>,
}

impl ProcessLock {
    /// Locks a database; one in memory needs no lock.
    ///
    /// # Errors
    ///
    /// A sentence for people: another process has the database, or the file beside it cannot be made.
    pub(super) fn take(location: &SqliteLocation, purpose: Purpose) -> Result<Self, String> {
        let SqliteLocation::File(database) = location else { return Ok(Self { purpose, held: None }) };
        let path = lock_file(database);
        let failed = |what: &str, error: std::io::Error| {
            format!("cannot open the database {location}: {} cannot be {what}: {error}", path.display())
        };
        for _ in 0..MAX_LOCK_ATTEMPTS {
            let file = open(&path).map_err(|error| failed("made", error))?;
            let locked = match purpose {
                Purpose::Serve => file.try_lock(),
                Purpose::Prepare => file.try_lock_shared(),
            };
            match locked {
                Ok(()) if is_at(&file, &path) => return Ok(Self { purpose, held: Some((path, file)) }),
                // the process that had the lock has removed the file since it was opened here
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => break,
                Err(TryLockError::Error(error)) => return Err(failed("locked", error)),
            }
        }
        Err(format!(
            "another process is using the database {location}: end it first, or name another database with --database"
        ))
    }
}

impl Drop for ProcessLock {
    /// Removes the file while it is still locked.
    fn drop(&mut self) {
        if let Some((path, file)) = self.held.take() {
            let is_ours = self.purpose == Purpose::Serve || file.try_lock().is_ok();
            // if it cannot be removed, an empty file without a lock remains
            if cfg!(unix) && is_ours && is_at(&file, &path) {
                let _ = fs::remove_file(&path);
            }
            drop(file);
        }
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Whether an open file is the one that its path leads to.
fn is_at(file: &File, path: &Path) -> bool {
    file.metadata().ok().map(|file| FileId::of(&file)) == FileId::at(path)
}

/// The file beside a database that is locked, the same for every path that leads there.
fn lock_file(database: &Path) -> PathBuf {
    let folder = || {
        let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(fs::canonicalize(folder).ok()?.join(database.file_name()?))
    };
    // a database that is not there yet has no canonical path, but its folder has
    let path = fs::canonicalize(database).ok().or_else(folder).unwrap_or_else(|| database.to_owned());
    beside(&path, "-lock")
}

#[cfg(test)]
mod tests {
    use super::Purpose::{Prepare, Serve};
    use super::*;

    #[test]
    fn a_database_is_locked_once_whatever_it_is_called() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("test.db");
        let held = ProcessLock::take(&SqliteLocation::File(file.clone()), Serve).unwrap();
        fs::write(&file, "").unwrap();
        let other_way = folder.path().join(".").join("test.db");
        let refused = ProcessLock::take(&SqliteLocation::File(other_way.clone()), Serve).unwrap_err();
        assert!(refused.contains("another process") && refused.contains("--database"), "{refused}");
        drop(held);
        let again = ProcessLock::take(&SqliteLocation::File(other_way), Serve).unwrap();
        drop(again);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "only the database is left");
    }

    #[test]
    fn several_may_migrate_but_not_while_one_serves() {
        let folder = tempfile::tempdir().unwrap();
        let location = SqliteLocation::File(folder.path().join("test.db"));
        let first = ProcessLock::take(&location, Prepare).unwrap();
        let second = ProcessLock::take(&location, Prepare).unwrap();
        drop(first);
        ProcessLock::take(&location, Serve).unwrap_err();
        drop(second);
        let _served = ProcessLock::take(&location, Serve).unwrap();
        ProcessLock::take(&location, Prepare).unwrap_err();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_database_is_the_database() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link] = ["test.db", "link.db"].map(|name| folder.path().join(name));
        fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let _held = ProcessLock::take(&SqliteLocation::File(file), Serve).unwrap();
        ProcessLock::take(&SqliteLocation::File(link), Serve).unwrap_err();
    }
}
