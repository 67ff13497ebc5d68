//! The conventions, tested through HTTP on all three forms of the specimens (written by hand, generated, interpreted) and
//! on both databases. A test is named after the section of the conventions, or the decision, that it shows; each starts
//! its own service with an empty database.
//!
//! The forms share all that they do with a store: on PostgreSQL only the generated form is tested, and in a night all
//! three. A quick run has only this form, on SQLite.
//!
//! What a case asserts comes from these texts, never from what the service happens to answer.

mod access;
mod cases;
mod client;
mod coverage;
mod exchanges;
mod exhibitions;
mod interpreted;
mod judging;
mod persistent;
mod releases;
mod renames;
mod rolling;
mod rows;
mod specimen;
mod stored_names;
mod stream;
mod transcript;
mod words;

use client::{Api, Store};
use libtest_mimic::{Arguments, Completion, Failed, Trial};
use restwell::Builder;
use restwell_testkit::effort::{is_night, is_quick};
use restwell_testkit::postgres::{Database, Server, is_required};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use transcript::Transcripts;

/// A test: its title, which opens with the section, and what it does with a fresh service.
pub(crate) type Case = (&'static str, fn(&Api));

/// One of the forms of the service.
struct Form {
    name: &'static str,
    service: fn() -> Builder,
}

/// The form that `restwell serve` serves.
const INTERPRETED: &str = "interpreted";

/// The form that its transcripts are compared with.
const GENERATED: &str = "generated";

const FORMS: &[Form] = &[
    Form { name: "by_hand", service: restwell_tests::by_hand::service },
    Form { name: GENERATED, service: restwell_tests::generated_service },
    Form { name: INTERPRETED, service: interpreted::service },
];

fn main() -> ExitCode {
    if let Some(done) = exchanges::program() {
        return done;
    }
    let arguments = Arguments::from_args();
    if interpreted::is_for_excepted() {
        return run_excepted(&arguments);
    }
    let transcripts = Transcripts::default();
    let on_sqlite = each().filter(|run| !is_quick() || run.form.name == GENERATED).map(|run| {
        let transcripts = transcripts.clone();
        Trial::test(run.name("sqlite"), move || run.on("sqlite", Store::Sqlite, &transcripts))
    });
    let postgres = Postgres::default();
    let on_postgres = each().filter(|run| is_night() || run.form.name == GENERATED).map(|run| {
        let (postgres, transcripts) = (postgres.clone(), transcripts.clone());
        Trial::ignorable_test(run.name("postgres"), move || match postgres.database() {
            Ok(database) => {
                run.on("postgres", Store::Postgres(database), &transcripts)?;
                Ok(Completion::Completed)
            }
            Err(reason) if is_required() => Err(Failed::from(reason)),
            Err(reason) => Ok(Completion::ignored_with(reason)),
        })
    });
    let rows = Trial::test("every row of the conventions has its cases", || rows::check().map_err(Into::into));
    let exceptions = Trial::test("every case that is excepted is one", || {
        interpreted::check().and_then(|()| transcript::check()).map_err(Into::into)
    });
    let lines = Trial::test("every line of the document is needed", || {
        coverage::lines::every_line_is_needed(&Api::start(restwell_tests::generated_service, Store::Sqlite));
        Ok(())
    });
    let excepted = Trial::test("every case that is excepted needs its handler", || {
        interpreted::check_exceptions().map_err(Into::into)
    });
    let others = [rows, exceptions].into_iter();
    let slow = [excepted, lines].into_iter().chain(of_releases(&postgres)).filter(|_| !is_quick());
    let trials = on_sqlite.chain(on_postgres).chain(others).chain(slow).collect();
    let done = libtest_mimic::run(&arguments, trials).exit_code();
    transcripts.report();
    postgres.drop_database();
    done
}

/// A test of several releases on one database: its title, and what it does with the database's URL.
type ReleaseTest = (&'static str, fn(&str));

const RELEASES: [ReleaseTest; 4] = [
    ("a field is renamed in two releases", releases::rename),
    ("resources, a view and a command are renamed in two releases", renames::rename),
    ("fields in arrays, commands and searches are renamed in two releases", stored_names::rename),
    ("everything that can be renamed is, in two releases, while clients of both names go on", exchanges::rename),
];

/// The tests of several programs at the same time, which only PostgreSQL allows.
const UPDATES: [ReleaseTest; 1] =
    [("a view and a command are renamed while the old program serves beside the new one", rolling::update)];

/// The tests of several releases, on both databases.
fn of_releases(postgres: &Postgres) -> Vec<Trial> {
    let on_sqlite = RELEASES.map(|(title, test)| {
        Trial::test(format!("sqlite::{title}"), move || {
            let folder = tempfile::tempdir()?;
            test(&format!("sqlite://{}", folder.path().join("releases.db").display()));
            Ok(())
        })
    });
    let on_postgres = RELEASES.into_iter().chain(UPDATES).map(|(title, test)| {
        let postgres = postgres.clone();
        Trial::ignorable_test(format!("postgres::{title}"), move || match postgres.database() {
            Ok(database) => {
                test(database.schema().url());
                Ok(Completion::Completed)
            }
            Err(reason) if is_required() => Err(Failed::from(reason)),
            Err(reason) => Ok(Completion::ignored_with(reason)),
        })
    });
    on_sqlite.into_iter().chain(on_postgres).collect()
}

/// The cases that the interpreted form cannot pass, which are to fail.
fn run_excepted(arguments: &Arguments) -> ExitCode {
    let form = FORMS.iter().find(|form| form.name == INTERPRETED).expect("it is one of the forms");
    let excepted = cases::all().filter(|(title, _)| interpreted::is_excepted(title));
    let trials = excepted.map(|(title, case)| {
        let run = Run { form, title, case };
        Trial::test(run.name("sqlite"), move || run.on("sqlite", Store::Sqlite, &Transcripts::default()))
    });
    libtest_mimic::run(arguments, trials.collect()).exit_code()
}

/// A case for one form.
#[derive(Clone, Copy)]
struct Run {
    form: &'static Form,
    title: &'static str,
    case: fn(&Api),
}

impl Run {
    fn name(&self, database: &str) -> String {
        format!("{database}::{}::{}", self.form.name, self.title)
    }

    /// Runs it on a fresh service. What the generated and the interpreted one answer is compared.
    fn on(&self, database: &str, store: Store, transcripts: &Transcripts) -> Result<(), Failed> {
        let api = Api::start(self.form.service, store);
        (self.case)(&api);
        match self.form.name {
            GENERATED | INTERPRETED => transcripts.compare(database, self.title, &api.transcript()),
            _ => Ok(()),
        }
    }
}

/// Every case for every form.
fn each() -> impl Iterator<Item = Run> {
    let runs = FORMS.iter().flat_map(|form| cases::all().map(move |(title, case)| Run { form, title, case }));
    runs.filter(|run| run.form.name != INTERPRETED || !interpreted::is_excepted(run.title))
}

/// The database that the services of a run share, each in a schema of its own; made when it is first needed.
#[derive(Clone, Default)]
struct Postgres(Arc<Mutex<Option<Found>>>);

/// A database, or why there is none.
type Found = Result<Arc<Database>, String>;

impl Postgres {
    fn database(&self) -> Result<Arc<Database>, String> {
        let mut database = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        database.get_or_insert_with(|| Ok(Arc::new(Server::find()?.database()))).clone()
    }

    /// Nothing of the run is left.
    fn drop_database(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}
