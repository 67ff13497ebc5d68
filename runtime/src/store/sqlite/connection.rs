//! Connections: where the database is, how it is opened, and one reader per thread.

use super::ASK_LATER;
use super::functions::define_functions;
use super::health::Health;
use super::interrupt::{self, ReadTicket};
use crate::store::{ReadLimits, StoreError};
use metrics::Counter;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use rusqlite::config::DbConfig;
use rusqlite::{CachedStatement, Connection, OpenFlags, Statement};
use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::fs::OpenOptions;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Before it, a WAL that starts over could lose a commit.
const LEAST_VERSION: i32 = 3_051_003;
/// How long a connection waits for another's lock.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Statements that the writing connection keeps prepared.
const MAX_STATEMENTS: usize = 128;
/// Statements that a reading connection keeps prepared: there are several such connections.
const MAX_READER_STATEMENTS: usize = 64;
/// The text of a statement that a connection keeps prepared. What is prepared of it takes some twenty times as much.
const MAX_STATEMENT_BYTES: usize = 4 * 1024;

/// The pages that the writing connection keeps in memory.
const WRITER_CACHE_BYTES: usize = 32 * 1024 * 1024;
/// The pages that a reading connection keeps in memory. There is one for each thread; what all of them read is in the
/// operating system's cache anyway.
const READER_CACHE_BYTES: usize = 8 * 1024 * 1024;

/// Where a database is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SqliteLocation {
    /// In this file.
    File(PathBuf),
    /// In memory, gone with the process; each has a number of its own.
    Memory(u64),
}

impl SqliteLocation {
    /// A new database in memory.
    pub(crate) fn memory() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self::Memory(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    fn connect(&self, flags: OpenFlags) -> rusqlite::Result<Connection> {
        let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = match self {
            Self::File(path) => Connection::open_with_flags(path, flags),
            // a named database of the memory file system is shared by the process's connections
            Self::Memory(number) => {
                let name = format!("file:/restwell-{number}?vfs=memdb");
                Connection::open_with_flags(name, flags | OpenFlags::SQLITE_OPEN_URI)
            }
        }?;
        define_functions(&connection)?;
        // else each use of a cached statement parses and plans it again, once values are bound to a LIMIT or a range
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        Ok(connection)
    }

    /// An error as a message for the operator.
    pub(super) fn explain(&self, error: &rusqlite::Error) -> String {
        format!("cannot open the database {self}: {error}")
    }
}

impl fmt::Display for SqliteLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Memory(_) => f.write_str("in memory"),
        }
    }
}

/// The connection that writes. Every commit is synced to disk before it is acknowledged.
pub(super) fn open_writer(location: &SqliteLocation) -> rusqlite::Result<Connection> {
    if rusqlite::version_number() < LEAST_VERSION {
        let found = rusqlite::version();
        return Err(rusqlite::Error::InvalidParameterName(format!("SQLite {found} is too old; 3.51.3 is needed")));
    }
    if let SqliteLocation::File(path) = location {
        create(path);
    }
    let connection = location.connect(OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;",
    )?;
    limit_cache(&connection, WRITER_CACHE_BYTES)?;
    connection.set_prepared_statement_cache_capacity(MAX_STATEMENTS);
    Ok(connection)
}

/// Makes a file that only its owner can read; SQLite would let everybody. The files beside it get its mode. One that is
/// there keeps its own.
fn create(path: &Path) {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // where it cannot be made SQLite says why
    let _ = options.open(path);
}

/// What the path of a database's log ends with.
pub(super) const LOG: &str = "-wal";

/// The file beside a database whose path ends so.
pub(super) fn beside(database: &Path, end: &str) -> PathBuf {
    let mut path = database.as_os_str().to_owned();
    path.push(end);
    path.into()
}

