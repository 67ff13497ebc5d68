//! PostgreSQL, as the program runs a migration there.

use crate::migrating::stores::Store;
use restwell_model::case_folding::postgres_function;
use restwell_model::migrations::{Mode, Script};
use restwell_model::tables::Dialect;
use restwell_testkit::postgres::catalogue;
use restwell_testkit::postgres::{Database, Server, Session};

pub(crate) struct Postgres {
    server: Server,
    database: Database,
    session: Session,
}

impl Postgres {
    pub(crate) fn new(server: Server) -> Self {
        let database = server.database();
        let session = with_functions(&database);
        Self { server, database, session }
    }

    fn attempt(&self, script: &Script) -> Result<(), String> {
        let mut is_open = false;
        for step in &script.steps {
            match (&step.mode, is_open) {
                (Mode::Together, false) => self.session.run("BEGIN"),
                (Mode::Check(_) | Mode::Alone, true) => self.session.run("COMMIT"),
                _ => {}
            }
            is_open = step.mode == Mode::Together;
            if let Mode::Check(wrong) = &step.mode {
                let found = self.rows(&step.sql);
                if !found.is_empty() {
                    return Err(format!("{wrong}: {}", found.join(", ")));
                }
            } else {
                self.session.try_run(&step.sql).map_err(|error| format!("{error}: {}", step.sql))?;
            }
        }
        if is_open {
            self.session.run("COMMIT");
        }
        Ok(())
    }
}

/// A session of a new database, with the function that the program makes before a statement calls it.
fn with_functions(database: &Database) -> Session {
    let session = database.session();
    session.run(postgres_function());
    session
}

impl Store for Postgres {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn url(&self) -> String {
        self.database.url().to_owned()
    }

    fn renew(&mut self) {
        self.database = self.server.database();
        self.session = with_functions(&self.database);
    }

    fn run(&self, sql: &str) {
        self.session.run(sql);
    }

    fn migrate(&self, script: &Script) -> Result<(), String> {
        let done = self.attempt(script);
        if done.is_err() {
            self.session.run("ROLLBACK");
        }
        done
    }

    fn catalogue(&self) -> Vec<String> {
        let database = &self.database;
        let parts = [catalogue::columns(database), catalogue::defaults(database), catalogue::keys(database)];
        parts.into_iter().flatten().chain(catalogue::indexes(database)).collect()
    }

    fn rows(&self, sql: &str) -> Vec<String> {
        self.session.texts(sql)
    }
}
