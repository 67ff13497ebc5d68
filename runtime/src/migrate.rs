//! `migrate`: brings the database to the service's model, or shows what that would do.

use crate::config::{Database, MigrateOptions};
use crate::migrations::{Found, Goal, shown};
use crate::program::{database, print};
use crate::service;
use crate::store::{Postgres, Sqlite, SqliteLocation};
use crate::typed::Builder;
use restwell_model::Checked;

/// Runs what is pending; a sentence where it cannot.
pub(crate) fn run(builder: Builder, options: &MigrateOptions) -> Result<(), String> {
    let service = service::check(builder)?;
    let goal = Goal { migrate: true, consent: options.allow_drop, ..service.goal() };
    let (database, _) = database(goal.model, options.database.as_deref(), 1)?;
    match database {
        Database::Memory => Err("a database in memory is made anew each time: there is nothing to migrate".to_owned()),
        Database::Postgres(location, _) => {
            let found = Postgres::find(&location, &goal)?;
            bring(found, &location.to_string(), options.plan, || Postgres::prepare(&location, &goal))
        }
        Database::File(path) => {
            let location = SqliteLocation::File(path);
            let found = Sqlite::find(&location, &goal)?;
            bring(found, &location.to_string(), options.plan, || Sqlite::prepare(&location, &goal))
        }
    }
}

fn bring(
    found: Found,
    database: &str,
    is_plan: bool,
    prepare: impl FnOnce() -> Result<(), String>,
) -> Result<(), String> {
    match found {
        Found::Nothing if is_plan => print(&format!("{database} is empty: its tables would be made")),
        Found::Behind(pending) if is_plan => print(shown(&pending).trim_end()),
        Found::Fitting if is_plan => print(&format!("{database} is up to date")),
        Found::Nothing => {
            prepare()?;
            print(&format!("{database} was empty: its tables are made"))
        }
        Found::Fitting => {
            // what it has to record of itself, it does
            prepare()?;
            print(&format!("{database} is up to date"))
        }
        Found::Behind(pending) => {
            prepare()?;
            pending.iter().try_for_each(|pending| print(&format!("{database}: {} has run", pending.name)))
        }
    }
}

/// Brings a database to a model, as `migrate --allow-drop` does for a service that has no migrations in it.
pub(crate) fn follow(model: &Checked, url: &str) -> Result<(), String> {
    let goal = Goal { model, migrations: &[], migrate: true, consent: true };
    match Database::parse(url, 1)? {
        Database::Memory => Err("a database in memory follows nothing".to_owned()),
        Database::Postgres(location, _) => Postgres::prepare(&location, &goal),
        Database::File(path) => Sqlite::prepare(&SqliteLocation::File(path), &goal),
    }
}
