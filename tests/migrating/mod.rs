//! Filled databases brought from one model to the next, on SQLite and on a real PostgreSQL.

mod case;
mod chain;
mod defaults;
mod free_values;
mod on_postgres;
mod on_sqlite;
mod program;
mod random;
mod refusals;
mod renames;
mod rules;
mod stores;
mod versions;

use super::{alone, with_server};
use libtest_mimic::Trial;
use stores::Store;

type Test = fn(&mut dyn Store);

const TESTS: [(&str, Test); 22] = [
    ("a_filled_database_goes_through_twelve_versions_and_equals_a_fresh_one", chain::step_by_step),
    ("every_version_is_reached_from_every_earlier_one_at_once", chain::in_leaps),
    ("rows_get_what_they_lack_also_those_that_the_old_version_goes_on_to_write", defaults::rows_of_the_old_version),
    ("a_default_that_changes_is_that_of_a_fresh_database", defaults::changed_defaults),
    ("arrays_that_cannot_be_empty_get_their_default", defaults::filled_arrays),
    ("maps_and_json_come_to_a_filled_table", free_values::come_to_a_filled_table),
    ("what_rows_do_not_allow_is_refused_with_its_place_and_changes_nothing", refusals::rows_in_the_way),
    ("a_text_that_was_written_is_read_back", chain::as_text),
    ("the_program_goes_through_twelve_versions_and_records_them", program::step_by_step),
    ("of_several_instances_one_migrates", program::several_at_once),
    ("a_rule_is_verified_where_it_is_added_and_names_the_rows_that_break_it", rules::verified),
    ("what_is_required_under_a_condition_is_verified", rules::required),
    ("an_import_names_the_rows_that_break_a_rule", rules::imported),
    ("what_is_unique_in_any_case_comes_and_goes", case::comes_and_goes),
    ("what_is_unique_gives_way_to_a_default", case::gives_way_to_a_default),
    ("what_differs_in_case_alone_is_in_the_way", case::is_refused_for_rows),
    ("an_index_of_folded_texts_follows_names", case::follows_names),
    ("a_filter_in_any_case_comes_to_a_filled_table_and_goes", case::filter_comes_and_goes),
    ("fields_exchange_names_once", renames::fields_exchange_names),
    ("resources_exchange_names_once", renames::resources_exchange_names),
    ("a_resource_gets_the_name_of_a_removed_one", renames::a_resource_gets_the_name_of_a_removed_one),
    (
        "a_rule_is_verified_where_its_names_stand_for_other_fields",
        renames::a_rule_is_verified_where_its_names_stand_for_other_fields,
    ),
];

/// What SQLite has not: locks of tables, and steps that no transaction can hold.
const ON_POSTGRES: [(&str, Test); 3] = [
    ("a_lock_that_others_wait_for_is_let_go_and_tried_again", program::locks_are_let_go),
    ("what_is_broken_off_goes_on_where_it_was", program::broken_off_and_gone_on),
    ("it_may_be_broken_off_anywhere", program::cut_again_and_again),
];

pub(crate) fn trials() -> Vec<Trial> {
    let on_sqlite = TESTS
        .into_iter()
        .map(|(name, test)| alone(format!("migrating::sqlite::{name}"), move || test(&mut on_sqlite::Sqlite::new())));
    let on_postgres = TESTS.into_iter().chain(ON_POSTGRES).map(|(name, test)| {
        with_server(format!("migrating::postgres::{name}"), move |server| test(&mut on_postgres::Postgres::new(server)))
    });
    let others = [
        with_server("migrating::any_evolution_leads_to_a_fresh_database_on_both", |server| {
            random::lead_to_fresh_databases(&server);
        }),
        alone("migrating::every_wrong_step_is_refused_with_its_place", refusals::wrong_steps),
        alone("migrating::rules_that_depend_on_more_than_the_row_are_not_verified", rules::of_writes_alone),
    ];
    on_sqlite.chain(on_postgres).chain(others).collect()
}
