//! Where the services of a test keep their data: it stays when one of them ends.

use restwell::Builder;
use restwell::testing::Setup;
use restwell_testkit::postgres::{Database, Server};
use tempfile::TempDir;

/// A database of a test's own.
pub(crate) enum OwnStore {
    Sqlite(TempDir),
    Postgres(Database),
}

impl OwnStore {
    /// An empty one: of a server, or a file.
    pub(crate) fn new(server: Option<&Server>) -> Self {
        match server {
            Some(server) => Self::Postgres(server.database()),
            None => Self::Sqlite(tempfile::tempdir().expect("a folder for temporary files")),
        }
    }

    /// Where it is, as programs are told.
    pub(crate) fn url(&self) -> String {
        match self {
            Self::Sqlite(folder) => format!("sqlite://{}", folder.path().join("test.db").display()),
            Self::Postgres(database) => database.url().to_owned(),
        }
    }

    /// A service on it.
    pub(crate) fn setup(&self, builder: Builder) -> Setup {
        let setup = Setup::of(builder);
        match self {
            Self::Sqlite(folder) => setup.file(&folder.path().join("test.db")),
            Self::Postgres(database) => setup.database(database.url()),
        }
    }
}
