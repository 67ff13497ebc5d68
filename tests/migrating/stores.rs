//! What a test asks of a database.

use restwell_model::migrations::Script;
use restwell_model::tables::Dialect;

pub(crate) trait Store {
    fn dialect(&self) -> Dialect;

    /// Where the database is.
    fn url(&self) -> String;

    /// Begins with a new database.
    fn renew(&mut self);

    /// Runs one statement.
    fn run(&self, sql: &str);

    /// Runs a migration; what was in the way.
    fn migrate(&self, script: &Script) -> Result<(), String>;

    /// Columns, keys and indexes, a line each, sorted.
    fn catalogue(&self) -> Vec<String>;

    /// The rows of a query, their values as text with `|` between, null as nothing.
    fn rows(&self, sql: &str) -> Vec<String>;

    /// An id as SQL writes it.
    fn id(&self, number: u8) -> String {
        match self.dialect() {
            Dialect::Sqlite => format!("X'{}'", uuid(number).replace('-', "")),
            Dialect::Postgres => format!("'{}'", uuid(number)),
        }
    }
}

pub(crate) fn uuid(number: u8) -> String {
    format!("00000000-0000-7000-8000-0000000000{number:02}")
}
