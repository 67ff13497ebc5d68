//! Whether the database takes writes: what became of the last commit, whether its files are still there, and whether a
//! page of it was found to be damaged.

use super::connection::{LOG, SqliteLocation, beside};
use crate::store::StoreError;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long after a write that was tried only to see whether it succeeds another one may be.
const PROBE_INTERVAL: Duration = Duration::from_secs(1);

/// What is known of a database.
#[derive(Debug)]
pub(super) struct Health {
    database: String,
    /// The database and its log; none of a database in memory.
    files: Vec<(PathBuf, FileId)>,
    /// A damaged page does not recover.
    is_corrupt: AtomicBool,
    commits: Mutex<Commits>,
}

/// The last commits.
#[derive(Debug, Default)]
struct Commits {
    /// Why the last one failed, if it did.
    failure: Option<StoreError>,
    probed: Option<Instant>,
}

/// What is to be done to know whether the database takes writes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum HealthVerdict {
    /// It does.
    Ready,
    /// It does not.
    Failed(StoreError),
    /// The last commit failed: only a trial write shows whether another would succeed.
    Probe,
}

impl Health {
    /// Of a database that is open, with its log.
    pub(super) fn new(location: &SqliteLocation) -> Self {
        let files = match location {
            SqliteLocation::File(path) => {
                let path = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
                let log = beside(&path, LOG);
                let known = |path: PathBuf| Some((path.clone(), FileId::at(&path)?));
                [path, log].into_iter().filter_map(known).collect()
            }
            SqliteLocation::Memory(_) => Vec::new(),
        };
        let commits = Mutex::default();
        Self { database: location.to_string(), files, is_corrupt: AtomicBool::new(false), commits }
    }

    /// Whether the files at the paths are those that are open: what is written into others is lost.
    pub(super) fn file_is_there(&self) -> Result<(), StoreError> {
        match self.files.iter().find(|(path, id)| FileId::at(path) != Some(*id)) {
            None => Ok(()),
            Some((path, _)) => Err(StoreError::Unavailable(format!(
                "{} was removed or replaced while the database {} is in use; put it back, or restart the service",
                path.display(),
                self.database
            ))),
        }
    }

    /// Notes what became of a commit. `has_written`: something came to the disk.
    pub(super) fn committed(&self, done: &Result<(), StoreError>, has_written: bool) {
        match done {
            Ok(()) if has_written => self.commits().failure = None,
            Err(error @ (StoreError::Unavailable(_) | StoreError::Corrupt(_))) => {
                self.read_failed(error);
                self.commits().failure = Some(error.clone());
            }
            _ => {}
        }
    }

    /// Notes why a read failed.
    pub(super) fn read_failed(&self, error: &StoreError) {
        if matches!(error, StoreError::Corrupt(_)) {
            self.is_corrupt.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the database takes writes, as far as is known.
    pub(super) fn verdict(&self) -> HealthVerdict {
        if let Err(error) = self.file_is_there() {
            return HealthVerdict::Failed(error);
        }
        if self.is_corrupt.load(Ordering::Relaxed) {
            let reason = format!("the database file {} is damaged; restore a backup", self.database);
            return HealthVerdict::Failed(StoreError::Unavailable(reason));
        }
        let mut commits = self.commits();
        let Some(failure) = commits.failure.clone() else { return HealthVerdict::Ready };
        if commits.probed.is_some_and(|probed| probed.elapsed() < PROBE_INTERVAL) {
            return HealthVerdict::Failed(failure);
        }
        commits.probed = Some(Instant::now());
        HealthVerdict::Probe
    }

    fn commits(&self) -> MutexGuard<'_, Commits> {
        self.commits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What tells a file from another that has its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    /// Of the file at a path, if there is one.
    pub(super) fn at(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().map(|file| Self::of(&file))
    }

    #[cfg(unix)]
    pub(super) fn of(file: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self { device: file.dev(), inode: file.ino() }
    }

    /// Elsewhere a file that is open can be neither removed nor replaced.
    #[cfg(not(unix))]
    pub(super) fn of(_: &Metadata) -> Self {
        Self { device: 0, inode: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> Result<(), StoreError> {
        Err(StoreError::Unavailable("the disk is full".to_owned()))
    }

    #[test]
    fn a_failed_commit_is_known_until_another_one_succeeds() {
        let health = Health::new(&SqliteLocation::memory());
        assert_eq!(health.verdict(), HealthVerdict::Ready);
        health.committed(&full(), false);
        assert_eq!(health.verdict(), HealthVerdict::Probe);
        for _ in 0..3 {
            assert!(matches!(health.verdict(), HealthVerdict::Failed(_)), "one probe a second");
        }
        // a dry run comes nowhere near the disk
        health.committed(&Ok(()), false);
        assert!(matches!(health.verdict(), HealthVerdict::Failed(_)));
        health.committed(&Ok(()), true);
        assert_eq!(health.verdict(), HealthVerdict::Ready);
    }

    #[test]
    fn what_is_wrong_with_one_job_says_nothing_of_the_database() {
        let health = Health::new(&SqliteLocation::memory());
        health.committed(&Err(StoreError::Internal("a write panicked".to_owned())), false);
        assert_eq!(health.verdict(), HealthVerdict::Ready);
    }

    #[test]
    fn a_damaged_page_is_not_forgotten() {
        let health = Health::new(&SqliteLocation::memory());
        health.read_failed(&StoreError::Corrupt("malformed".to_owned()));
        health.committed(&Ok(()), true);
        assert!(matches!(health.verdict(), HealthVerdict::Failed(_)));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_was_replaced_is_not_the_one_that_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let [file, moved] = ["test.db", "moved.db"].map(|name| folder.path().join(name));
        fs::write(&file, "one").unwrap();
        let health = Health::new(&SqliteLocation::File(file.clone()));
        assert_eq!(health.verdict(), HealthVerdict::Ready);
        fs::rename(&file, &moved).unwrap();
        assert!(matches!(health.verdict(), HealthVerdict::Failed(_)));
        fs::write(&file, "another").unwrap();
        assert!(health.file_is_there().is_err());
        fs::rename(&moved, &file).unwrap();
        assert_eq!(health.verdict(), HealthVerdict::Ready, "it was put back");
    }
}
