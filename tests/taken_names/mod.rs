//! Names that something else has already: a database for itself, and the service for its own paths.

mod in_databases;
mod system_paths;

use super::{alone, with_server};
use libtest_mimic::Trial;
use restwell::testing::{Running, Setup};
use restwell::{Builder, Interpreted};
use restwell_generator::{File, compile};
use restwell_testkit::postgres::Server;

pub(crate) fn trials() -> Vec<Trial> {
    let paths = system_paths::TESTS.iter().map(|(name, test)| alone(format!("taken_names::{name}"), test));
    let databases = [
        alone("taken_names::sqlite::words", || in_databases::words_answer(start)),
        alone("taken_names::sqlite::tables", || in_databases::keywords_are_tables(start)),
        alone("taken_names::sqlite::fields", in_databases::the_api_has_the_name_of_the_field),
        with_server("taken_names::postgres::words", |server| in_databases::words_answer(|it| on(&server, it))),
        with_server("taken_names::postgres::tables", |server| in_databases::keywords_are_tables(|it| on(&server, it))),
    ];
    paths.chain(databases).collect()
}

/// The service of these documents, interpreted, on SQLite.
fn start(documents: &str) -> Running {
    setup(documents).start()
}

/// The same on PostgreSQL, in a database of its own.
fn on(server: &Server, documents: &str) -> Running {
    setup(documents).own_database(server.url()).start()
}

fn setup(documents: &str) -> Setup {
    let files: Vec<_> = documents
        .split("---\n")
        .enumerate()
        .map(|(index, text)| File::new(&format!("{index}.yaml"), text.as_bytes().to_vec()))
        .collect();
    let compiled = compile(&files);
    let (model, _) = compiled.service.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    Setup::of(Builder::interpreted(Interpreted::of(model)))
}
