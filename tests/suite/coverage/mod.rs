//! Every status that the OpenAPI document names for an operation occurs: each is asked for, in the ways that the
//! interface (`Api`) gives. What is then unseen must stand in a list with its reason. And no line of the document can be
//! taken out unnoticed (`lines`).

mod failing;
pub(crate) mod lines;
mod requests;

use crate::access::world::{Person, World, user};
use crate::client::Api;
use crate::{Case, words};
use requests::{Asking, Others};
use restwell_model::api::{Api as Interface, HttpOperation, OperationRole};
use restwell_model::routes::Action;
use restwell_model::{ErrorCode, OperationKind};
use restwell_tests::scopes::scopes;
use std::time::Duration;

pub(crate) const CASES: &[Case] = &[
    ("§7.2 every documented status of every operation occurs: specimens", everything),
    ("§7.2 every documented status of every operation occurs: marketplace", marketplace),
];

/// A number that no other person of the world is made with. Its third platform is left to it.
const LEAVING: usize = 8;
/// Longer than a search is kept.
const A_LONG_TIME: Duration = Duration::from_secs(31 * 24 * 60 * 60);
/// Longer than a finished command is kept, after that.
const A_LONGER_TIME: Duration = Duration::from_secs(60 * 24 * 60 * 60);

/// Statuses that are documented and not asked for here.
struct Exception {
    statuses: &'static [&'static str],
    is_of: fn(&HttpOperation<'_>) -> bool,
    /// Read by people.
    #[expect(dead_code, reason = "it is for readers of the list")]
    reason: &'static str,
}

const EXCEPTIONS: &[Exception] = &[
    Exception {
        statuses: &["501"],
        is_of: |operation| operation.is_ready,
        reason: "every command that is ready has a handler here; the interpreted form has none, and is 501",
    },
    Exception {
        statuses: &["200", "304", "403", "412", "422"],
        is_of: is_of_announced_command,
        reason: "nobody can send the command yet; one that was ready once can be read",
    },
    Exception {
        statuses: &["201"],
        is_of: |operation| operation.success_to_come.is_some(),
        reason: "it is documented for the time when the command is ready",
    },
    Exception {
        statuses: &["200", "201", "204", "304", "403", "410", "412", "422"],
        is_of: is_of_release,
        reason: "its handler is left out on purpose: `cases/commands.rs` sees the order of checks",
    },
    Exception {
        statuses: &["502"],
        is_of: |_| true,
        reason: "only a team's own code asks other services: `cases/failures.rs` sees it",
    },
    Exception {
        statuses: &["403"],
        is_of: |operation| is_of_rules_alone(operation, ErrorCode::RejectedForbidden),
        reason: "only a team's own rules refuse it: `cases/rejections.rs` sees it",
    },
    Exception {
        statuses: &["404"],
        is_of: |operation| is_of_rules_alone(operation, ErrorCode::RejectedNotFound),
        reason: "the same",
    },
    Exception {
        statuses: &["409"],
        is_of: |operation| is_of_rules_alone(operation, ErrorCode::RejectedConflict),
        reason: "the same",
    },
    Exception {
        statuses: &["500"],
        is_of: is_of_service,
        reason: "a description is made from memory, for anybody: only a mistake of the service is 500",
    },
    Exception { statuses: &["503"], is_of: is_of_service, reason: "the same; too many connections are 503 everywhere" },
    Exception {
        statuses: &["504"],
        is_of: is_of_service,
        reason: "the same; the first one takes long in large services",
    },
];

fn is_of_service(operation: &HttpOperation<'_>) -> bool {
    matches!(operation.role, OperationRole::System(endpoint) if endpoint.is_contract())
}

/// Whether nothing else than a team's own rule gives an operation the status of a rejection.
fn is_of_rules_alone(operation: &HttpOperation<'_>, rejection: ErrorCode) -> bool {
    let mut responses = operation.responses.iter();
    responses.any(|response| response.status == rejection.status() && response.codes == [rejection])
}

fn is_deletion(operation: &HttpOperation<'_>) -> bool {
    operation.role == OperationRole::Action(Action::Operation(OperationKind::Delete))
}

fn is_of_announced_command(operation: &HttpOperation<'_>) -> bool {
    matches!(operation.role, OperationRole::Action(Action::GetCommand(_))) && !operation.is_ready
}

/// The command of the specimens that is ready by the model and has no handler.
fn is_of_release(operation: &HttpOperation<'_>) -> bool {
    operation.id.starts_with("Specimen.release.")
}

fn marketplace(api: &Api) {
    everything(&api.of(words::service));
}

fn everything(api: &Api) {
    let api = api.recorded();
    let world = World::create(&api);
    let interface = Interface::of(&world.model);
    let users = world.model.users.as_ref().and_then(|name| world.model.resource(name)).expect("there are users");
    let stranger = user(&api, &world.model, users, 3);
    // somebody whose entities nobody else refers to
    let leaving = Person::create(&api, &world.model, LEAVING, &scopes(&world.model));
    let asking = Asking::of(&world, &world.owner, &stranger);
    for (path, operation) in interface.operations().filter(|(_, operation)| !is_deletion(operation)) {
        asking.ask(path, operation);
    }
    let asking = Asking::of(&world, &leaving, &stranger);
    let mut deletions: Vec<_> = interface.operations().filter(|(_, operation)| is_deletion(operation)).collect();
    deletions.iter().for_each(|(path, operation)| asking.ask(path, operation));
    // those that are done later go first
    deletions.sort_by_key(|(_, operation)| !operation.is_async);
    // what holds an entity goes before it
    for _ in 0..3 {
        deletions.iter().for_each(|(path, operation)| asking.delete(path, operation));
    }
    let others = Others::start(&api);
    api.advance(A_LONG_TIME);
    let asking = Asking::of(&world, &world.owner, &stranger);
    for (path, operation) in interface.operations() {
        asking.ask_late(path, operation);
        asking.ask_others(path, operation, &others);
    }
    api.advance(A_LONGER_TIME);
    interface.operations().for_each(|(path, operation)| asking.ask_late(path, operation));
    let operations: Vec<_> = interface.operations().map(|(_, operation)| operation).collect();
    let is_excepted = |name: &str, status: &str| {
        let operation = operations.iter().find(|operation| operation.name == name);
        operation.is_some_and(|it| EXCEPTIONS.iter().any(|known| known.statuses.contains(&status) && (known.is_of)(it)))
    };
    let unseen = api.unseen();
    let unseen: Vec<_> = unseen.iter().filter(|(name, status)| !is_excepted(name, status.as_str())).collect();
    assert!(unseen.is_empty(), "{} are documented, and unseen:\n{unseen:#?}", unseen.len());
}
