//! The model's SQL on a real PostgreSQL: at `POSTGRES_URL`, or at 127.0.0.1:5432 as `postgres`. Where there is none the
//! tests show as ignored; with `RESTWELL_POSTGRES=required` they fail. Each makes a database of its own and drops it.

mod catalogue;
mod database;
mod tables;

use database::Server;
use libtest_mimic::{Arguments, Completion, Failed, Trial};
use std::process::ExitCode;

type Test = fn(&Server);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let tests: [(&str, Test); 2] = [
        ("the_tables_of_a_service_are_made_as_the_model_has_them", tables::as_the_model_has_them),
        ("texts_sort_by_code_point_and_long_names_stay_apart", tables::order_and_names),
    ];
    let trial = |(name, test): (&str, Test)| {
        Trial::ignorable_test(name, move || match Server::find() {
            Ok(server) => {
                test(&server);
                Ok(Completion::Completed)
            }
            Err(reason) if is_required() => Err(Failed::from(reason)),
            Err(reason) => Ok(Completion::ignored_with(reason)),
        })
    };
    libtest_mimic::run(&arguments, tests.into_iter().map(trial).collect()).exit_code()
}

fn is_required() -> bool {
    std::env::var("RESTWELL_POSTGRES").is_ok_and(|value| value == "required")
}
