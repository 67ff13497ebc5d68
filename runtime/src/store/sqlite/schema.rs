//! The tables: made in a new database, compared in an old one.

use super::connection::Location;
use restwell_model::Checked;
use restwell_model::tables::{Column, Dialect, Table, create};
use rusqlite::{Connection, OptionalExtension};

const META: &str = "CREATE TABLE \"_restwell\" (\"key\" TEXT NOT NULL PRIMARY KEY, \"value\" TEXT NOT NULL) STRICT";

/// Makes the tables of a new database, or refuses one that another model made.
pub(super) fn prepare(connection: &Connection, service: &Checked, location: &Location) -> Result<(), String> {
    if fits(connection, service, location)? {
        return Ok(());
    }
    make(connection, &create(service, Dialect::Sqlite)).map_err(|error| failed(location, &error))
}

/// Whether the tables are there; `false` in a new database. One that another model made is refused.
pub(super) fn fits(connection: &Connection, service: &Checked, location: &Location) -> Result<bool, String> {
    let failed = |error: rusqlite::Error| failed(location, &error);
    match recorded(connection).map_err(failed)? {
        Some(found) => {
            let statements = create(service, Dialect::Sqlite);
            let same = compare(&found, &statements).and_then(|()| look(connection, service));
            same.map(|()| true).map_err(|difference| refusal(location, &difference))
        }
        None if is_empty(connection).map_err(failed)? => Ok(false),
        None => Err(format!("the database {location} holds tables that are not this service's; name another one")),
    }
}

fn failed(location: &Location, error: &rusqlite::Error) -> String {
    format!("cannot prepare the database {location}: {error}")
}

fn recorded(connection: &Connection) -> rusqlite::Result<Option<String>> {
    if !has_table(connection, "_restwell")? {
        return Ok(None);
    }
    let sql = "SELECT \"value\" FROM \"_restwell\" WHERE \"key\" = 'schema'";
    connection.query_row(sql, [], |row| row.get(0)).optional()
}

fn has_table(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1)";
    connection.query_row(sql, [name], |row| row.get(0))
}

fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT NOT EXISTS (SELECT 1 FROM sqlite_master)", [], |row| row.get(0))
}

fn make(connection: &Connection, statements: &[String]) -> rusqlite::Result<()> {
    let transaction = connection.unchecked_transaction()?;
    transaction.execute_batch(META)?;
    for statement in statements {
        transaction.execute_batch(statement)?;
    }
    let insert = "INSERT INTO \"_restwell\" VALUES ('schema', ?1)";
    transaction.execute(insert, [statements.join(SEPARATOR)])?;
    transaction.commit()
}

const SEPARATOR: &str = ";\n";

/// The first statement in which two schemas differ.
fn compare(found: &str, expected: &[String]) -> Result<(), String> {
    let found: Vec<_> = found.split(SEPARATOR).collect();
    let missing = expected.iter().find(|statement| !found.contains(&statement.as_str()));
    let surplus = found.iter().find(|statement| !expected.iter().any(|expected| expected == **statement));
    match (missing, surplus) {
        (None, None) => Ok(()),
        (Some(statement), _) => Err(format!("{} is not what the model needs", subject(statement))),
        (None, Some(statement)) => Err(format!("{} is not in the model", subject(statement))),
    }
}

/// Looks for every column: what was recorded says nothing of what others did to the tables since.
fn look(connection: &Connection, service: &Checked) -> Result<(), String> {
    for table in service.resources.iter().map(|resource| Table::of(service, resource)) {
        // with the table's name, for SQLite takes an unknown name alone in double quotes for a text
        let name = |column: &Column| format!("\"{}\".\"{}\"", table.name, column.name);
        let columns = table.columns.iter().map(name).collect::<Vec<_>>().join(", ");
        let found = connection.prepare(&format!("SELECT {columns} FROM \"{}\"", table.name));
        found.map_err(|_| format!("table \"{}\" was altered and is not what the model needs", table.name))?;
    }
    Ok(())
}

/// `table "offers"`: what a statement creates.
fn subject(statement: &str) -> String {
    let mut words = statement.trim_start_matches("CREATE ").trim_start_matches("UNIQUE ").split(' ');
    format!("{} {}", words.next().unwrap_or_default().to_lowercase(), words.next().unwrap_or_default())
}

fn refusal(location: &Location, difference: &str) -> String {
    format!(
        "the database {location} was made by another model: its {difference}. Name another database with --database, \
         or delete this one if its data is not needed"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_named() {
        let found = "CREATE TABLE \"offers\" (a);\nCREATE INDEX \"x\" ON y";
        let same: Vec<_> = found.split(SEPARATOR).map(str::to_owned).collect();
        assert_eq!(compare(found, &same), Ok(()));
        let wider = vec!["CREATE TABLE \"offers\" (a, b)".to_owned(), same[1].clone()];
        assert_eq!(compare(found, &wider), Err("table \"offers\" is not what the model needs".to_owned()));
        assert_eq!(compare(found, &same[..1]), Err("index \"x\" is not in the model".to_owned()));
    }
}
