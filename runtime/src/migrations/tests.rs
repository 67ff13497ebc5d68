//! What is said of a database, without one.

use super::compare::difference;
use super::{Migration, MigrationTarget, Recorded, RecordedMigration, SEPARATOR, SchemaState, checksum, compare};
use restwell_model::tables::{Dialect, create};
use restwell_model::{Checked, Field, Resource, Service, Type};
use std::borrow::Cow;

const FIRST: Migration = migration("0001-create", "SELECT 1;", "SELECT 2;");
const SECOND: Migration = migration("0002-add-thing-note", SECOND_SQLITE, "SELECT 4;");
const SECOND_SQLITE: &str = "SELECT 3;";

const fn migration(name: &'static str, sqlite: &'static str, postgres: &'static str) -> Migration {
    Migration { name: Cow::Borrowed(name), sqlite: Cow::Borrowed(sqlite), postgres: Cow::Borrowed(postgres) }
}

fn model(fields: &[&str]) -> Checked {
    let mut thing = Resource::new("Thing");
    thing.fields = fields.iter().map(|name| Field::new(name, Type::string())).collect();
    Checked::new(Service { resources: vec![thing], ..Service::new("shop") }).unwrap()
}

fn run(migration: &Migration, ran: Option<&str>) -> RecordedMigration {
    let number = migration.name[..4].parse().unwrap();
    RecordedMigration {
        number,
        name: migration.name.clone().into_owned(),
        checksum: ran.map(checksum),
        steps: 0,
        is_finished: true,
    }
}

/// What is said of a database that a model made, in which these have run.
fn said(
    made: &[&str],
    runs: Vec<RecordedMigration>,
    now: &[&str],
    migrations: &[Migration],
) -> Result<SchemaState, String> {
    let (made, now) = (model(made), model(now));
    let schema = create(&made, Dialect::Sqlite).join(SEPARATOR);
    let recorded = Recorded { schema, model: Some(serde_json::to_string(&*made).unwrap()), runs };
    let goal = MigrationTarget { model: &now, migrations, migrate: false, consent: false };
    compare(&goal, &recorded, Dialect::Sqlite, "test.db")
}

#[track_caller]
fn assert_pending(state: Result<SchemaState, String>, expected: &[(&str, usize)]) {
    let Ok(SchemaState::Behind(pending)) = state else { panic!("{state:?}") };
    let pending: Vec<_> = pending.iter().map(|pending| (pending.name.as_str(), pending.done)).collect();
    assert_eq!(pending, expected);
}

#[track_caller]
fn assert_refused(state: Result<SchemaState, String>, words: &str) {
    let reason = state.expect_err("a refusal");
    assert!(reason.contains("test.db") && reason.contains(words), "{reason}");
}

#[test]
fn numbers_show_whether_a_database_is_behind_or_ahead() {
    let (old, new) = (&["name"][..], &["name", "note"][..]);
    let both = [FIRST, SECOND];
    let made = || vec![run(&FIRST, None)];
    assert_eq!(said(old, made(), old, &[FIRST]), Ok(SchemaState::Fits(true)));
    assert_pending(said(old, made(), new, &both), &[("0002-add-thing-note", 0)]);
    let ran = || vec![run(&FIRST, None), run(&SECOND, Some(SECOND_SQLITE))];
    assert_eq!(said(new, ran(), new, &both), Ok(SchemaState::Fits(true)));
    assert_refused(said(new, ran(), old, &[FIRST]), "ahead of this program: 0002-add-thing-note");
    // one that began to run goes on where it was
    let begun = RecordedMigration { steps: 1, is_finished: false, ..run(&SECOND, Some(SECOND_SQLITE)) };
    assert_pending(said(old, vec![run(&FIRST, None), begun], new, &both), &[("0002-add-thing-note", 1)]);
}

/// The next program with the migrations would not know the database again.
#[test]
fn a_database_with_migrations_does_not_follow_a_program_without_any() {
    let (old, new) = (&["name"][..], &["name", "note"][..]);
    let made = || vec![run(&FIRST, None)];
    assert_refused(said(old, made(), new, &[]), "follows migrations, from 0001-create on");
    assert_eq!(said(old, made(), old, &[]), Ok(SchemaState::Fits(true)), "nothing is to be changed");
    assert_pending(said(old, Vec::new(), new, &[]), &[("0001-add-thing-note", 0)]);
    let planned = vec![run(&FIRST, Some(&FIRST.sqlite))];
    assert_pending(said(old, planned, new, &[]), &[("0002-add-thing-note", 0)]);
}

#[test]
fn what_ran_stays_as_it_was() {
    let new = &["name", "note"][..];
    let other = Migration { name: "0002-of-another-branch".into(), ..SECOND };
    let ran = |text| vec![run(&FIRST, None), run(&SECOND, Some(text))];
    assert_refused(said(new, ran(SECOND_SQLITE), new, &[FIRST, other]), "0002-add-thing-note has run there");
    assert_refused(said(new, ran("SELECT 5;"), new, &[FIRST, SECOND]), "was changed after it had run");
    assert_eq!(checksum("a\r\nb"), checksum("a\nb"));
}

#[test]
fn older_databases_are_adopted_where_they_fit() {
    let old = &["name"][..];
    assert_eq!(said(old, Vec::new(), old, &[FIRST]), Ok(SchemaState::Fits(false)));
    assert_refused(said(old, Vec::new(), &["title"], &[FIRST]), "made by another model: its table \"things\"");
    // everything has run, but the text differs
    assert_refused(said(old, vec![run(&FIRST, None)], &["title"], &[FIRST]), "made by another model");
}

#[test]
fn without_migrations_the_models_are_compared() {
    let old = &["name"][..];
    assert_eq!(said(old, Vec::new(), old, &[]), Ok(SchemaState::Fits(true)));
    assert_pending(said(old, Vec::new(), &["name", "note"], &[]), &[("0001-add-thing-note", 0)]);
    assert_refused(said(old, Vec::new(), &["note"], &[]), "Thing.fields.name: was removed");
}

#[test]
fn a_difference_is_named() {
    let found = "CREATE TABLE \"offers\" (a);\nCREATE INDEX \"x\" ON y";
    let same: Vec<_> = found.split(SEPARATOR).map(str::to_owned).collect();
    assert_eq!(difference(found, &same), None);
    let wider = vec!["CREATE TABLE \"offers\" (a, b)".to_owned(), same[1].clone()];
    assert_eq!(difference(found, &wider).as_deref(), Some("table \"offers\" is not what the model needs"));
    // a default may hold what stands between statements
    let text = vec!["CREATE TABLE \"offers\" (a DEFAULT ';\n')".to_owned(), same[1].clone()];
    assert_eq!(difference(&text.join(SEPARATOR), &text), None);
    assert_eq!(
        difference(&text.join(SEPARATOR), &same).as_deref(),
        Some("table \"offers\" is not what the model needs")
    );
    assert_eq!(difference(found, &same[..1]).as_deref(), Some("index \"x\" is not in the model"));
}
