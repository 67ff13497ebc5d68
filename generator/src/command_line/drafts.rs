//! Whether the last migration is still a draft: version control does not hold it, and no database has run it. Then a
//! change of the schemas replaces it, instead of adding a second one.
//!
//! Git is asked for the first. For the second the database files of the project are searched for the migration's name,
//! which each database records; the generator opens none. A database elsewhere that has run a migration refuses to
//! serve once its text has changed, and says so.

use crate::migrations::MIGRATIONS_FOLDER;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Bytes of a database file that are searched at a time.
const CHUNK: usize = 1 << 20;
/// What the names of database files end in.
const DATABASES: [&str; 4] = ["db", "db-wal", "sqlite", "sqlite3"];
/// What the names of development databases end in: no migration file runs there.
const DEVELOPMENT: [&str; 2] = [".dev.db", ".dev.db-wal"];

/// What is known of a migration.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum DraftState {
    /// It can be replaced. The model before it, from version control.
    Draft(Option<Vec<u8>>),
    /// This database has run it.
    HasRun(String),
    /// Version control holds it, or cannot be asked.
    Held,
}

/// The state of a project's last migration. `is_only`: there is no other one.
pub(super) fn state(out: &Path, name: &str, is_only: bool) -> DraftState {
    let before = match held(out, name) {
        Some(true) => return DraftState::Held,
        Some(false) => git(out, &["show", &format!(":./{MIGRATIONS_FOLDER}/model.json")]),
        // without version control the model before it is unknown, except before the first one, which follows nothing
        None if is_only => None,
        None => return DraftState::Held,
    };
    match database_with(out, name) {
        Some(database) => DraftState::HasRun(database),
        None => DraftState::Draft(before),
    }
}

/// Whether Git holds a migration; `None` where the project is in no repository. Others than Git cannot be asked, and
/// are taken to hold it.
fn held(out: &Path, name: &str) -> Option<bool> {
    if let Some(files) = git(out, &["ls-files", "--", &format!("{MIGRATIONS_FOLDER}/{name}")]) {
        return Some(!files.is_empty());
    }
    let folder = fs::canonicalize(out).ok()?;
    let repository = |folder: &Path| [".git", ".jj", ".hg", ".svn"].iter().any(|name| folder.join(name).exists());
    folder.ancestors().any(repository).then_some(true)
}

/// What Git prints; `None` where it fails.
fn git(out: &Path, arguments: &[&str]) -> Option<Vec<u8>> {
    let mut command = Command::new("git");
    command.arg("-C").arg(out).args(arguments).stdin(Stdio::null()).stderr(Stdio::null());
    let output = command.output().ok()?;
    output.status.success().then_some(output.stdout)
}

/// A database that has recorded the migration, or that could have.
fn database_with(out: &Path, name: &str) -> Option<String> {
    let named = std::env::var("DATABASE_URL").ok().filter(|url| !url.is_empty());
    let mut files = database_files(out);
    files.extend(database_files(Path::new(".")));
    if let Some(url) = named {
        match url.strip_prefix("sqlite:") {
            Some(":memory:") => {}
            Some(file) => files.push(PathBuf::from(file.strip_prefix("//").unwrap_or(file))),
            // a server cannot be searched
            None => return Some("the database that DATABASE_URL names".to_owned()),
        }
    }
    let found = files.into_iter().find(|file| contains(file, name.as_bytes()).unwrap_or(true));
    found.map(|file| format!("`{}`", file.display()))
}

fn database_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_database = |path: &PathBuf| {
        let is_development = DEVELOPMENT.iter().any(|ending| path.to_string_lossy().ends_with(ending));
        !is_development && path.extension().and_then(OsStr::to_str).is_some_and(|it| DATABASES.contains(&it))
    };
    // what is no regular file may never end
    entries.filter(|path| is_database(path) && path.is_file()).collect()
}

/// Whether the bytes are somewhere in a file. SQLite keeps a short text in one piece.
fn contains(file: &Path, bytes: &[u8]) -> io::Result<bool> {
    let mut file = match File::open(file) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    let mut buffer = Vec::with_capacity(CHUNK + bytes.len());
    loop {
        let read = file.by_ref().take(CHUNK as u64).read_to_end(&mut buffer)?;
        if buffer.windows(bytes.len()).any(|window| window == bytes) {
            return Ok(true);
        }
        if read == 0 {
            return Ok(false);
        }
        // the bytes may begin in one piece and end in the next
        buffer.drain(..buffer.len().saturating_sub(bytes.len()));
    }
}
