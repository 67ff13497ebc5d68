//! Names in the databases: the words that a database keeps for itself are written in another way there.
//!
//! All names are quoted, so that keywords are names like others. But PostgreSQL has system columns in every table,
//! which no column may be called like, and its catalog hides tables that are called like one of its own, all of which
//! begin with `pg_`; SQLite refuses tables whose names begin with `sqlite_`. An underscore at an end keeps them apart
//! from all others: no name of a model begins or ends with one, and those of Restwell's own tables begin with
//! `_restwell`. The other database has the name as it is.

use crate::tables::{Dialect, identifier};

/// The system columns of PostgreSQL.
const SYSTEM_COLUMNS: [&str; 6] = ["cmax", "cmin", "ctid", "tableoid", "xmax", "xmin"];

/// A column in a database: `xmin_` in PostgreSQL for `xmin`.
#[must_use]
pub fn column(name: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Postgres if SYSTEM_COLUMNS.contains(&name) => format!("{name}_"),
        Dialect::Postgres | Dialect::Sqlite => name.to_owned(),
    }
}

/// A table in a database: `_pg_roles` in PostgreSQL for `pg_roles`.
#[must_use]
pub fn table(name: &str, dialect: Dialect) -> String {
    let prefix = match dialect {
        Dialect::Postgres => "pg_",
        Dialect::Sqlite => "sqlite_",
    };
    if name.starts_with(prefix) { identifier(format!("_{name}")) } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Dialect::{Postgres, Sqlite};

    #[test]
    fn a_word_of_a_database_is_written_in_another_way_there() {
        for (name, dialect, written) in [
            ("xmin", Postgres, "xmin_"),
            ("xmin", Sqlite, "xmin"),
            ("tableoid", Postgres, "tableoid_"),
            ("x_min", Postgres, "x_min"),
            ("oid", Postgres, "oid"),
            ("select", Postgres, "select"),
        ] {
            assert_eq!(column(name, dialect), written);
        }
        for (name, dialect, written) in [
            ("pg_roles", Postgres, "_pg_roles"),
            ("pg_roles", Sqlite, "pg_roles"),
            ("sqlite_backups", Sqlite, "_sqlite_backups"),
            ("sqlite_backups", Postgres, "sqlite_backups"),
            ("pages", Postgres, "pages"),
        ] {
            assert_eq!(table(name, dialect), written);
        }
        assert_eq!(table(&format!("pg_{}", "x".repeat(60)), Postgres).len(), 63);
    }
}