/// A connection that changes nothing, not even the files beside a database that nobody has open. `None`: there is no
/// such file, but a folder where it can be made.
pub(super) fn open_as_it_is(location: &SqliteLocation) -> rusqlite::Result<Option<Connection>> {
    let SqliteLocation::File(path) = location else { return Ok(None) };
    if !path.exists() {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        return match folder.is_none_or(std::path::Path::is_dir) {
            true => Ok(None),
            false => Err(rusqlite::Error::InvalidPath(path.clone())),
        };
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    if beside(path, LOG).exists() {
        return location.connect(flags).map(Some);
    }
    let name = utf8_percent_encode(&path.to_string_lossy(), UNSAFE).to_string();
    let flags = flags | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(format!("file:{name}?immutable=1"), flags)?;
    define_functions(&connection)?;
    Ok(Some(connection))
}

/// What means something else in a URI.
const UNSAFE: &AsciiSet = &CONTROLS.add(b'?').add(b'#').add(b'%');

/// A connection that reads, for as long as it takes.
pub(super) fn open_reader(location: &SqliteLocation) -> rusqlite::Result<Connection> {
    let connection = location.connect(OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.execute_batch("PRAGMA query_only = ON")?;
    limit_cache(&connection, READER_CACHE_BYTES)?;
    connection.set_prepared_statement_cache_capacity(MAX_READER_STATEMENTS);
    Ok(connection)
}

/// A statement, kept prepared unless it is long.
pub(super) enum Prepared<'c> {
    Kept(CachedStatement<'c>),
    Once(Statement<'c>),
}

/// Prepares a statement whose text depends on a request.
pub(super) fn prepare<'c>(connection: &'c Connection, sql: &str) -> rusqlite::Result<Prepared<'c>> {
    match sql.len() <= MAX_STATEMENT_BYTES {
        true => connection.prepare_cached(sql).map(Prepared::Kept),
        false => connection.prepare(sql).map(Prepared::Once),
    }
}

impl<'c> Deref for Prepared<'c> {
    type Target = Statement<'c>;

    fn deref(&self) -> &Statement<'c> {
        match self {
            Self::Kept(statement) => statement,
            Self::Once(statement) => statement,
        }
    }
}

impl<'c> DerefMut for Prepared<'c> {
    fn deref_mut(&mut self) -> &mut Statement<'c> {
        match self {
            Self::Kept(statement) => statement,
            Self::Once(statement) => statement,
        }
    }
}

/// Limits the pages that a connection keeps in memory. A sort of more than that goes through a temporary file.
fn limit_cache(connection: &Connection, bytes: usize) -> rusqlite::Result<()> {
    // a negative number is in KiB; a positive one would count pages
    connection.execute_batch(&format!("PRAGMA cache_size = -{}", bytes / 1024))
}

/// A reading connection per thread, opened when the thread first reads. What it reads has limits.
#[derive(Clone)]
pub(super) struct Readers {
    location: Arc<SqliteLocation>,
    number: u64,
    limits: ReadLimits,
    steps: Counter,
    health: Arc<Health>,
}

thread_local! {
    /// This thread's connections, by the number of their readers: a process may hold several databases.
    static CONNECTIONS: RefCell<HashMap<u64, Connection>> = RefCell::new(HashMap::new());
}

impl Readers {
    /// Of a database whose reads may each take so much; their steps are counted.
    pub(super) fn new(location: SqliteLocation, limits: ReadLimits, steps: Counter, health: Arc<Health>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Self { location: Arc::new(location), number, limits, steps, health }
    }

    /// Runs a short read with this thread's connection. Not to be called from within itself.
    pub(super) fn with<T>(&self, read: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.run(None, ASK_LATER, read)
    }

    /// Runs a read as long as its client waits for it. `narrow` is what would make it cheaper.
    pub(super) fn within<T>(
        &self,
        ticket: Arc<ReadTicket>,
        narrow: &str,
        read: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.run(Some(ticket), narrow, read)
    }

    fn run<T>(
        &self,
        ticket: Option<Arc<ReadTicket>>,
        narrow: &str,
        read: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let done = CONNECTIONS.with_borrow_mut(|connections| {
            let connection = match connections.entry(self.number) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(self.open()?),
            };
            interrupt::limited(self.limits, ticket, narrow, || read(connection))
        });
        if let Err(error) = &done {
            self.health.read_failed(error);
        }
        done
    }

    fn open(&self) -> Result<Connection, StoreError> {
        let mut connection = open_reader(&self.location)?;
        interrupt::watch(&mut connection, self.steps.clone())?;
        // another file may be at the path by now
        self.health.file_is_there()?;
        Ok(connection)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::{OptionalExtension, StatementStatus};

    #[test]
    fn a_cached_statement_is_not_prepared_again_for_other_values() {
        let location = SqliteLocation::memory();
        let writer = open_writer(&location).unwrap();
        writer.execute_batch("CREATE TABLE things (size INTEGER, name TEXT)").unwrap();
        let reader = open_reader(&location).unwrap();
        let sql = "SELECT name FROM things WHERE size > ?1 AND name LIKE ?2 LIMIT ?3";
        for connection in [&writer, &reader] {
            for number in 0..4 {
                let mut statement = connection.prepare_cached(sql).unwrap();
                let found = statement.query_row((number, format!("{number}%"), number), |_| Ok(())).optional();
                assert_eq!((found, statement.get_status(StatementStatus::RePrepare)), (Ok(None), 0), "{number}");
            }
        }
    }
}
