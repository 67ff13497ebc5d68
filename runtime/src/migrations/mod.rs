//! How a database follows the service's model: what it has recorded of itself, what the program wants of it, and what
//! is to be run.
//!
//! ```text
//! Recorded (the database) ─┐
//!                          ├─► compare ──► Fits | Behind: what is pending | refused, with the cure
//! Goal (the program) ──────┘
//! ```
//!
//! Generated services bring their migrations with them, each a text that is numbered by its place. A service written by
//! hand brings none: what its database has recorded of the model before is compared with the model now, and the
//! migration is planned on the spot.

mod compare;
pub(crate) mod sql;
#[cfg(test)]
mod tests;

pub(crate) use compare::{behind, compare, followed};

use restwell_model::Checked;
use restwell_model::migrations::{Mode, Script, Step};
use restwell_model::tables::{self, Dialect};
use std::borrow::Cow;
use twox_hash::XxHash3_128;

/// A migration that the program brings with it.
#[derive(Debug, Clone)]
pub struct Migration {
    /// `0002-add-offer-weight`.
    #[doc(hidden)]
    pub name: Cow<'static, str>,
    /// What SQLite runs.
    #[doc(hidden)]
    pub sqlite: Cow<'static, str>,
    /// What PostgreSQL runs.
    #[doc(hidden)]
    pub postgres: Cow<'static, str>,
}

/// The migrations of these names in the folder `migrations/` of the crate, for [`Builder::migrations`].
///
/// ```ignore
/// builder.migrations(restwell::migrations!["0001-create", "0002-add-offer-weight"])
/// ```
///
/// [`Builder::migrations`]: crate::Builder::migrations
#[macro_export]
macro_rules! migrations {
    ($($name:literal),* $(,)?) => {
        [$($crate::__private::Migration {
            name: ::std::borrow::Cow::Borrowed($name),
            sqlite: ::std::borrow::Cow::Borrowed(include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"), "/migrations/", $name, "/sqlite.sql"
            ))),
            postgres: ::std::borrow::Cow::Borrowed(include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"), "/migrations/", $name, "/postgres.sql"
            ))),
        }),*]
    };
}

/// What the program wants of a database.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MigrationTarget<'a> {
    pub(crate) model: &'a Checked,
    pub(crate) migrations: &'a [Migration],
    /// What is pending is run.
    pub(crate) migrate: bool,
    /// What a migration that is planned on the spot drops is meant to be dropped.
    pub(crate) consent: bool,
}

impl MigrationTarget<'_> {
    /// The statements that make the tables.
    pub(crate) fn statements(&self, dialect: Dialect) -> Vec<String> {
        tables::create(self.model, dialect)
    }

    /// What a database records of the model.
    pub(crate) fn model_text(&self) -> String {
        // a model has nothing that JSON cannot say
        serde_json::to_string(&**self.model).unwrap_or_default()
    }
}

/// The same, for another thread.
#[derive(Debug, Clone)]
pub(crate) struct OwnedTarget {
    model: Checked,
    migrations: Vec<Migration>,
    migrate: bool,
    consent: bool,
}

impl OwnedTarget {
    pub(crate) fn of(goal: &MigrationTarget<'_>) -> Self {
        let MigrationTarget { model, migrations, migrate, consent } = *goal;
        Self { model: model.clone(), migrations: migrations.to_vec(), migrate, consent }
    }

    pub(crate) fn goal(&self) -> MigrationTarget<'_> {
        MigrationTarget {
            model: &self.model,
            migrations: &self.migrations,
            migrate: self.migrate,
            consent: self.consent,
        }
    }
}

/// What was found of a database.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DatabaseState {
    /// It is empty.
    Empty,
    /// It fits.
    UpToDate,
    /// It fits once these have run.
    Behind(Vec<Pending>),
}

/// What a database has recorded of itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recorded {
    /// The statements that would make its tables.
    pub(crate) schema: String,
    /// The model that it was brought to last, as JSON; older databases have not recorded it.
    pub(crate) model: Option<String>,
    /// What has run, by number.
    pub(crate) runs: Vec<RecordedMigration>,
}

/// A migration that has run, or has begun to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RecordedMigration {
    pub(crate) number: i64,
    pub(crate) name: String,
    /// Of the text that ran; `None` where the database was made as it is now.
    pub(crate) checksum: Option<String>,
    /// How many of its steps are done.
    pub(crate) steps: i64,
    pub(crate) is_finished: bool,
}

/// What is to be done with a database.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SchemaState {
    /// Nothing; `false` where it has yet to record that.
    Fits(bool),
    /// These are to be run, in this order.
    Behind(Vec<Pending>),
}

/// A migration that is to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pending {
    pub(crate) number: i64,
    pub(crate) name: String,
    pub(crate) checksum: String,
    pub(crate) script: Script,
    /// How many of its steps are done already: PostgreSQL has steps that no transaction can hold.
    pub(crate) done: usize,
}

/// A count as databases keep it.
pub(crate) fn counted(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Between the statements that a database records.
pub(crate) const SEPARATOR: &str = ";\n";

/// Of a migration's text. Line ends do not count, for version control may change them.
pub(crate) fn checksum(text: &str) -> String {
    format!("{:032x}", XxHash3_128::oneshot(text.replace("\r\n", "\n").as_bytes()))
}

/// Milliseconds since 1970.
pub(crate) fn now() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.ok().and_then(|now| i64::try_from(now.as_millis()).ok()).unwrap_or(0)
}

/// The sentence with which a database is refused whose tables are not what was recorded.
pub(crate) fn altered(table: &str, database: &str) -> String {
    format!(
        "table \"{table}\" of the database {database} was altered and is not what the model needs. Name another database with \
         --database"
    )
}

/// The sentence with which a database is refused that is of something else.
pub(crate) fn foreign(database: &str) -> String {
    format!("the database {database} holds tables that are not this service's; name another one")
}

/// What `migrate --dry-run` shows.
pub(crate) fn shown(pending: &[Pending]) -> String {
    let one = |pending: &Pending| {
        let rest = match pending.done {
            0 => String::new(),
            done => format!(" (its first {done} steps are done)"),
        };
        format!("-- {}{rest}\n{}", pending.name, Script { steps: pending.script.steps[pending.done..].to_vec() })
    };
    pending.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// What is wrong with the rows that a check has found; `None` where there are none.
pub(crate) fn broken_rows(step: &Step, found: &[String]) -> Option<String> {
    match &step.mode {
        Mode::Check(wrong) if !found.is_empty() => Some(format!("{wrong}, as {}", found.join(", "))),
        Mode::Check(_) | Mode::Together | Mode::Alone => None,
    }
}
