//! The tables of Restwell's own that stand beside a service's: their names begin with `_restwell`.

use super::Dialect;

/// The statements that make them.
pub(super) fn create(dialect: Dialect) -> Vec<String> {
    match dialect {
        Dialect::Sqlite => SQLITE.iter().map(|statement| (*statement).to_owned()).collect(),
    }
}

const SQLITE: &[&str] = &[COMMANDS, COMMANDS_RUNNING, EVENTS, SEARCHES];

/// Commands. The lease is the time until which somebody executes them, the fence how often somebody began to.
const COMMANDS: &str = "CREATE TABLE \"_restwell_commands\" (
  \"id\" BLOB NOT NULL,
  \"resource\" TEXT NOT NULL,
  \"command\" TEXT NOT NULL,
  \"entity_id\" BLOB NOT NULL,
  \"owner_id\" BLOB,
  \"caller\" TEXT,
  \"input\" TEXT NOT NULL,
  \"created_at\" INTEGER NOT NULL,
  \"updated_at\" INTEGER NOT NULL,
  \"status\" INTEGER NOT NULL,
  \"output\" TEXT,
  \"errors\" TEXT,
  \"fence\" INTEGER NOT NULL,
  \"lease\" INTEGER NOT NULL,
  \"trace_id\" BLOB NOT NULL,
  \"trace_parent\" TEXT,
  PRIMARY KEY (\"id\")
) STRICT";

/// Those that somebody has to execute.
const COMMANDS_RUNNING: &str = "CREATE INDEX \"_restwell_commands.running\" \
                                ON \"_restwell_commands\" (\"lease\", \"created_at\") WHERE \"status\" = 0";

/// The outbox: what has happened, written with the change itself. The sequence grows for ever, for the newest row is
/// never deleted; so it is the order of the changes.
const EVENTS: &str = "CREATE TABLE \"_restwell_events\" (
  \"sequence\" INTEGER NOT NULL PRIMARY KEY,
  \"id\" BLOB NOT NULL,
  \"resource\" TEXT NOT NULL,
  \"kind\" TEXT NOT NULL,
  \"entity_id\" BLOB NOT NULL,
  \"owner_id\" BLOB,
  \"time\" INTEGER NOT NULL,
  \"data\" TEXT NOT NULL,
  \"trace_id\" BLOB NOT NULL,
  \"trace_parent\" TEXT
) STRICT";

/// Stored searches.
const SEARCHES: &str = "CREATE TABLE \"_restwell_searches\" (\n  \"id\" BLOB NOT NULL,\n  \"resource\" TEXT NOT NULL,\n  \
     \"version\" TEXT NOT NULL,\n  \"created_at\" INTEGER NOT NULL,\n  \"data\" TEXT NOT NULL,\n  \
     PRIMARY KEY (\"id\")\n) STRICT";
