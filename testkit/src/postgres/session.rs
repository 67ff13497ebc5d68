//! A connection to a database, without any asynchronous code in the tests.

use tokio::runtime::Runtime;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage, SimpleQueryRow};

/// A connection that is kept: a transaction may go over several calls.
pub struct Session(pub(super) Link);

impl Session {
    /// Runs statements.
    ///
    /// # Panics
    ///
    /// They fail.
    #[track_caller]
    pub fn run(&self, sql: &str) {
        self.0.run(sql);
    }

    /// Runs statements.
    ///
    /// # Errors
    ///
    /// What went wrong, in words.
    ///
    /// # Panics
    ///
    /// The server is not there.
    pub fn try_run(&self, sql: &str) -> Result<(), String> {
        let Self(connection) = self;
        let done = connection.runtime.block_on(connection.client.batch_execute(sql));
        done.map_err(|error| error.as_db_error().map_or_else(|| error.to_string(), |error| error.message().to_owned()))
    }

    /// The rows of a query, their values as text with `|` between, null as nothing.
    ///
    /// # Panics
    ///
    /// It fails.
    #[must_use]
    pub fn texts(&self, sql: &str) -> Vec<String> {
        let Self(connection) = self;
        let found = connection.runtime.block_on(connection.client.simple_query(sql));
        let found = found.unwrap_or_else(|error| panic!("{error:?}: {sql}"));
        let rows = found.iter().filter_map(|message| match message {
            SimpleQueryMessage::Row(row) => Some(row),
            _ => None,
        });
        let text =
            |row: &SimpleQueryRow| (0..row.len()).map(|at| row.get(at).unwrap_or("")).collect::<Vec<_>>().join("|");
        rows.map(text).collect()
    }
}

pub(super) struct Link {
    pub(super) runtime: Runtime,
    pub(super) client: Client,
}

impl Link {
    pub(super) fn open(url: &str) -> Result<Self, tokio_postgres::Error> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let (client, connection) = runtime.block_on(tokio_postgres::connect(url, NoTls))?;
        runtime.spawn(connection);
        Ok(Self { runtime, client })
    }

    #[track_caller]
    pub(super) fn run(&self, sql: &str) {
        let result = self.runtime.block_on(self.client.batch_execute(sql));
        result.unwrap_or_else(|error| panic!("{error:?}: {sql}"));
    }
}
