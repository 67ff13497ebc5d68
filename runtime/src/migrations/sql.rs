//! Where a database records what has run. The values are bound by the caller; the stores number placeholders as
//! they want to.

use restwell_model::tables::Dialect;

/// Makes the tables that hold it, where they are not there.
pub(crate) fn tables(dialect: Dialect) -> [String; 2] {
    let (text, integer, end) = match dialect {
        Dialect::Sqlite => ("TEXT", "INTEGER", " STRICT"),
        Dialect::Postgres => ("text COLLATE \"C\"", "bigint", ""),
    };
    [
        format!(
            "CREATE TABLE IF NOT EXISTS \"_restwell\" (\"key\" {text} NOT NULL PRIMARY KEY, \"value\" {text} NOT NULL){end}"
        ),
        format!(
            "CREATE TABLE IF NOT EXISTS \"_restwell_migrations\" (\"number\" {integer} NOT NULL PRIMARY KEY, \
             \"name\" {text} NOT NULL, \"checksum\" {text}, \"steps\" {integer} NOT NULL, \"finished_at\" {integer}){end}"
        ),
    ]
}

/// The value that is recorded under a key.
pub(crate) const VALUE: &str = "SELECT \"value\" FROM \"_restwell\" WHERE \"key\" = ?";

/// Records something under a key.
pub(crate) const SET: &str = "INSERT INTO \"_restwell\" (\"key\", \"value\") VALUES (?, ?) \
    ON CONFLICT (\"key\") DO UPDATE SET \"value\" = excluded.\"value\"";

/// What has run.
pub(crate) const RUNS: &str = "SELECT \"number\", \"name\", \"checksum\", \"steps\", \
    CASE WHEN \"finished_at\" IS NULL THEN CAST(0 AS bigint) ELSE CAST(1 AS bigint) END FROM \"_restwell_migrations\" ORDER BY \"number\"";

/// Records how far a migration has come: its number, name, checksum, steps, and when it was finished.
pub(crate) const RUN: &str = "INSERT INTO \"_restwell_migrations\" (\"number\", \"name\", \"checksum\", \"steps\", \
    \"finished_at\") VALUES (?, ?, ?, ?, ?) ON CONFLICT (\"number\") DO UPDATE SET \"steps\" = excluded.\"steps\", \
    \"finished_at\" = excluded.\"finished_at\"";
