//! The tables of Restwell's own that stand beside a service's: their names begin with `_restwell`.

use super::ColumnKind::{self, Integer, Text, Uuid};
use super::Table;
use super::ddl::{Dialect, NamedIndex};

/// A table of Restwell's own.
pub(super) struct Own {
    pub(super) name: &'static str,
    /// Names, kinds, and whether they may be null. The first is the key.
    pub(super) columns: &'static [(&'static str, ColumnKind, bool)],
}

/// The statements that make them.
pub(super) fn create(dialect: Dialect) -> Vec<String> {
    let mut statements: Vec<_> = TABLES.iter().map(|table| dialect.create_table(&Table::own(table))).collect();
    if dialect == Dialect::Postgres {
        statements.push(DRAFTS.to_owned());
    }
    statements.push(format!("{} WHERE \"status\" = 0", running().create()));
    statements
}

/// Those that both databases have.
pub(super) fn tables() -> impl Iterator<Item = Table> {
    TABLES.iter().map(Table::own)
}

const TABLES: [Own; 3] = [COMMANDS, EVENTS, SEARCHES];

/// Those that have the name of a resource in a column `resource`, by which their rows find it.
pub(crate) const NAMING_RESOURCES: [&str; 2] = [COMMANDS.name, SEARCHES.name];

/// Commands. The lease is the time until which somebody executes them, the fence how often somebody began to.
const COMMANDS: Own = Own {
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

/// Those that somebody has to execute.
fn running() -> NamedIndex {
    let columns = ["lease", "created_at"].map(str::to_owned).to_vec();
    NamedIndex {
        name: "_restwell_commands.running".to_owned(),
        table: COMMANDS.name.to_owned(),
        columns,
        unique: false,
    }
}

/// The outbox: what has happened, written with the change itself. The sequence grows for ever, for the newest row is
/// never deleted; so it is the order of the changes.
const EVENTS: Own = Own {
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

/// Events of PostgreSQL's that have no position yet: there many write at a time. The place is taken when all that the
/// change had to wait for is there.
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
const SEARCHES: Own = Own {
    name: "_restwell_searches",
    columns: &[
        ("id", Uuid, false),
        ("resource", Text, false),
        ("version", Text, false),
        ("created_at", Integer, false),
        ("data", Text, false),
    ],
};
