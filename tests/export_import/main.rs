//! `export` and `import`: a marketplace moves from one database to the other, whole or not at all. `backup`: it is
//! copied while it is served. `erase`: nothing is left of a person.
//!
//! Where no PostgreSQL answers (`POSTGRES_URL`, else 127.0.0.1:5432 as `postgres`) the tests with one show as ignored; with
//! `RESTWELL_POSTGRES=required` they fail.

mod backups;
mod erasure;
mod faults;
mod filled;
mod trips;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use restwell_testkit::postgres::{Server, is_required};
use std::process::ExitCode;

type WithServer = fn(&Server);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let alone: [(&str, fn()); 6] = [
        ("what_sqlite_holds_is_moved_whole", trips::between_files),
        ("what_is_wrong_with_a_file_is_said_and_nothing_stays", faults::of_files),
        ("what_cannot_be_read_or_written_is_said", faults::of_places),
        ("a_backup_amid_writes_is_of_one_moment_and_serves", backups::amid_writes),
        ("a_backup_is_whole_or_not_there", backups::of_files),
        ("no_byte_of_a_person_is_left_in_a_file", erasure::of_sqlite),
    ];
    let with_server: [(&str, WithServer); 5] = [
        ("from_sqlite_to_postgresql_and_back_is_the_same_file", trips::there_and_back),
        ("what_is_exported_amid_writes_is_of_one_moment", trips::amid_writes),
        ("nothing_stays_in_postgresql_of_what_was_not_imported", faults::on_postgres),
        ("no_byte_of_a_person_is_left_in_a_dump", erasure::of_postgres),
        ("who_cannot_be_erased_stays_whole", erasure::hindered),
    ];
    let alone = alone.map(|(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    let with_server = with_server.map(|(name, test)| {
        Trial::ignorable_test(name, move || match Server::find() {
            Ok(server) => {
                test(&server);
                Ok(Completion::Completed)
            }
            Err(reason) if is_required() => Err(Failed::from(reason)),
            Err(reason) => Ok(Completion::ignored_with(reason)),
        })
    });
    libtest_mimic::run(&arguments, alone.into_iter().chain(with_server).collect()).exit_code()
}
