//! SQLite, as the program runs a migration there.

use crate::migrating::stores::Store;
use restwell::testing::define_functions;
use restwell_model::migrations::{Mode, Script};
use restwell_model::tables::Dialect;
use rusqlite::Connection;
use rusqlite::types::Value;
use tempfile::TempDir;

pub(crate) struct Sqlite(Connection, TempDir);

impl Sqlite {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let connection = Connection::open(folder.path().join("test.db")).expect("a file");
        // nothing of it is to outlive a power cut
        let settings = "PRAGMA foreign_keys = ON; PRAGMA synchronous = OFF";
        connection.execute_batch(settings).expect("pragmas");
        define_functions(&connection).expect("the functions can be made");
        Self(connection, folder)
    }

    fn attempt(&self, script: &Script) -> Result<(), String> {
        for step in &script.steps {
            match &step.mode {
                Mode::Check(wrong) => {
                    let found = self.rows(&step.sql);
                    if !found.is_empty() {
                        return Err(format!("{wrong}: {}", found.join(", ")));
                    }
                }
                Mode::Together => self.0.execute_batch(&step.sql).map_err(|e| format!("{e}: {}", step.sql))?,
                Mode::Alone => return Err(format!("not in SQLite: {}", step.sql)),
            }
        }
        match self.rows("PRAGMA foreign_key_check").as_slice() {
            [] => Ok(()),
            broken => Err(format!("broken references: {broken:?}")),
        }
    }
}

impl Store for Sqlite {
    fn dialect(&self) -> Dialect {
        Dialect::Sqlite
    }

    fn url(&self) -> String {
        format!("sqlite://{}", self.1.path().join("test.db").display())
    }

    fn renew(&mut self) {
        *self = Self::new();
    }

    fn run(&self, sql: &str) {
        self.0.execute_batch(sql).unwrap_or_else(|error| panic!("{error}: {sql}"));
    }

    fn migrate(&self, script: &Script) -> Result<(), String> {
        self.run("PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE");
        let done = self.attempt(script);
        self.run(if done.is_ok() { "COMMIT" } else { "ROLLBACK" });
        self.run("PRAGMA foreign_keys = ON");
        done
    }

    fn catalogue(&self) -> Vec<String> {
        let mut lines = self.rows(
            "SELECT t.name || '.' || c.name, c.type, c.\"notnull\", c.pk, c.dflt_value
             FROM pragma_table_list AS t JOIN pragma_table_xinfo(t.name) AS c
             WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY 1",
        );
        lines.extend(
            self.rows("SELECT 'strict', name, strict FROM pragma_table_list WHERE name NOT LIKE 'sqlite_%' ORDER BY 2"),
        );
        lines.extend(self.rows(
            "SELECT 'key', t.name, k.\"from\", k.\"table\", k.\"to\", k.on_delete
             FROM pragma_table_list AS t JOIN pragma_foreign_key_list(t.name) AS k ORDER BY 2, 3",
        ));
        lines.extend(self.rows(
            "SELECT 'index', t.name, i.name, i.\"unique\", i.partial, group_concat(c.name)
             FROM pragma_table_list AS t JOIN pragma_index_list(t.name) AS i JOIN pragma_index_info(i.name) AS c
             WHERE t.name NOT LIKE 'sqlite_%' GROUP BY i.name ORDER BY 3",
        ));
        lines
    }

    fn rows(&self, sql: &str) -> Vec<String> {
        let mut statement = self.0.prepare(sql).unwrap_or_else(|error| panic!("{error}: {sql}"));
        let width = statement.column_count();
        let row = |row: &rusqlite::Row<'_>| {
            let cells = (0..width).map(|index| match row.get::<_, Value>(index).expect("a value") {
                Value::Null => String::new(),
                Value::Integer(number) => number.to_string(),
                Value::Real(number) => number.to_string(),
                Value::Text(text) => text,
                Value::Blob(bytes) => uuid::Uuid::from_slice(&bytes).expect("an id").to_string(),
            });
            Ok(cells.collect::<Vec<_>>().join("|"))
        };
        statement.query_map([], row).expect("rows").map(|row| row.expect("a row")).collect()
    }
}
