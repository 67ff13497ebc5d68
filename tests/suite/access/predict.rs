//! What a caller is answered, by the model's access lists and the decisions "Order of checks" and "Views and owners" alone.

use super::world::{Caller, Who, World};
use restwell_model::events::EventKind;
use restwell_model::routes::{Action, Endpoint, Target};
use restwell_model::{Access, OperationKind, Resource, View};

/// Something that is asked for. What the path names belongs to the world's owner.
pub(super) struct Asked<'a> {
    pub(super) endpoint: &'a Endpoint,
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
    let resource = &world.model.resources[asked.endpoint.resource];
    let view = view(resource, asked.endpoint);
    let access = access(resource, view, asked.action);
    let is_refused = view.is_some_and(is_closed) && matches!(caller.who, Who::Nobody);
    let Some(reach) = reach(&access, caller).filter(|_| !is_refused) else { return &[401] };
    let is_owner = caller.is(&world.owner.id);
    // a view through another resource has for each caller what their own entities lead to
    let is_hidden = view.is_some_and(|view| view.through.is_some())
        && matches!(asked.endpoint.target, Target::Entity { .. })
        && !is_owner;
    if !asked.exists || is_hidden {
        return &[404];
    }
    let names_owner = matches!(asked.endpoint.target, Target::Scoped { field }
        if resource.owner.as_deref() == Some(resource.fields[field].name.as_str()));
    let is_allowed = match (asked.action, reach) {
        (_, Reach::Nothing) => false,
        // a path that names another owner is for who may create for others
        (Action::Operation(OperationKind::Create), Reach::Everything) => {
            is_owner || !names_owner || creates_for_others(&access, caller)
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
        _ if asked.action.method() == "GET" => &[200],
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
    let access = match kind {
        EventKind::Command { name, .. } => {
            let command = resource.commands.iter().position(|command| command.name == name).expect("a command");
            access(resource, None, Action::GetCommand(command))
        }
        _ => {
            let get = resource.operation(OperationKind::Get);
            let operation = get.or_else(|| resource.operation(OperationKind::List));
            operation.map_or(Vec::new(), |operation| operation.access.clone())
        }
    };
    reach(&access, caller).unwrap_or(Reach::Nothing)
}

/// The view of an endpoint.
pub(super) fn view<'a>(resource: &'a Resource, endpoint: &Endpoint) -> Option<&'a View> {
    match endpoint.target {
        Target::Collection { view } | Target::Entity { view } => view.map(|view| &resource.views[view]),
        _ => None,
    }
}

/// Whether a view needs credentials, whatever its operations say.
fn is_closed(view: &View) -> bool {
    view.through.is_some() || view.path.starts_with("/sale/")
}

/// Who may.
pub(super) fn access(resource: &Resource, view: Option<&View>, action: Action) -> Vec<Access> {
    match action {
        Action::Operation(kind) => {
            let operations = view.map_or(&resource.operations, |view| &view.operations);
            let operation = operations.iter().find(|operation| operation.kind == kind);
            operation.expect("the endpoint has it").access.clone()
        }
        Action::PutCommand(command) | Action::GetCommand(command) => resource.commands[command].access.clone(),
        Action::CreateSearch | Action::GetSearch => list_access(resource),
    }
}

/// "Who may list may search", on views too, which keep asking for credentials.
fn list_access(resource: &Resource) -> Vec<Access> {
    let own = resource.operations.iter().map(|operation| (operation, false));
    let of_view = |view: &View| view.operations.iter().map(|it| (it.clone(), is_closed(view))).collect::<Vec<_>>();
    let of_views = resource.views.iter().flat_map(of_view);
    let all = own.map(|(operation, closed)| (operation.clone(), closed)).chain(of_views);
    let lists = all.filter(|(operation, _)| operation.kind == OperationKind::List);
    let opened = |access: &Access, is_closed: bool| match access {
        Access::Anyone if is_closed => Access::User,
        access => access.clone(),
    };
    lists.flat_map(|(operation, closed)| operation.access.into_iter().map(move |it| opened(&it, closed))).collect()
}
