//! A folder to run the program in, and the database that goes with it.

use super::DATABASE;
use crate::postgres::{self, Database};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Where a folder says which database is its own.
const CHOSEN: &str = "postgres.url";

/// A folder, gone with the test; so is the database that belongs to it.
pub struct Folder {
    folder: TempDir,
    database: Option<Database>,
}

impl Folder {
    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The argument that names its database.
    pub fn argument(&self) -> String {
        self.database.as_ref().map_or_else(|| DATABASE.to_owned(), |database| format!("--database={}", database.url()))
    }

    /// A number that the database gives once no service has it open.
    #[track_caller]
    pub fn count(&self, sql: &str) -> i64 {
        match &self.database {
            Some(database) => database.rows(sql)[0].get(0),
            None => {
                let database = rusqlite::Connection::open(self.path().join("test.db")).expect("the database opens");
                database.query_row(sql, [], |row| row.get(0)).expect("a number")
            }
        }
    }

    /// Does something in the database that no service has open: with a statement for each kind.
    #[track_caller]
    pub fn run(&self, sqlite: &str, postgres: &str) {
        match &self.database {
            Some(database) => database.run(postgres),
            None => {
                let database = rusqlite::Connection::open(self.path().join("test.db")).expect("the database opens");
                database.execute_batch(sqlite).expect("the statement runs");
            }
        }
    }

    /// The bytes of the database.
    #[track_caller]
    pub fn bytes(&self) -> i64 {
        match &self.database {
            Some(_) => self.count("SELECT pg_database_size(current_database())"),
            None => fs::metadata(self.path().join("test.db")).expect("the database is there").len() as i64,
        }
    }
}

/// An empty folder, but for what says where the database is.
pub fn folder() -> Folder {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let database = postgres::chosen();
    if let Some(database) = &database {
        std::fs::write(folder.path().join(CHOSEN), database.url()).expect("the folder can be written to");
    }
    Folder { folder, database }
}

/// The output of the program in a folder, which may have a database of its own.
pub(super) fn arguments<S: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = S>) -> Vec<OsString> {
    let chosen = std::fs::read_to_string(folder.join(CHOSEN)).ok();
    let argument = |argument: S| match &chosen {
        Some(url) if argument.as_ref() == DATABASE => format!("--database={url}").into(),
        _ => argument.as_ref().to_owned(),
    };
    arguments.into_iter().map(argument).collect()
}

/// Copies a folder with all that is in it.
pub fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in fs::read_dir(from).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("an entry has a name"));
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            fs::copy(&path, &target).expect("a file can be copied");
        }
    }
}
