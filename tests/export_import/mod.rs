//! `export` and `import`: a marketplace moves from one database to the other, whole or not at all. `backup`: it is
//! copied while it is served. `erase`: nothing is left of a person.
//!
//! Where no PostgreSQL answers (`POSTGRES_URL`, else 127.0.0.1:5432 as `postgres`) the tests with one show as ignored; with
//! `RESTWELL_SERVERS=postgres` they fail.

mod backups;
mod erasure;
mod faults;
mod filled;
mod trips;

use super::{alone, with_server};
use libtest_mimic::Trial;
use restwell_testkit::postgres::Server;

type WithServer = fn(&Server);

pub(crate) fn trials() -> Vec<Trial> {
    let on_files: [(&str, fn()); 7] = [
        ("what_sqlite_holds_is_moved_whole", trips::between_files),
        ("what_is_wrong_with_a_file_is_said_and_nothing_stays", faults::of_files),
        ("what_the_model_refuses_is_said_though_the_checksums_are_right", faults::of_values),
        ("what_cannot_be_read_or_written_is_said", faults::of_places),
        ("a_backup_amid_writes_is_of_one_moment_and_serves", backups::amid_writes),
        ("a_backup_is_whole_or_not_there", backups::of_files),
        ("no_byte_of_a_person_is_left_in_a_file", erasure::of_sqlite),
    ];
    let on_servers: [(&str, WithServer); 5] = [
        ("from_sqlite_to_postgresql_and_back_is_the_same_file", trips::there_and_back),
        ("what_is_exported_amid_writes_is_of_one_moment", trips::amid_writes),
        ("nothing_stays_in_postgresql_of_what_was_not_imported", faults::on_postgres),
        ("no_byte_of_a_person_is_left_in_a_dump", erasure::of_postgres),
        ("who_cannot_be_erased_stays_whole", erasure::hindered),
    ];
    let on_files = on_files.into_iter().map(|(name, test)| alone(format!("export_import::{name}"), test));
    let on_servers = on_servers
        .into_iter()
        .map(|(name, test)| with_server(format!("export_import::{name}"), move |server| test(&server)));
    on_files.chain(on_servers).collect()
}
