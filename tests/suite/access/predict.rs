//! What a caller is answered, by the access lists of the interface (`Api`) and the decisions "Order of checks" and "Views
//! and owners" alone.

use super::world::{Caller, Who, World};
use restwell_model::api::HttpOperation;
use restwell_model::events::EventKind;
use restwell_model::routes::{Action, Target};
use restwell_model::{Access, OperationKind, Resource, View};

/// Something that is asked for. What the path names belongs to the world's owner.
pub(super) struct Asked<'a> {
    pub(super) resource: &'a Resource,
    pub(super) target: Target,
    pub(super) operation: &'a HttpOperation<'a>,
    pub(super) action: Action,
    /// Whether there is what the path names.
    pub(super) exists: bool,
    /// Whether a command is there to be executed.
    pub(super) is_ready: bool,
}

/// What a caller may touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    Everything,
    Own,
    Nothing,
}

/// How far access lists let a caller; `None`: it takes credentials, and there are none or bad ones.
pub(super) fn reach(access: &[Access], caller: &Caller) -> Option<Reach> {
    let is_open = access.contains(&Access::Anyone);
    match &caller.who {
        Who::Unknown => None,
        Who::Nobody => is_open.then_some(Reach::Everything),
        Who::Known { scopes, .. } => {
            let opens = |access: &Access| matches!(access, Access::Scope(scope) if scopes.contains(scope));
            Some(if is_open || access.contains(&Access::User) || access.iter().any(opens) {
                Reach::Everything
            } else if access.contains(&Access::Owner) {
                Reach::Own
            } else {
                Reach::Nothing
            })
        }
    }
}

/// The statuses that a caller may be answered.
pub(super) fn statuses(world: &World<'_>, asked: &Asked<'_>, caller: &Caller) -> &'static [u16] {
    let Asked { resource, target, operation, .. } = asked;
    let access = &operation.access;
    let is_refused = access.requires_credentials && matches!(caller.who, Who::Nobody);
    let Some(reach) = reach(&access.any_of, caller).filter(|_| !is_refused) else { return &[401] };
    let is_owner = caller.is(&world.owner.id);
    // a view through another resource has for each caller what their own entities lead to
    let is_through = view(resource, *target).is_some_and(|view| view.through.is_some());
    let is_hidden = is_through && matches!(target, Target::Entity { .. }) && !is_owner;
    if !asked.exists || is_hidden {
        return &[404];
    }
    let names_owner = matches!(*target, Target::Scoped { field }
        if resource.owner.as_deref() == Some(resource.fields[field].name.as_str()));
    let is_allowed = match (asked.action, reach) {
        (_, Reach::Nothing) => false,
        // a path that names another owner is for who may create for others
        (Action::Operation(OperationKind::Create), Reach::Everything) => {
            is_owner || !names_owner || creates_for_others(&access.any_of, caller)
        }
        (_, Reach::Everything) => true,
        (Action::Operation(OperationKind::List), Reach::Own) => is_owner || !names_owner,
        (Action::CreateSearch | Action::GetSearch, Reach::Own) => true,
        (_, Reach::Own) => is_owner && world.is_owned(resource),
    };
    match asked.action {
        _ if !is_allowed => &[403],
        Action::PutCommand(_) if !asked.is_ready => &[501],
        // a dry run, of what others may refer to
        Action::Operation(OperationKind::Delete) => &[204, 422],
        _ if operation.method == "GET" => &[200],
        // the body is wrong everywhere
        _ => &[422],
    }
}

/// Who was let in as anyone or by a scope may name somebody else as the owner.
fn creates_for_others(access: &[Access], caller: &Caller) -> bool {
    let others: Vec<_> = access.iter().filter(|access| **access != Access::User).cloned().collect();
    reach(&others, caller) == Some(Reach::Everything)
}

/// How far a caller sees the events of a kind: as far as GET of the entity, or of the command, goes; where there is no such
/// GET, as far as the list.
pub(super) fn sees(resource: &Resource, kind: EventKind<'_>, caller: &Caller) -> Reach {
    let access: &[Access] = match kind {
        EventKind::Command { name, .. } => {
            let command = resource.commands.iter().find(|command| command.name == name).expect("a command");
            &command.access
        }
        _ => {
            let get = resource.operation(OperationKind::Get);
            let operation = get.or_else(|| resource.operation(OperationKind::List));
            operation.map_or(&[][..], |operation| &operation.access)
        }
    };
    reach(access, caller).unwrap_or(Reach::Nothing)
}

/// The view of a path.
pub(super) fn view(resource: &Resource, target: Target) -> Option<&View> {
    match target {
        Target::Collection { view } | Target::Entity { view } => view.map(|view| &resource.views[view]),
        _ => None,
    }
}
