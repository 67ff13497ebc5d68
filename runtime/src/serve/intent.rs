//! What a method at an endpoint is meant to do, and what it takes: which headers, whose permission, which view.

use super::Routed;
use super::negotiate::Needs;
use crate::plan::Scope;
use restwell_model::routes::{Action, Target};
use restwell_model::{Access, OperationKind};

/// What a request is meant to do.
#[derive(Debug)]
pub(super) struct Intent<'a> {
    /// What the method does at the endpoint.
    pub(super) action: Action,
    /// The view that it is asked of.
    pub(super) view: Option<usize>,
    /// Of a scoped collection: the reference that the path sets.
    pub(super) scope: Option<&'a Scope>,
    /// Which of the two media type headers it needs.
    pub(super) needs: Needs,
    /// Who may.
    pub(super) access: &'a [Access],
}

impl<'a> Intent<'a> {
    /// The intent of a routed request.
    pub(super) fn of(routed: &Routed<'a>) -> Self {
        let plan = routed.plan;
        let (view, scope) = match routed.target {
            Target::Collection { view } | Target::Entity { view } => (view, None),
            Target::Scoped { field } => (None, plan.scope(field)),
            _ => (None, None),
        };
        let (needs, access): (_, &[Access]) = match (routed.action, routed.target) {
            (Action::Operation(kind), _) => (needs(kind), plan.access(view, kind)),
            (Action::PutCommand(command), _) => (Needs::BOTH, &plan.commands[command].access),
            (Action::GetCommand(command), _) => (Needs::ANSWER, &plan.commands[command].access),
            (Action::CreateSearch, _) => (Needs::BODY, plan.search_access()),
            _ => (Needs::ANSWER, plan.search_access()),
        };
        Self { action: routed.action, view, scope, needs, access }
    }
}

fn needs(operation: OperationKind) -> Needs {
    match operation {
        OperationKind::List | OperationKind::Get => Needs::ANSWER,
        OperationKind::Create => Needs::BODY,
        OperationKind::Update | OperationKind::Patch => Needs::BOTH,
        OperationKind::Delete => Needs::NOTHING,
    }
}
