//! What a method at an endpoint is meant to do, and what it takes: which headers, whose permission, which view.

use super::Routed;
use super::negotiate::Needs;
use crate::plan::Scope;
use restwell_model::Access;
use restwell_model::routes::{Action, Target};

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
        let action = routed.action;
        let needs = Needs { accept: action.requires_accept(), content_type: action.has_body() };
        let access: &[Access] = match action {
            Action::Operation(kind) => plan.access(view, kind),
            Action::PutCommand(command) | Action::GetCommand(command) => &plan.commands[command].access,
            Action::CreateSearch | Action::GetSearch => plan.search_access(),
        };
        Self { action, view, scope, needs, access }
    }
}
