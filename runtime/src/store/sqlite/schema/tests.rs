//! A database that follows a service written by hand, whose migrations are planned on the spot.

use super::{find, prepare};
use crate::migrations::{DatabaseState, Migration, MigrationTarget};
use crate::program_name::program_name;
use crate::store::sqlite::connection::{SqliteLocation, open_writer};
use restwell_model::{Checked, Field, Resource, Service, Type};
use rusqlite::Connection;
use std::path::Path;

fn model(fields: Vec<Field>) -> Checked {
    let mut thing = Resource::new("Thing");
    thing.fields = fields;
    Checked::new(Service { resources: vec![thing], ..Service::new("shop") }).unwrap()
}

fn named(names: &[&str]) -> Checked {
    model(names.iter().map(|name| Field::new(name, Type::string())).collect())
}

fn goal(model: &Checked) -> MigrationTarget<'_> {
    MigrationTarget { model, migrations: &[], migrate: false, consent: false }
}

struct Database {
    _folder: tempfile::TempDir,
    location: SqliteLocation,
    connection: Connection,
}

impl Database {
    /// One that a model made.
    fn of(model: &Checked) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let location = SqliteLocation::File(folder.path().join("test.db"));
        let connection = open_writer(&location).unwrap();
        let database = Self { _folder: folder, location, connection };
        database.prepare(&goal(model)).unwrap();
        database
    }

    fn prepare(&self, goal: &MigrationTarget<'_>) -> Result<(), String> {
        prepare(&self.connection, goal, &self.location)
    }

    fn insert(&self, names: &[&str]) {
        for (number, name) in names.iter().enumerate() {
            let id = [u8::try_from(number).unwrap(); 16];
            let sql = "INSERT INTO things (id, created_at, updated_at, name) VALUES (?1, 0, 0, ?2)";
            self.connection.execute(sql, (id, name)).unwrap();
        }
    }

    fn texts(&self, sql: &str) -> Vec<String> {
        let mut statement = self.connection.prepare(sql).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }
}

#[test]
fn it_is_served_from_once_it_has_followed() {
    let (old, new) = (named(&["name"]), named(&["name", "note"]));
    let database = Database::of(&old);
    database.insert(&["a"]);
    assert_eq!(database.prepare(&goal(&old)), Ok(()));
    let told = database.prepare(&goal(&new)).unwrap_err();
    let run = format!("`{} migrate`", program_name());
    assert!(told.contains("0001-add-thing-note") && told.contains(&run), "{told}");
    let DatabaseState::Behind(pending) = find(&database.connection, &goal(&new), &database.location).unwrap() else {
        panic!("it is behind");
    };
    assert_eq!(pending.len(), 1);
    database.prepare(&MigrationTarget { migrate: true, ..goal(&new) }).unwrap();
    assert_eq!(database.texts("SELECT name || ifnull(note, '-') FROM things"), ["a-"]);
    assert_eq!(database.texts("SELECT name FROM _restwell_migrations"), ["0001-add-thing-note"]);
    assert_eq!(database.prepare(&goal(&new)), Ok(()));
    let foreign_keys: bool = database.connection.query_row("PRAGMA foreign_keys", [], |row| row.get(0)).unwrap();
    assert!(foreign_keys);
    // the older program does not take away what the newer one has
    let told = database.prepare(&MigrationTarget { migrate: true, ..goal(&old) }).unwrap_err();
    assert!(told.contains("Thing.fields.note: was removed") && told.contains("--allow-drop"), "{told}");
    database.prepare(&MigrationTarget { migrate: true, consent: true, ..goal(&old) }).unwrap();
    assert_eq!(database.texts("SELECT name FROM _restwell_migrations WHERE number = 2"), ["0002-drop-thing-note"]);
}

/// SQLite drops no column that an index is on.
#[test]
fn indexes_of_states_are_in_no_migrations_way() {
    let (old, new) = (named(&["name", "note"]), named(&["name"]));
    let database = Database::of(&old);
    let index = "CREATE INDEX \"_restwell.state.things.name.note\" ON things (name, note, id)";
    database.connection.execute(index, []).unwrap();
    database.prepare(&MigrationTarget { migrate: true, consent: true, ..goal(&new) }).unwrap();
    let of_states = "SELECT name FROM sqlite_master WHERE name LIKE '\\_restwell.state.%' ESCAPE '\\'";
    assert!(database.texts(of_states).is_empty());
    // one that is not wanted any more goes at the next start
    database.connection.execute("CREATE INDEX \"_restwell.state.things.name\" ON things (name, id)", []).unwrap();
    database.prepare(&goal(&new)).unwrap();
    assert!(database.texts(of_states).is_empty());
}

