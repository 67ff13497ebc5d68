//! Which database is served from, and which is refused.

use restwell_testkit::market;
use restwell_testkit::process::{DATABASE, LISTEN, Service, folder, refusal, run};
use rusqlite::Connection;
use std::path::Path;

#[track_caller]
fn alter(file: &Path, sql: &str) {
    Connection::open(file).and_then(|connection| connection.execute_batch(sql)).expect("the database can be altered");
}

/// The sentence with which a database is refused.
#[track_caller]
fn refused(folder: &Path) -> String {
    let error = refusal(&run(folder, [LISTEN, DATABASE]));
    assert!(error.contains("test.db"), "it names the database: {error}");
    error
}

#[test]
fn a_database_of_something_else_is_refused_and_left_alone() {
    let folder = folder();
    let file = folder.path().join("test.db");
    alter(&file, "CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')");
    let error = refused(folder.path());
    assert!(error.contains("not this service's"), "{error}");
    let connection = Connection::open(&file).expect("it is still a database");
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0)).expect("a count");
    assert_eq!(tables, 1);
}

#[test]
fn a_database_of_another_model_is_refused() {
    let folder = folder();
    Service::start(folder.path()).stop();
    // as a model whose offers lacked their name would have made it
    alter(
        &folder.path().join("test.db"),
        "UPDATE _restwell SET value = replace(value, '\"name\" TEXT', '\"title\" TEXT')",
    );
    let error = refused(folder.path());
    assert!(error.contains("another model") && error.contains("--database"), "what to do: {error}");
}

#[test]
fn a_database_whose_tables_were_altered_is_refused() {
    let folder = folder();
    Service::start(folder.path()).stop();
    alter(&folder.path().join("test.db"), "ALTER TABLE offers RENAME COLUMN name TO title");
    let error = refused(folder.path());
    assert!(error.contains("offers"), "it names the table: {error}");
}

#[test]
fn a_file_that_is_no_database_is_refused() {
    let folder = folder();
    std::fs::write(
        folder.path().join("test.db"),
        "a shopping list, surely longer than a header of SQLite's ".repeat(8),
    )
    .expect("a file");
    refused(folder.path());
}

#[test]
fn a_database_that_cannot_be_opened_is_reported() {
    let folder = folder();
    for (url, named) in [
        ("sqlite:///nowhere/at/all/market.db", "/nowhere/at/all/market.db"),
        ("sqlite://", "sqlite://"),
        ("mysql://reader:hunter2@localhost/market", "mysql"),
    ] {
        let error = refusal(&run(folder.path(), [LISTEN, "--database", url]));
        assert!(error.contains(named), "{error}");
        assert!(!error.contains("hunter2"), "{error}");
    }
}

#[test]
fn a_database_that_is_served_is_refused_to_a_second_process() {
    let folder = folder();
    let service = Service::start(folder.path());
    let seller = market::user(service.address(), "seller");
    for arguments in [&[LISTEN, DATABASE][..], &["migrate", DATABASE]] {
        let error = refusal(&run(folder.path(), arguments));
        assert!(
            error.contains("another process is using the database test.db") && error.contains("--database"),
            "{error}"
        );
    }
    // what only reads may
    assert!(run(folder.path(), ["serve", "--check", DATABASE]).status.success());
    assert!(run(folder.path(), ["export", DATABASE, "--out=all.ndjson"]).status.success());
    service.get(&format!("/users/{seller}")).is(200);
    service.stop();
    Service::start(folder.path()).stop();
}

#[test]
fn in_memory_nothing_is_kept() {
    let folder = folder();
    let arguments = [LISTEN, "--database=sqlite::memory:"];
    let service = Service::start_with(folder.path(), &arguments);
    market::user(service.address(), "reader");
    assert_eq!(service.get("/users").is(200).json()["count"], 1);
    service.stop();
    let service = Service::start_with(folder.path(), &arguments);
    assert_eq!(service.get("/users").is(200).json()["count"], 0);
    let files = std::fs::read_dir(folder.path()).expect("the folder").filter_map(Result::ok);
    let files: Vec<_> = files.map(|file| file.file_name()).collect();
    assert_eq!(files, ["marketplace.development-key"]);
}

#[test]
fn only_the_default_database_gets_sample_data_and_once() {
    let folder = folder();
    let service = Service::start_with(folder.path(), &[LISTEN]);
    let count = service.get("/offers").is(200).json()["count"].clone();
    assert!(count.as_u64() > Some(0), "{count}");
    market::user(service.address(), "reader");
    let users = service.get("/users").is(200).json()["count"].clone();
    let log = service.stop();
    assert!(!log.iter().any(|line| line.contains("left out")), "all of the sample data is valid: {log:#?}");
    assert!(folder.path().join("marketplace.db").exists());

    let service = Service::start_with(folder.path(), &[LISTEN]);
    assert_eq!(service.get("/users").is(200).json()["count"], users, "what is there is kept, and nothing added");
    service.stop();

    let service = Service::start(folder.path());
    for collection in ["/offers", "/users", "/products", "/contests"] {
        assert_eq!(service.get(collection).is(200).json()["count"], 0, "{collection} of a named database");
    }
}
