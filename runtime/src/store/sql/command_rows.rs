//! The statements that write commands: one at a time, and on PostgreSQL many.

use super::{greater, until};
use crate::plan::statements::RowStatement;
use restwell_model::tables::{ColumnKind, Dialect};
use std::sync::LazyLock;

/// What a command is accepted with.
const ACCEPTED: [(&str, ColumnKind); 12] = [
    ("id", ColumnKind::Uuid),
    ("resource", ColumnKind::Text),
    ("command", ColumnKind::Text),
    ("entity_id", ColumnKind::Uuid),
    ("owner_id", ColumnKind::Uuid),
    ("caller", ColumnKind::Text),
    ("input", ColumnKind::Text),
    ("created_at", ColumnKind::Integer),
    ("fence", ColumnKind::Integer),
    ("lease", ColumnKind::Integer),
    ("trace_id", ColumnKind::Uuid),
    ("trace_parent", ColumnKind::Text),
];
/// What it ends with.
const ENDED: [(&str, ColumnKind); 6] = [
    ("id", ColumnKind::Uuid),
    ("fence", ColumnKind::Integer),
    ("status", ColumnKind::Integer),
    ("output", ColumnKind::Text),
    ("errors", ColumnKind::Text),
    ("ended_at", ColumnKind::Integer),
];

const INSERT: &str = "INSERT INTO \"_restwell_commands\"";
const IF_FREE: &str = "ON CONFLICT DO NOTHING";

/// Statements of one dialect. Those for many give the ids of the commands that they wrote.
pub(super) struct CommandStatements {
    /// Adds a command, unless its id is taken.
    pub(super) accept: RowStatement,
    /// Ends a command, if it is RUNNING and has this fence.
    pub(super) end: RowStatement,
}

impl CommandStatements {
    pub(super) fn of(dialect: Dialect) -> &'static Self {
        static SQLITE: LazyLock<CommandStatements> = LazyLock::new(|| CommandStatements::compile(Dialect::Sqlite));
        static POSTGRES: LazyLock<CommandStatements> = LazyLock::new(|| CommandStatements::compile(Dialect::Postgres));
        match dialect {
            Dialect::Sqlite => &SQLITE,
            Dialect::Postgres => &POSTGRES,
        }
    }

    fn compile(dialect: Dialect) -> Self {
        Self {
            accept: RowStatement::computing(
                &ACCEPTED,
                |cells| format!("{INSERT} VALUES ({}) {IF_FREE}", accepted(dialect, cells)),
                |cells, rows| {
                    format!("{INSERT} SELECT {} FROM {rows} {IF_FREE} RETURNING \"id\"", accepted(dialect, cells))
                },
            ),
            end: RowStatement::computing(
                &ENDED,
                |cells| ended(dialect, cells, ""),
                |cells, rows| ended(dialect, cells, &format!("FROM {rows} ")) + " RETURNING t.\"id\"",
            ),
        }
    }
}

/// The values of all columns.
fn accepted(dialect: Dialect, cells: [String; ACCEPTED.len()]) -> String {
    let [id, resource, command, entity, owner, caller, input, time, fence, lease, trace, parent] = cells;
    let lease = until(dialect, &lease);
    format!(
        "{id}, {resource}, {command}, {entity}, {owner}, {caller}, {input}, {time}, {time}, 0, NULL, NULL, {fence}, \
         {lease}, {trace}, {parent}"
    )
}

/// The statement that ends commands. `rows`: where the cells come from, if not from parameters. It finds a command by
/// its id, not by an index of those that are RUNNING: these may be many.
fn ended(dialect: Dialect, cells: [String; ENDED.len()], rows: &str) -> String {
    let [id, fence, status, output, errors, time] = cells;
    format!(
        "UPDATE \"_restwell_commands\" AS t SET \"status\" = {status}, \"output\" = {output}, \"errors\" = {errors}, \
         \"updated_at\" = {}(t.\"updated_at\", {time}) \
         {rows}WHERE t.\"id\" = {id} AND t.\"fence\" = {fence} AND t.\"status\" + 0 = 0",
        greater(dialect)
    )
}
