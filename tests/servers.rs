//! Tests with a server beside the service, or without: PostgreSQL, NATS, Redis, a collector of traces. They need no
//! program of their own: each would contain the whole library.

mod bookings;
mod export_import;
mod migrating;
mod nats;
mod routes;
mod shared_quota;
mod taken_names;
mod traces;
mod upgrade;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use restwell_testkit::postgres::{Server, is_required};
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(done) = traces::program() {
        return done;
    }
    if upgrade::is_made() {
        return ExitCode::SUCCESS;
    }
    let trials = [
        bookings::trials(),
        export_import::trials(),
        migrating::trials(),
        nats::trials(),
        routes::trials(),
        shared_quota::trials(),
        taken_names::trials(),
        traces::trials(),
        upgrade::trials(),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials.into_iter().flatten().collect()).exit_code()
}

/// A test that needs nothing beside it.
pub(crate) fn alone(name: impl Into<String>, test: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, || {
        test();
        Ok(())
    })
}

/// A test with PostgreSQL: ignored where none answers, and then a failure with `RESTWELL_SERVERS=postgres`.
pub(crate) fn with_server(name: impl Into<String>, test: impl FnOnce(Server) + Send + 'static) -> Trial {
    Trial::ignorable_test(name, || match Server::find() {
        Ok(server) => {
            test(server);
            Ok(Completion::Completed)
        }
        Err(reason) if is_required() => Err(Failed::from(reason)),
        Err(reason) => Ok(Completion::ignored_with(reason)),
    })
}
