//! The internal tables of Restwell in the database of a service. Their names begin with `_restwell`.

use super::ColumnKind::{self, Integer, Text, Uuid};
use super::Table;
use super::ddl::{Dialect, NamedIndex};

/// A table that does not follow from the model.
pub(super) struct InternalTable {
    pub(super) name: &'static str,
    /// Name, kind, and whether it may be null. The first column is the key.
    pub(super) columns: &'static [(&'static str, ColumnKind, bool)],
    /// Columns that later versions have added, all nullable.
    pub(super) added: &'static [(&'static str, ColumnKind)],
}

/// A column that an earlier version of Restwell did not make. It is added to the table if it is missing, and what a
/// database records of its tables does not name it, so that an earlier version can be started again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedColumn {
    /// The table.
    pub table: &'static str,
    /// The column.
    pub column: &'static str,
    /// What adds it.
    pub sql: String,
}

/// The columns that are added to the internal tables.
#[must_use]
pub fn added_columns(dialect: Dialect) -> Vec<AddedColumn> {
    let of_table = |table: &InternalTable| {
        let name = table.name;
        table.added.iter().map(move |&(column, kind)| (name, column, kind)).collect::<Vec<_>>()
    };
    let mut columns: Vec<_> = TABLES.iter().flat_map(of_table).collect();
    if dialect == Dialect::Postgres {
        columns.extend(EVENTS.added.iter().map(|&(column, kind)| (DRAFTS_TABLE, column, kind)));
    }
    let add = |(table, column, kind)| {
        let sql = format!("ALTER TABLE \"{table}\" ADD COLUMN \"{column}\" {}", dialect.column(kind));
        AddedColumn { table, column, sql }
    };
    columns.into_iter().map(add).collect()
}

/// The statements that create the internal tables.
pub(super) fn create(dialect: Dialect) -> Vec<String> {
    let made = |table: &InternalTable| dialect.create_table(&Table::internal(&InternalTable { added: &[], ..*table }));
    let mut statements: Vec<_> = TABLES.iter().map(made).collect();
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

/// The internal table whose column `command` contains the name of a command.
pub(crate) const NAMING_COMMANDS: &str = COMMANDS.name;
/// The internal tables whose column `resource` contains the name of a resource.
pub(crate) const NAMING_RESOURCES: [&str; 2] = [COMMANDS.name, SEARCHES.name];
/// The internal tables of events, whose column `resource` contains the word of a resource in events.
pub(crate) fn event_tables(dialect: Dialect) -> impl Iterator<Item = &'static str> {
    std::iter::once(EVENTS.name).chain((dialect == Dialect::Postgres).then_some(DRAFTS_TABLE))
}
/// The internal table whose column `data` contains criteria.
pub(crate) const SEARCHES_TABLE: &str = SEARCHES.name;
/// Before the word of an asynchronous operation in the column `command`, so that it is not the name of a command. The
/// column `input` then contains the values of fields, as the member `value`.
pub const OPERATION_MARK: char = ':';

/// Commands. The lease is the time until which an instance may execute the command; the fence counts the executions.
pub(super) const COMMANDS: InternalTable = InternalTable {
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
    added: &[],
};

/// The index of commands that are still to be executed.
fn running() -> NamedIndex {
    let columns = ["lease", "created_at"].map(str::to_owned).to_vec();
    NamedIndex {
        name: "_restwell_commands.running".to_owned(),
        table: COMMANDS.name.to_owned(),
        columns,
        unique: false,
        folds_case: false,
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
    added: &[("actor_id", Uuid)],
};

const DRAFTS_TABLE: &str = "_restwell_drafts";

/// Events without a position yet, on PostgreSQL only, where several transactions write at the same time. A change takes
/// its place there after it has got all locks that it waits for.
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

/// Stored searches. `share` says whose share of the room for searches one takes, `kib` how much of it, and `used_kib`
/// adds up what has been taken of this share, up to this search. They are null where an earlier version stored it.
pub(super) const SEARCHES: InternalTable = InternalTable {
    name: "_restwell_searches",
    columns: &[
        ("id", Uuid, false),
        ("resource", Text, false),
        ("version", Text, false),
        ("created_at", Integer, false),
        ("data", Text, false),
    ],
    added: &[("creator_id", Uuid), ("share", Text), ("kib", Integer), ("used_kib", Integer)],
};
