//! PostgreSQL for tests: at `POSTGRES_URL`, or at 127.0.0.1:5432 as `postgres`. Where there is none, tests that need it show
//! as ignored; with `RESTWELL_POSTGRES=required` they fail.

use tokio::runtime::Runtime;
use tokio_postgres::{Client, NoTls, Row, SimpleQueryMessage, SimpleQueryRow};
use uuid::Uuid;

const DEFAULT: &str = "postgres://postgres@127.0.0.1:5432";

/// Whether tests that could run on either database are to run on PostgreSQL: `RESTWELL_STORE=postgres`. Those that cannot
/// are listed in `tests/sqlite-only.txt`, each with its reason.
#[must_use]
pub fn is_chosen() -> bool {
    std::env::var("RESTWELL_STORE").is_ok_and(|store| store == "postgres")
}

/// A new database where PostgreSQL is chosen.
///
/// # Panics
///
/// It is chosen, and not there.
#[must_use]
pub fn chosen() -> Option<Database> {
    is_chosen().then(|| Server::find().unwrap_or_else(|reason| panic!("{reason}")).database())
}

/// A server that answers.
#[derive(Debug, Clone)]
pub struct Server {
    url: String,
}

/// Whether tests that need a server fail where there is none.
#[must_use]
pub fn is_required() -> bool {
    std::env::var("RESTWELL_POSTGRES").is_ok_and(|value| value == "required")
}

impl Server {
    /// The server.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub fn find() -> Result<Self, String> {
        Self::at(&std::env::var("POSTGRES_URL").unwrap_or_else(|_| DEFAULT.to_owned()))
    }

    /// The one at a URL without a database.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub fn at(url: &str) -> Result<Self, String> {
        let url = url.trim_end_matches('/').to_owned();
        match Connection::open(&format!("{url}/postgres?connect_timeout=2")) {
            Ok(_) => Ok(Self { url }),
            Err(error) => Err(format!("no PostgreSQL answers: {error}")),
        }
    }

    /// Where it is.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A new database.
    ///
    /// # Panics
    ///
    /// It cannot be made.
    #[must_use]
    pub fn database(&self) -> Database {
        let name = format!("restwell_{}", Uuid::now_v7().simple());
        let database = Database { server: format!("{}/postgres", self.url), url: format!("{}/{name}", self.url), name };
        database.admin().run(&format!("CREATE DATABASE \"{}\"", database.name));
        database
    }
}

/// A database, gone when it is dropped. It is connected to anew each time: a test may end connections, or the server.
#[derive(Debug)]
pub struct Database {
    /// A database that is always there.
    server: String,
    name: String,
    url: String,
}

impl Database {
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
    fn connection(&self) -> Connection {
        Connection::open(&self.url).expect("the database is there")
    }

    #[track_caller]
    fn admin(&self) -> Connection {
        Connection::open(&self.server).expect("the server is there")
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        match Connection::open(&self.server) {
            Ok(admin) => admin.run(&format!("DROP DATABASE \"{}\" WITH (FORCE)", self.name)),
            // a panic within a panic would hide the first
            Err(error) => assert!(std::thread::panicking(), "the server is gone: {error}"),
        }
    }
}

/// A connection that is kept: a transaction may go over several calls.
pub struct Session(Connection);

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

struct Connection {
    runtime: Runtime,
    client: Client,
}

impl Connection {
    fn open(url: &str) -> Result<Self, tokio_postgres::Error> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let (client, connection) = runtime.block_on(tokio_postgres::connect(url, NoTls))?;
        runtime.spawn(connection);
        Ok(Self { runtime, client })
    }

    #[track_caller]
    fn run(&self, sql: &str) {
        let result = self.runtime.block_on(self.client.batch_execute(sql));
        result.unwrap_or_else(|error| panic!("{error:?}: {sql}"));
    }
}
