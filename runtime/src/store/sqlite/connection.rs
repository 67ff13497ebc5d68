//! Connections: where the database is, how it is opened, and one reader per thread.

use crate::store::StoreError;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use rusqlite::{Connection, OpenFlags};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Before it, a WAL that starts over could lose a commit.
const LEAST_VERSION: i32 = 3_051_003;
/// How long a connection waits for another's lock.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Statements that a connection keeps prepared.
const STATEMENTS: usize = 256;

/// Where a database is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Location {
    /// In this file.
    File(PathBuf),
    /// In memory, gone with the process; each has a number of its own.
    Memory(u64),
}

impl Location {
    /// A new database in memory.
    pub(crate) fn memory() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self::Memory(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    fn connect(&self, flags: OpenFlags) -> rusqlite::Result<Connection> {
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        match self {
            Self::File(path) => Connection::open_with_flags(path, flags),
            // a named database of the memory file system is shared by the process's connections
            Self::Memory(number) => {
                let name = format!("file:/restwell-{number}?vfs=memdb");
                Connection::open_with_flags(name, flags | OpenFlags::SQLITE_OPEN_URI)
            }
        }
    }

    /// An error in words for whoever started the service.
    pub(super) fn explain(&self, error: &rusqlite::Error) -> String {
        format!("cannot open the database {self}: {error}")
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Memory(_) => f.write_str("in memory"),
        }
    }
}

/// The connection that writes. Every commit is synced to disk before it is acknowledged.
pub(super) fn open_writer(location: &Location) -> rusqlite::Result<Connection> {
    if rusqlite::version_number() < LEAST_VERSION {
        let found = rusqlite::version();
        return Err(rusqlite::Error::InvalidParameterName(format!("SQLite {found} is too old; 3.51.3 is needed")));
    }
    let connection = location.connect(OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
         PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY;",
    )?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(connection)
}

/// A connection that changes nothing, not even the files beside a database that nobody has open. `None`: there is no such
/// file, but a folder where it can be made.
pub(super) fn open_as_it_is(location: &Location) -> rusqlite::Result<Option<Connection>> {
    let Location::File(path) = location else { return Ok(None) };
    if !path.exists() {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        return match folder.is_none_or(std::path::Path::is_dir) {
            true => Ok(None),
            false => Err(rusqlite::Error::InvalidPath(path.clone())),
        };
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    if std::path::Path::new(&log).exists() {
        return location.connect(flags).map(Some);
    }
    let name = utf8_percent_encode(&path.to_string_lossy(), UNSAFE).to_string();
    let flags = flags | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(format!("file:{name}?immutable=1"), flags).map(Some)
}

/// What means something else in a URI.
const UNSAFE: &AsciiSet = &CONTROLS.add(b'?').add(b'#').add(b'%');

/// A connection that reads.
pub(super) fn open_reader(location: &Location) -> rusqlite::Result<Connection> {
    let mut connection = location.connect(OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.progress_handler(STRIDE, Some(is_over_budget))?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.execute_batch("PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY; PRAGMA query_only = ON;")?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(connection)
}

/// Runs something with a reading connection of this thread. `None`: it took more than so many steps of SQLite's machine,
/// and was broken off.
pub(super) fn within<T>(steps: u64, work: impl FnOnce() -> Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    BUDGET.set(Some(steps));
    let done = work();
    let is_spent = BUDGET.replace(None) == Some(0);
    match done {
        Err(StoreError::Internal(_)) if is_spent => Ok(None),
        done => done.map(Some),
    }
}

/// Steps between two looks at the budget.
const STRIDE: i32 = 512;

fn is_over_budget() -> bool {
    let left = BUDGET.get().map(|steps| steps.saturating_sub(STRIDE.unsigned_abs().into()));
    BUDGET.set(left);
    left == Some(0)
}

/// A reading connection per thread, opened when the thread first reads.
#[derive(Debug, Clone)]
pub(super) struct Readers {
    location: Arc<Location>,
    number: u64,
}

thread_local! {
    /// The steps that this thread's statement may still take; `None`: as many as it wants.
    static BUDGET: Cell<Option<u64>> = const { Cell::new(None) };
    /// This thread's connections, by the number of their readers: a process may hold several databases.
    static CONNECTIONS: RefCell<HashMap<u64, Connection>> = RefCell::new(HashMap::new());
}

impl Readers {
    pub(super) fn new(location: Location) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self { location: Arc::new(location), number: NEXT.fetch_add(1, Ordering::Relaxed) }
    }

    /// Runs something with this thread's connection. Not to be called from within itself.
    pub(super) fn with<T>(&self, read: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        CONNECTIONS.with_borrow_mut(|connections| {
            if let Some(connection) = connections.get(&self.number) {
                return read(connection);
            }
            let connection = open_reader(&self.location)?;
            read(connections.entry(self.number).or_insert(connection))
        })
    }
}
