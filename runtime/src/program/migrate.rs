//! `migrate`: migrates the database to the service's model, or prints the SQL that would do so.

use super::config::MigrateOptions;
use super::print;
use crate::migrations::{DatabaseState, MigrationTarget, shown};
use crate::service::{self, Builder};
use crate::store::{Database, RefusedRows};
use restwell_model::Checked;

/// Runs pending migrations; an error if it cannot.
pub(crate) fn run(builder: Builder, options: &MigrateOptions) -> Result<(), String> {
    let service = service::check(builder)?;
    let goal =
        MigrationTarget { migrate: true, consent: options.allow_drop || service.goal().consent, ..service.goal() };
    let database = options.database.of(&service)?;
    if database == Database::Memory {
        return Err("a database in memory is always new: there is nothing to migrate".to_owned());
    }
    let is_dry_run = options.dry_run;
    match database.find(&goal)? {
        DatabaseState::Empty if is_dry_run => print(&format!("{database} is empty: its tables would be made")),
        DatabaseState::Behind(pending) if is_dry_run => print(shown(&pending).trim_end()),
        DatabaseState::UpToDate if is_dry_run => print(&format!("{database} is up to date")),
        DatabaseState::Empty => {
            database.prepare(&goal)?;
            print(&format!("{database} was empty: its tables are made"))
        }
        DatabaseState::UpToDate => {
            // records what an earlier version has not recorded
            database.prepare(&goal)?;
            print(&format!("{database} is up to date"))
        }
        DatabaseState::Behind(pending) => {
            database.prepare(&goal)?;
            pending.iter().try_for_each(|pending| print(&format!("{database}: {} has run", pending.name)))
        }
    }
}

/// Copies a database of one model into an empty one of another with the same tables, as `export` and `import` do.
pub(crate) fn copy((from, source): (&Checked, &str), (to, target): (&Checked, &str)) -> Result<(), String> {
    let goal = |model| MigrationTarget { model, migrations: &[], migrate: true, consent: false };
    let mut exported = Vec::new();
    Database::parse(source, 1)?.export(&goal(from), &mut exported)?;
    Database::parse(target, 1)?.import(&goal(to), (&mut exported.as_slice(), RefusedRows::Keep)).map(drop)
}

/// Brings a database to a model, as `migrate --allow-drop` does for a service that has no migrations in it.
pub(crate) fn follow(model: &Checked, url: &str) -> Result<(), String> {
    let goal = MigrationTarget { model, migrations: &[], migrate: true, consent: true };
    Database::parse(url, 1)?.prepare(&goal)
}
