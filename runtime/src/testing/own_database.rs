//! A database of its own for each service under test: on PostgreSQL a new one on a server, dropped with the service.

/// The server on which services under test get their databases, if not in memory:
/// `RESTWELL_TEST_DATABASE=postgres://postgres@127.0.0.1/postgres cargo test`.
pub(super) const SERVER_VARIABLE: &str = "RESTWELL_TEST_DATABASE";

/// A database that is dropped with this.
pub(super) struct OwnDatabase {
    server: String,
    name: String,
}

impl OwnDatabase {
    /// Creates one on the server that this URL of any database names.
    pub(super) fn create(server: &str) -> Result<Self, String> {
        let name = format!("restwell_test_{}", uuid::Uuid::now_v7().simple());
        execute(server, &format!("CREATE DATABASE \"{name}\""))?;
        Ok(Self { server: server.to_owned(), name })
    }

    /// Its URL.
    pub(super) fn url(&self) -> String {
        let (address, query) = self.server.split_once('?').unwrap_or((&self.server, ""));
        let start = address.find("://").map_or(0, |at| at + 3);
        let end = address[start..].find('/').map_or(address.len(), |at| start + at);
        let query = if query.is_empty() { String::new() } else { format!("?{query}") };
        format!("{}/{}{query}", &address[..end], self.name)
    }
}

impl Drop for OwnDatabase {
    fn drop(&mut self) {
        if let Err(reason) = execute(&self.server, &format!("DROP DATABASE IF EXISTS \"{}\" WITH (FORCE)", self.name)) {
            eprintln!("the database {} is left: {reason}", self.name);
        }
    }
}

/// Executes a statement on a thread of its own, since a test may be in a runtime already.
#[cfg(feature = "postgres")]
fn execute(server: &str, sql: &str) -> Result<(), String> {
    let (server, sql) = (server.to_owned(), sql.to_owned());
    let executing = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.map_err(|error| error.to_string())?.block_on(async {
            let connected = tokio_postgres::connect(&server, tokio_postgres::NoTls).await;
            let (client, connection) = connected.map_err(|error| format!("{server}: {error}"))?;
            let driving = tokio::spawn(connection);
            let done = client.batch_execute(&sql).await.map_err(|error| format!("{server}: {error}"));
            drop(client);
            // the result of the statement counts
            let _ = driving.await;
            done
        })
    });
    executing.join().unwrap_or_else(|_| Err("the thread that manages databases panicked".to_owned()))
}

#[cfg(not(feature = "postgres"))]
fn execute(_: &str, _: &str) -> Result<(), String> {
    Err("restwell was built without `postgres`; tests need `cargo test --features postgres`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_is_that_of_the_server_with_another_database() {
        for (server, url) in [
            (
                "postgres://me:secret@db:5432/postgres?sslmode=disable",
                "postgres://me:secret@db:5432/shop?sslmode=disable",
            ),
            ("postgres://127.0.0.1", "postgres://127.0.0.1/shop"),
        ] {
            let database =
                std::mem::ManuallyDrop::new(OwnDatabase { server: server.to_owned(), name: "shop".to_owned() });
            assert_eq!(database.url(), url);
        }
    }
}
