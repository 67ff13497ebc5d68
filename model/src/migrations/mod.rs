//! The SQL that migrates a filled database from one model to the next.
//!
//! ```text
//! old model ─┐             ┌─ sqlite ───┐
//!            ├─► moves ────┤            ├─► script: the checks, then the changes
//! new model ─┘             └─ postgres ─┘
//! ```
//!
//! `moves` pairs the tables and columns of both models by their names and `renamedFrom`, and finds the source of each
//! new column's values; each database then has its own statements. Removed tables and columns are dropped. The caller
//! asks for consent first, with the [`changes`](crate::changes) that [`refused`] selects.

mod checks;
mod columns;
mod contents;
mod convert;
mod json;
mod links;
mod moves;
mod names;
mod postgres;
mod renames;
mod rules;
mod script;
mod sqlite;
#[cfg(test)]
mod tests;
mod title;

pub use rules::row_checks;
pub use script::{Mode, Script, Step};
pub use title::title;

use crate::changes::{Change, Effect};
use crate::check::Checked;
use crate::tables::{self, Dialect};
use moves::Moves;

/// The changes that a migration must not make: those that lose data, unless there is `consent`, and those that need a
/// value which only a `default` can give.
#[must_use]
pub fn refused(changes: &[Change], consent: bool) -> Vec<&Change> {
    let is_refused = |effect: Effect| effect == Effect::Default || effect == Effect::Consent && !consent;
    changes.iter().filter(|change| is_refused(change.effect)).collect()
}

/// The steps from the old model to the new one; none if the tables are the same. The caller has made sure that
/// [`refused`] finds no change.
#[must_use]
pub fn plan(old: &Checked, new: &Checked, dialect: Dialect) -> Script {
    let moves = Moves::between(old, new, dialect);
    let steps = match dialect {
        Dialect::Sqlite => sqlite::steps(&moves),
        Dialect::Postgres => postgres::steps(&moves),
    };
    Script { steps }
}

/// The steps that create the tables of a service in a new database, without the internal tables, which do not depend on
/// the model.
#[must_use]
pub fn first(service: &Checked, dialect: Dialect) -> Script {
    Script { steps: tables::create_of_service(service, dialect).into_iter().map(Step::together).collect() }
}
