//! A server that is there.

use super::Database;
use super::session::Link;
use crate::effort::allows_servers;
use uuid::Uuid;

const DEFAULT: &str = "postgres://postgres@127.0.0.1:5432";

/// A server that answers.
#[derive(Debug, Clone)]
pub struct Server {
    url: String,
}

impl Server {
    /// The server.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub fn find() -> Result<Self, String> {
        allows_servers()?;
        Self::at(&std::env::var("POSTGRES_URL").unwrap_or_else(|_| DEFAULT.to_owned()))
    }

    /// The one at a URL without a database.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub fn at(url: &str) -> Result<Self, String> {
        let url = url.trim_end_matches('/').to_owned();
        match Link::open(&format!("{url}/postgres?connect_timeout=2")) {
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
        Database::create(&self.url, &format!("restwell_{}", Uuid::now_v7().simple()))
    }
}
