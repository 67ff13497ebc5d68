//! A service for tests: in memory, on a port of its own, in one line.
//!
//! ```
//! # fn service() -> restwell::Builder { restwell::Builder::new("shop") }
//! let service = restwell::testing::start(service());
//! assert!(service.url("/offers").starts_with("http://127.0.0.1:"));
//! ```

use crate::config::Database;
use crate::credentials::DevelopmentKey;
use crate::events::Settings;
use crate::serve::caller::Caller;
use crate::server::Server;
use crate::service;
use crate::typed::Builder;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

/// Workers of a service under test.
const WORKERS: usize = 2;
/// Heartbeats of its event streams: few tests wait for one as long as clients do.
const HEARTBEAT: Duration = Duration::from_millis(300);

/// A running service; it ends when this is dropped.
pub struct Running {
    server: Option<Server>,
    key: DevelopmentKey,
    address: SocketAddr,
}

/// Starts a service with an empty database in memory.
///
/// # Panics
///
/// The description has mistakes, or no port can be had: the message says which.
#[must_use]
pub fn start(builder: Builder) -> Running {
    run(builder, Database::Memory)
}

/// Starts a service with a database file, made where it is missing.
///
/// # Panics
///
/// The description has mistakes, the file cannot be opened, or no port can be had: the message says which.
#[must_use]
pub fn start_with_file(builder: Builder, file: &Path) -> Running {
    run(builder, Database::File(file.to_owned()))
}

fn run(builder: Builder, database: Database) -> Running {
    let key = DevelopmentKey::generate();
    let settings = Settings { heartbeat: HEARTBEAT, ..Settings::default() };
    let engine = service::check(builder);
    let engine = engine.and_then(|s| service::open(s, database, Arc::new(key.clone()), "", &settings));
    let server = engine.and_then(|engine| {
        let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(|error| error.to_string())?;
        Server::start(listener, engine, WORKERS).map_err(|error| error.to_string())
    });
    match server {
        Ok(server) => Running { address: server.address(), server: Some(server), key },
        Err(reason) => panic!("the service under test does not start:\n{reason}"),
    }
}

impl Running {
    /// The URL of a path.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A bearer token of a caller, good for an hour.
    ///
    /// # Panics
    ///
    /// The token cannot be signed.
    #[must_use]
    pub fn token(&self, sub: Uuid, scopes: &[&str]) -> String {
        let caller = Caller { id: sub, scopes: scopes.iter().map(|&scope| scope.to_owned()).collect() };
        match self.key.token(&caller, Duration::from_secs(3600)) {
            Ok(token) => token,
            Err(error) => panic!("the token cannot be signed: {error}"),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            server.stop();
        }
    }
}