#[test]
fn what_is_in_the_way_changes_nothing() {
    let old = named(&["name"]);
    let unique = Field { unique: true.into(), ..Field::new("name", Type::string()) };
    let new = model(vec![unique, Field::new("note", Type::string())]);
    let database = Database::of(&old);
    database.insert(&["a", "b", "a"]);
    let schema = || database.texts("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL");
    let before = schema();
    let told = database.prepare(&MigrationTarget { migrate: true, ..goal(&new) }).unwrap_err();
    assert!(told.contains("Thing.fields.name.unique: several stored rows have the same value, as a"), "{told}");
    assert!(told.contains("nothing was changed"), "{told}");
    assert_eq!(schema(), before);
    database.connection.execute("DELETE FROM things WHERE name = 'a'", []).unwrap();
    database.prepare(&MigrationTarget { migrate: true, ..goal(&new) }).unwrap();
    assert!(database.connection.execute("INSERT INTO things SELECT * FROM things", []).is_err());
}

/// Texts that people edited, two of them, the second of which fails: the first stays, and is not run again.
#[test]
fn each_migration_is_a_transaction() {
    let (old, new) = (named(&["name"]), named(&["name", "note", "place"]));
    let migration = |name: &str, sqlite: &str| Migration {
        name: name.to_owned().into(),
        sqlite: sqlite.to_owned().into(),
        postgres: "".into(),
    };
    let (first, note, place) = (
        migration("0001-create", "CREATE TABLE things (name);"),
        migration("0002-note", "ALTER TABLE things ADD COLUMN note TEXT; UPDATE things SET note = name || '; so';"),
        migration("0003-place", "ALTER TABLE things ADD COLUMN place TEXT; UPDATE things SET nowhere = 1;"),
    );
    let database = Database::of(&old);
    database.insert(&["a"]);
    database
        .connection
        .execute_batch("DELETE FROM _restwell_migrations; DELETE FROM _restwell WHERE key = 'model'")
        .unwrap();
    // made before there were migrations
    database.prepare(&MigrationTarget { migrations: std::slice::from_ref(&first), ..goal(&old) }).unwrap();
    assert_eq!(database.texts("SELECT name || ifnull(checksum, '') FROM _restwell_migrations"), ["0001-create"]);
    let wrong = [first.clone(), note.clone(), place];
    let told = database.prepare(&MigrationTarget { migrations: &wrong, migrate: true, ..goal(&new) }).unwrap_err();
    assert!(told.contains("0003-place cannot run") && told.contains("nowhere"), "{told}");
    assert_eq!(database.texts("SELECT note FROM things"), ["a; so"]);
    assert_eq!(database.texts("SELECT name FROM _restwell_migrations").len(), 2);
    let right = [first.clone(), note, migration("0003-place", "ALTER TABLE things ADD COLUMN place TEXT;")];
    database.prepare(&MigrationTarget { migrations: &right, migrate: true, ..goal(&new) }).unwrap();
    assert_eq!(database.prepare(&MigrationTarget { migrations: &right, ..goal(&new) }), Ok(()));
    let edited = [first, migration("0002-note", "SELECT 1;"), right[2].clone()];
    let told = database.prepare(&MigrationTarget { migrations: &edited, ..goal(&new) }).unwrap_err();
    assert!(told.contains("0002-note was changed after it had run"), "{told}");
}

/// As if several instances were started at once.
#[test]
fn one_at_a_time_migrates_and_the_others_find_it_done() {
    let (old, new) = (named(&["name"]), named(&["name", "note"]));
    let database = Database::of(&old);
    let SqliteLocation::File(path) = &database.location else { panic!("a file") };
    let start = |path: &Path| {
        let location = SqliteLocation::File(path.to_owned());
        let connection = open_writer(&location).unwrap();
        prepare(&connection, &MigrationTarget { migrate: true, ..goal(&new) }, &location)
    };
    let done: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| start(path))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(done, vec![Ok(()); 8]);
    assert_eq!(database.texts("SELECT name FROM _restwell_migrations"), ["0001-add-thing-note"]);
}
