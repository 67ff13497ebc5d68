//! The SQL that brings a filled database from one model to the next.
//!
//! ```text
//! old model ─┐             ┌─ sqlite ───┐
//!            ├─► moves ────┤            ├─► script: checks first, then what is done
//! new model ─┘             └─ postgres ─┘
//! ```
//!
//! `moves` pairs the tables and columns of both sides along `renamedFrom` and says where each new column's values come
//! from; each database then has its own way there. What a model lost is dropped: whether that is meant is asked before,
//! by the [`changes`](crate::changes) that [`refused`] picks out.

mod checks;
mod columns;
mod convert;
mod links;
mod moves;
mod postgres;
mod renames;
mod script;
mod sqlite;
#[cfg(test)]
mod tests;
mod title;

pub use script::{Mode, Script, Step};
pub use title::title;

use crate::changes::{Change, Effect};
use crate::check::Checked;
use crate::tables::{self, Dialect};
use moves::Moves;

/// The changes that no migration may do unasked: those that lose something, unless that is meant (`consent`), and those
/// that need a value which only a `default` can give.
#[must_use]
pub fn refused(changes: &[Change], consent: bool) -> Vec<&Change> {
    let is_refused = |effect: Effect| effect == Effect::Default || effect == Effect::Consent && !consent;
    changes.iter().filter(|change| is_refused(change.effect)).collect()
}

/// What brings a database from the old model to the new one; no step where the tables are the same. Nothing may be left
/// of what [`refused`] finds without a default.
#[must_use]
pub fn plan(old: &Checked, new: &Checked, dialect: Dialect) -> Script {
    let moves = Moves::between(old, new, dialect);
    let steps = match dialect {
        Dialect::Sqlite => sqlite::steps(&moves),
        Dialect::Postgres => postgres::steps(&moves),
    };
    Script { steps }
}

/// What makes the tables of a service in a database that has none of them. Restwell's own are not among them: these do
/// not follow the model.
#[must_use]
pub fn first(service: &Checked, dialect: Dialect) -> Script {
    Script { steps: tables::create_of_service(service, dialect).into_iter().map(Step::together).collect() }
}
