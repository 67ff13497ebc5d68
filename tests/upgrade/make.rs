//! Makes a fixture with the program of an earlier version: it fills a database of each kind, and is killed while it
//! executes a command.

use crate::upgrade::fill::fill;
use crate::upgrade::fixture::Fixture;
use restwell_testkit::postgres::Server;
use restwell_testkit::process::{DATABASE, copy_folder, folder};
use rusqlite::Connection;
use std::path::Path;
use std::process::Command;

/// Makes the fixture of a checkout, whose folder is named after its commit.
pub(crate) fn make(checkout: &Path) {
    let name = checkout.file_name().and_then(|name| name.to_str()).expect("the checkout is named after its commit");
    let fixture = Fixture::create(name);
    copy_folder(&checkout.join("schemas"), &fixture.schemas());
    copy_folder(&checkout.join("generated-example/migrations"), &fixture.migrations());
    let program = checkout.join("target/debug/marketplace");

    sqlite(&fixture, &program);
    postgres(&fixture, &program);
}

fn sqlite(fixture: &Fixture, program: &Path) {
    let folder = folder();
    fixture.keep_seen("sqlite", &fill(program, folder.path(), DATABASE));
    let file = folder.path().join("test.db");
    // one file: what the kill left in the write-ahead log goes to the others
    let database = Connection::open(&file).expect("the database opens");
    database.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).expect("nobody else has it open");
    drop(database);
    fixture.keep_sqlite(&file);
}

fn postgres(fixture: &Fixture, program: &Path) {
    let (folder, database) = (folder(), Server::find().unwrap_or_else(|reason| panic!("{reason}")).database());
    fixture.keep_seen("postgres", &fill(program, folder.path(), &format!("--database={}", database.url())));
    let options = ["--no-owner", "--no-privileges", "--inserts", "--rows-per-insert=100", "--dbname"];
    let dump = Command::new("pg_dump").args(options).arg(database.url()).output().expect("pg_dump is there");
    assert!(dump.status.success(), "{}", String::from_utf8_lossy(&dump.stderr));
    let dump = String::from_utf8(dump.stdout).expect("text");
    // comments name the versions of servers and programs; what begins with a backslash is for psql
    let lines = dump.lines().filter(|line| !line.is_empty() && !line.starts_with("--") && !line.starts_with('\\'));
    let lines: Vec<_> = lines.collect();
    fixture.keep_postgres(&(lines.join("\n") + "\n"));
}
