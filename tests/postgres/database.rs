//! A database for one test.

use tokio::runtime::Runtime;
use tokio_postgres::{Client, NoTls, Row};
use uuid::Uuid;

const DEFAULT: &str = "postgres://postgres@127.0.0.1:5432";

/// A server that answers.
pub(crate) struct Server {
    url: String,
}

impl Server {
    /// The server, or why there is none.
    pub(crate) fn find() -> Result<Self, String> {
        let url = std::env::var("POSTGRES_URL").unwrap_or_else(|_| DEFAULT.to_owned());
        let url = url.trim_end_matches('/').to_owned();
        match Connection::open(&format!("{url}/postgres?connect_timeout=2")) {
            Ok(_) => Ok(Self { url }),
            Err(error) => Err(format!("no PostgreSQL answers: {error}")),
        }
    }

    /// A new database.
    pub(crate) fn database(&self) -> Database {
        let name = format!("restwell_{}", Uuid::now_v7().simple());
        let admin = Connection::open(&format!("{}/postgres", self.url)).expect("the server was there");
        admin.run(&format!("CREATE DATABASE \"{name}\""));
        let connection = Connection::open(&format!("{}/{name}", self.url)).expect("the database is there");
        Database { connection: Some(connection), admin, name }
    }
}

/// A database, gone when it is dropped.
pub(crate) struct Database {
    connection: Option<Connection>,
    admin: Connection,
    name: String,
}

impl Database {
    /// Runs statements.
    #[track_caller]
    pub(crate) fn run(&self, sql: &str) {
        self.connection.as_ref().expect("a connection").run(sql);
    }

    /// The rows of a query.
    #[track_caller]
    pub(crate) fn rows(&self, sql: &str) -> Vec<Row> {
        let connection = self.connection.as_ref().expect("a connection");
        connection.runtime.block_on(connection.client.query(sql, &[])).unwrap_or_else(|e| panic!("{e:?}: {sql}"))
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.connection = None;
        self.admin.run(&format!("DROP DATABASE \"{}\" WITH (FORCE)", self.name));
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
