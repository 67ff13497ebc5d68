//! Names in the databases: the words that a database keeps for itself are written in another way.
//!
//! All names are quoted, so that keywords are names like others. But PostgreSQL has system columns in every table,
//! which no column may be called like; its catalog hides tables that are called like one of its own, all of which
//! begin with `pg_`; and SQLite refuses tables whose names begin with `sqlite_`. Both databases get the same names,
//! so that plans and exports hold for both. An underscore at an end keeps them apart from all others: no name of a
//! model begins or ends with one, and those of Restwell's own tables begin with `_restwell`.

/// The system columns of PostgreSQL.
const SYSTEM_COLUMNS: [&str; 6] = ["cmax", "cmin", "ctid", "tableoid", "xmax", "xmin"];

/// What the names of a database's own tables begin with.
const SYSTEM_PREFIXES: [&str; 2] = ["pg_", "sqlite_"];

/// The name of a column, from the words of its field in snake case: `xmin_` for `xmin`.
pub(crate) fn column(name: String) -> String {
    if SYSTEM_COLUMNS.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// The name of a table, from the words of its resource's plural in snake case: `_pg_roles` for `pg_roles`.
pub(crate) fn table(name: String) -> String {
    if SYSTEM_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) { format!("_{name}") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_a_database_is_written_in_another_way() {
        let columns =
            [("xmin", "xmin_"), ("tableoid", "tableoid_"), ("x_min", "x_min"), ("oid", "oid"), ("select", "select")];
        for (name, written) in columns {
            assert_eq!(column(name.to_owned()), written);
        }
        let tables =
            [("pg_roles", "_pg_roles"), ("sqlite_backups", "_sqlite_backups"), ("pages", "pages"), ("users", "users")];
        for (name, written) in tables {
            assert_eq!(table(name.to_owned()), written);
        }
    }
}
