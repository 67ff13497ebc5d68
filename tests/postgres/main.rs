//! What PostgreSQL alone has: the model's SQL on a real server, and several instances on one database. Each test makes
//! a database of its own and drops it.

mod commands;
mod deadlines;
mod first_requests;
mod groups;
mod health;
mod hooks;
mod instances;
mod moments;
mod pooler;
mod row_limits;
mod rules;
mod searches;
mod state_indexes;
mod tables;
mod traffic;

#[path = "../../runtime/examples/offers/model.rs"]
mod model;
#[path = "../../runtime/examples/offers/restock.rs"]
mod restock;

use libtest_mimic::{Arguments, Completion, Failed, Trial};
use pooler::Pooler;
use restwell_testkit::postgres::{Server, is_required};
use std::process::ExitCode;

type Test = fn(&Server);

const TESTS: [(&str, Test); 51] = [
    ("first_requests_make_one_user", first_requests::first_requests_make_one_user),
    ("hooks_run_once_in_one_of_the_instances", hooks::hooks_run_once_in_one_of_the_instances),
    ("a_hook_that_fails_says_why", hooks::a_hook_that_fails_says_why_and_waits_longer_each_time),
    ("the_tables_of_a_service_are_made_as_the_model_has_them", tables::as_the_model_has_them),
    ("texts_sort_by_code_point_and_long_names_stay_apart", tables::order_and_names),
    ("instances_lose_no_update", instances::no_update_is_lost),
    ("a_unique_value_is_taken_once", instances::a_unique_value_is_taken_once),
    ("the_events_of_all_instances_are_one_sequence", instances::events_are_one_sequence),
    ("no_change_waits_for_the_positions_of_another", instances::no_change_waits_for_positions),
    ("what_was_counted_holds", instances::what_was_counted_holds),
    ("clocks_may_differ", instances::clocks_may_differ),
    ("cut_connections_are_replaced", instances::cut_connections_are_replaced),
    ("texts_that_cannot_be_indexed_are_reported", instances::texts_that_cannot_be_indexed_are_reported),
    ("case_is_folded_as_in_the_program", instances::case_is_folded_as_in_the_program),
    ("folded_texts_that_cannot_be_indexed_are_reported", instances::folded_texts_that_cannot_be_indexed_are_reported),
    ("rows_that_check_accepts_are_stored", row_limits::rows_that_check_accepts_are_stored),
    ("rows_are_stored_where_columns_were_dropped", row_limits::rows_are_stored_where_columns_were_dropped),
    ("entities_that_check_accepts_are_created", row_limits::entities_that_check_accepts_are_created),
    ("references_that_check_accepts_are_shown", row_limits::references_that_check_accepts_are_shown),
    (
        "texts_that_no_index_has_are_refused_at_their_field",
        row_limits::texts_that_no_index_has_are_refused_at_their_field,
    ),
    ("a_value_that_is_given_up_is_free", moments::a_value_that_is_given_up_is_free),
    ("statements_are_prepared_again", moments::statements_are_prepared_again),
    ("abandoned_requests_block_no_others", moments::abandoned_requests_block_no_others),
    (
        "a_session_that_ends_before_a_commit_costs_nobody_a_change",
        moments::a_session_that_ends_before_a_commit_costs_nobody_a_change,
    ),
    ("an_entity_without_the_reference_stays", moments::an_entity_without_the_reference_stays),
    ("commands_of_another_version_block_no_others", moments::commands_of_another_version_block_no_others),
    ("writes_come_back_after_a_standby", moments::writes_come_back_after_a_standby),
    ("a_full_disk_is_not_ready", health::a_full_disk_is_not_ready),
    ("a_server_that_only_reads_is_not_ready", health::a_server_that_only_reads_is_not_ready),
    ("waiting_for_an_entity_ends_in_time", moments::waiting_for_an_entity_ends_in_time),
    ("sessions_may_be_ended_when_they_idle", moments::sessions_may_be_ended_when_they_idle),
    ("a_representation_is_of_one_moment", moments::a_representation_is_of_one_moment),
    ("a_silent_server_times_out", moments::a_silent_server_times_out),
    ("changes_that_arrive_together_share_a_transaction", groups::changes_that_arrive_together_share_a_transaction),
    ("faulty_changes_get_their_own_answers", groups::faulty_changes_get_their_own_answers),
    ("locked_rows_keep_no_others_waiting", groups::locked_rows_keep_no_others_waiting),
    ("commands_that_arrive_together_share_transactions", commands::commands_that_arrive_together_share_transactions),
    ("commands_of_one_entity_lose_no_update", commands::commands_of_one_entity_lose_no_update),
    ("a_command_is_accepted_once", commands::a_command_is_accepted_once),
    ("a_lock_keeps_no_others_waiting", rules::a_lock_keeps_no_others_waiting),
    ("a_lock_of_what_is_deleted_holds_nothing", rules::a_lock_of_what_is_deleted_holds_nothing),
    ("reads_between_changes_write_nothing", rules::reads_between_changes_write_nothing),
    ("a_read_that_is_late_is_broken_off", deadlines::a_read_that_is_late_is_broken_off),
    ("the_statements_of_a_read_share_its_deadline", deadlines::the_statements_of_a_read_share_its_deadline),
    ("abandoned_reads_end", deadlines::abandoned_reads_end),
    ("a_page_is_bounded_in_bytes", deadlines::a_page_is_bounded_in_bytes),
    ("who_stores_too_many_searches_loses_their_own", searches::who_stores_too_many_searches_loses_their_own),
    ("what_is_seen_is_counted_by_an_index", state_indexes::what_is_seen_is_counted_by_an_index),
    ("indexes_of_states_follow_the_model", state_indexes::indexes_of_states_follow_the_model),
    ("requests_cost_what_is_kept", traffic::requests_cost_what_is_kept),
    ("statements_are_planned_once", traffic::statements_are_planned_once),
];

/// What instances do together, and more of it at a time than the pooler has connections.
const POOLED: [(&str, Test); 6] = [
    ("instances_lose_no_update", instances::no_update_is_lost),
    ("a_unique_value_is_taken_once", instances::a_unique_value_is_taken_once),
    ("the_events_of_all_instances_are_one_sequence", instances::events_are_one_sequence),
    ("what_was_counted_holds", instances::what_was_counted_holds),
    ("cut_connections_are_replaced", instances::cut_connections_are_replaced),
    ("instances_start_together", pooler::instances_start_together),
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = TESTS.map(|(name, test)| {
        trial(name, move |server| {
            test(server);
            Completion::Completed
        })
    });
    let tls = trial("tls_is_spoken_with_whom_one_knows", instances::tls_is_spoken_with_whom_one_knows);
    let pooled = POOLED.map(|(name, test)| {
        trial(&format!("through_a_pooler_{name}"), move |server| match Pooler::start(server) {
            Ok(pooler) => {
                test(&pooler.server());
                Completion::Completed
            }
            Err(reason) if pooler::is_required() => panic!("{reason}"),
            Err(reason) => Completion::ignored_with(reason),
        })
    });
    libtest_mimic::run(&arguments, trials.into_iter().chain([tls]).chain(pooled).collect()).exit_code()
}

fn trial(name: &str, test: impl FnOnce(&Server) -> Completion + Send + 'static) -> Trial {
    Trial::ignorable_test(name, move || match Server::find() {
        Ok(server) => Ok(test(&server)),
        Err(reason) if is_required() => Err(Failed::from(reason)),
        Err(reason) => Ok(Completion::ignored_with(reason)),
    })
}
