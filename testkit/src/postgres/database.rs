//! A database of one test.

use super::session::{Link, Session};
use tokio_postgres::Row;
use uuid::Uuid;

/// A database, gone when it is dropped. Each use opens a new connection: a test may end connections, or the server.
#[derive(Debug)]
pub struct Database {
    /// A database that is always there.
    server: String,
    name: String,
    url: String,
}

impl Database {
    /// Makes one on a server.
    pub(super) fn create(server: &str, name: &str) -> Self {
        let database =
            Self { server: format!("{server}/postgres"), url: format!("{server}/{name}"), name: name.to_owned() };
        database.admin().run(&format!("CREATE DATABASE \"{name}\""));
        database
    }

    /// Where it is.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A new schema in it: as good as a database, and made sooner. It goes with the database.
    ///
    /// # Panics
    ///
    /// It cannot be made.
    #[must_use]
    pub fn schema(&self) -> Schema {
        let name = format!("s{}", Uuid::now_v7().simple());
        self.run(&format!("CREATE SCHEMA \"{name}\""));
        // nothing of it is to outlive a power cut
        let options = format!("-c%20search_path%3D{name}%20-c%20synchronous_commit%3Doff");
        Schema { url: format!("{}?options={options}", self.url) }
    }

    /// Runs statements.
    ///
    /// # Panics
    ///
    /// They fail.
    #[track_caller]
    pub fn run(&self, sql: &str) {
        self.connection().run(sql);
    }

    /// A connection that is kept.
    ///
    /// # Panics
    ///
    /// The server is not there.
    #[must_use]
    pub fn session(&self) -> Session {
        Session(self.connection())
    }

    /// The rows of a query, their values as text with `|` between, null as nothing.
    ///
    /// # Panics
    ///
    /// It fails.
    #[must_use]
    pub fn texts(&self, sql: &str) -> Vec<String> {
        self.session().texts(sql)
    }

    /// The rows of a query.
    ///
    /// # Panics
    ///
    /// It fails.
    #[must_use]
    #[track_caller]
    pub fn rows(&self, sql: &str) -> Vec<Row> {
        let connection = self.connection();
        connection.runtime.block_on(connection.client.query(sql, &[])).unwrap_or_else(|e| panic!("{e:?}: {sql}"))
    }
}

impl Database {
    /// Ends everybody's connections to it; how many there were.
    ///
    /// # Panics
    ///
    /// The server is not there.
    pub fn cut(&self) -> usize {
        let of_it = format!("FROM pg_stat_activity WHERE datname = '{}'", self.name);
        Session(self.admin()).texts(&format!("SELECT pg_terminate_backend(pid) {of_it}")).len()
    }

    #[track_caller]
    fn connection(&self) -> Link {
        Link::open(&self.url).expect("the database is there")
    }

    #[track_caller]
    fn admin(&self) -> Link {
        Link::open(&self.server).expect("the server is there")
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        match Link::open(&self.server) {
            Ok(admin) => admin.run(&format!("DROP DATABASE \"{}\" WITH (FORCE)", self.name)),
            // a panic within a panic would hide the first
            Err(error) => assert!(std::thread::panicking(), "the server is gone: {error}"),
        }
    }
}

/// A schema of a database.
#[derive(Debug)]
pub struct Schema {
    url: String,
}

impl Schema {
    /// A database whose tables are in it.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }
}
