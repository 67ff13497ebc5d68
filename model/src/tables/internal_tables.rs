//! The internal tables of Restwell in the database of a service. Their names begin with `_restwell`.

use super::ColumnKind::{self, Integer, Text, Uuid};
use super::Table;
use super::ddl::{Dialect, NamedIndex};

/// A table that does not follow from the model.
pub(super) struct InternalTable {
    pub(super) name: &'static str,
    /// Name, kind, and whether it may be null. The first column is the key.
    pub(super) columns: &'static [(&'static str, ColumnKind, bool)],
}

/// The statements that create the internal tables.
pub(super) fn create(dialect: Dialect) -> Vec<String> {
    let mut statements: Vec<_> = TABLES.iter().map(|table| dialect.create_table(&Table::internal(table))).collect();
    if dialect == Dialect::Postgres {
        statements.push(DRAFTS.to_owned());
    }
    statements.push(format!("{} WHERE \"status\" = 0", running().create()));
    statements
}

/// The internal tables that both databases have.
pub(super) fn tables() -> impl Iterator<Item = Table> {
    TABLES.iter().map(Table::internal)
}

const TABLES: [InternalTable; 3] = [COMMANDS, EVENTS, SEARCHES];

/// The internal tables whose column `resource` contains the name of a resource.
pub(crate) const NAMING_RESOURCES: [&str; 2] = [COMMANDS.name, SEARCHES.name];

/// Commands. The lease is the time until which an instance may execute the command; the fence counts the executions.
const COMMANDS: InternalTable = InternalTable {
    name: "_restwell_commands",
    columns: &[
        ("id", Uuid, false),
        ("resource", Text, false),
        ("command", Text, false),
        ("entity_id", Uuid, false),
        ("owner_id", Uuid, true),
        ("caller", Text, true),
        ("input", Text, false),
        ("created_at", Integer, false),
        ("updated_at", Integer, false),
        ("status", Integer, false),
        ("output", Text, true),
        ("errors", Text, true),
        ("fence", Integer, false),
        ("lease", Integer, false),
        ("trace_id", Uuid, false),
        ("trace_parent", Text, true),
    ],
};

/// The index of commands that are still to be executed.
fn running() -> NamedIndex {
    let columns = ["lease", "created_at"].map(str::to_owned).to_vec();
    NamedIndex {
        name: "_restwell_commands.running".to_owned(),
        table: COMMANDS.name.to_owned(),
        columns,
        unique: false,
    }
}

/// The outbox: events, written in the transaction of their change. The newest row is never deleted, so the sequence
/// only grows and gives the order of the changes.
const EVENTS: InternalTable = InternalTable {
    name: "_restwell_events",
    columns: &[
        ("sequence", Integer, false),
        ("id", Uuid, false),
        ("resource", Text, false),
        ("kind", Text, false),
        ("entity_id", Uuid, false),
        ("owner_id", Uuid, true),
        ("time", Integer, false),
        ("data", Text, false),
        ("trace_id", Uuid, false),
        ("trace_parent", Text, true),
    ],
};

/// Events without a position yet, on PostgreSQL only, where several transactions write at the same time. The change
/// takes its place after it has got all locks that it waits for.
const DRAFTS: &str = "CREATE TABLE \"_restwell_drafts\" (
  \"place\" bigint GENERATED ALWAYS AS IDENTITY,
  \"id\" uuid NOT NULL,
  \"resource\" text COLLATE \"C\" NOT NULL,
  \"kind\" text COLLATE \"C\" NOT NULL,
  \"entity_id\" uuid NOT NULL,
  \"owner_id\" uuid,
  \"time\" bigint NOT NULL,
  \"data\" text COLLATE \"C\" NOT NULL,
  \"trace_id\" uuid NOT NULL,
  \"trace_parent\" text COLLATE \"C\",
  CONSTRAINT \"_restwell_drafts.pk\" PRIMARY KEY (\"place\")
)";

/// Stored searches.
const SEARCHES: InternalTable = InternalTable {
    name: "_restwell_searches",
    columns: &[
        ("id", Uuid, false),
        ("resource", Text, false),
        ("version", Text, false),
        ("created_at", Integer, false),
        ("data", Text, false),
    ],
};
