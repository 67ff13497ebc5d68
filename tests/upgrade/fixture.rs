//! The folder of one earlier version.

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use restwell_testkit::postgres::Database;
use serde_json::Value;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A version, and what is kept of it.
#[derive(Debug, Clone)]
pub(crate) struct Fixture {
    folder: PathBuf,
}

impl Fixture {
    /// All that there are.
    pub(crate) fn all() -> Vec<Self> {
        let entries = fs::read_dir(fixtures()).expect("the fixtures are there");
        let mut all: Vec<_> = entries.map(|entry| Self { folder: entry.expect("an entry").path() }).collect();
        all.sort_by(|a, b| a.folder.cmp(&b.folder));
        assert!(!all.is_empty(), "there is nothing to test");
        all
    }

    /// A new one, in place of what it was.
    pub(crate) fn create(name: &str) -> Self {
        let fixture = Self { folder: fixtures().join(name) };
        if fixture.folder.exists() {
            fs::remove_dir_all(&fixture.folder).expect("the old fixture can go");
        }
        fs::create_dir_all(&fixture.folder).expect("a folder can be made");
        fixture
    }

    /// The commit.
    pub(crate) fn name(&self) -> &str {
        self.folder.file_name().and_then(|name| name.to_str()).expect("it is named after a commit")
    }

    pub(crate) fn schemas(&self) -> PathBuf {
        self.folder.join("schemas")
    }

    pub(crate) fn migrations(&self) -> PathBuf {
        self.folder.join("migrations")
    }

    /// What clients saw of the service on a store.
    pub(crate) fn seen(&self, store: &str) -> Value {
        let text = fs::read(self.folder.join(format!("{store}.json"))).expect("what was seen");
        serde_json::from_slice(&text).expect("JSON")
    }

    pub(crate) fn keep_seen(&self, store: &str, seen: &Value) {
        let text = serde_json::to_string_pretty(seen).expect("JSON") + "\n";
        fs::write(self.folder.join(format!("{store}.json")), text).expect("the fixture can be written");
    }

    /// Writes the SQLite database to a file.
    pub(crate) fn load_sqlite(&self, file: &Path) {
        let kept = File::open(self.folder.join("sqlite.db.gz")).expect("the stored database");
        let mut file = File::create(file).expect("the folder can be written to");
        io::copy(&mut GzDecoder::new(kept), &mut file).expect("it is whole");
    }

    pub(crate) fn keep_sqlite(&self, file: &Path) {
        let kept = File::create(self.folder.join("sqlite.db.gz")).expect("the fixture can be written");
        let mut kept = GzEncoder::new(kept, Compression::best());
        io::copy(&mut File::open(file).expect("the database"), &mut kept).expect("it can be copied");
        kept.finish().expect("the fixture can be written");
    }

    /// Fills an empty database.
    pub(crate) fn load_postgres(&self, database: &Database) {
        let dump = fs::read_to_string(self.folder.join("postgres.sql")).expect("the stored database");
        database.run(&dump);
    }

    pub(crate) fn keep_postgres(&self, dump: &str) {
        fs::write(self.folder.join("postgres.sql"), dump).expect("the fixture can be written");
    }
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("upgrade/fixtures")
}
