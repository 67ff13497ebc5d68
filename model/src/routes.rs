//! The paths a service has, and what each method does there (§2.1, §4).
//!
//! One table, derived from the model: the runtime routes requests with it, the docs list it, and `check` looks for path
//! conflicts in it. A path is in the table if it has an operation; its other methods get 405.

use crate::resource::{OperationKind, Resource, Search};
use crate::service::Service;

/// The variable segment of a pattern.
pub const VARIABLE: &str = "{}";
/// The end of a path's word of a command: `renew-commands`.
pub const COMMANDS: &str = "-commands";
/// A path and what can be done there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// The path, ids as [`VARIABLE`]: `/users/{}/offers`.
    pub pattern: String,
    /// The resource, as an index into the service's.
    pub resource: usize,
    /// What the path names.
    pub target: Target,
    /// What can be done there, with the operation's name in the model where it is one.
    pub actions: Vec<Action>,
}

/// What a path names. Views, fields and commands are indexes into the resource's lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// All entities, of the resource or of a view.
    Collection {
        /// The view.
        view: Option<usize>,
    },
    /// One entity, of the resource or of a view.
    Entity {
        /// The view.
        view: Option<usize>,
    },
    /// The entities whose reference is the path's first id (§2.1).
    Scoped {
        /// The reference field.
        field: usize,
    },
    /// Where searches are created (§4.5).
    Searches,
    /// A stored search.
    Search,
    /// The commands of one type that the entity was sent.
    Commands {
        /// The command.
        command: usize,
    },
    /// A command of the entity (§4.7).
    Command {
        /// The command.
        command: usize,
    },
}

/// What a method does at an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// An operation on entities.
    Operation(OperationKind),
    /// POST of a search.
    CreateSearch,
    /// GET of a search.
    GetSearch,
    /// PUT of a command, an index into the resource's.
    PutCommand(usize),
    /// GET of a command, an index into the resource's.
    GetCommand(usize),
    /// GET of the commands of one type, an index into the resource's.
    ListCommands(usize),
}

impl Action {
    /// The HTTP method.
    #[must_use]
    pub const fn method(self) -> &'static str {
        match self {
            Self::Operation(kind) => kind.method(),
            Self::CreateSearch => "POST",
            Self::PutCommand(_) => "PUT",
            Self::GetSearch | Self::GetCommand(_) | Self::ListCommands(_) => "GET",
        }
    }

    /// Whether a request has a body, whose version `Content-Type` names (§4.1, §9.2).
    #[must_use]
    pub const fn has_body(self) -> bool {
        match self {
            Self::Operation(OperationKind::Create | OperationKind::Update | OperationKind::Patch)
            | Self::CreateSearch
            | Self::PutCommand(_) => true,
            Self::Operation(OperationKind::List | OperationKind::Get | OperationKind::Delete)
            | Self::GetSearch
            | Self::GetCommand(_)
            | Self::ListCommands(_) => false,
        }
    }

    /// Whether a request must have `Accept`: GET, PUT and PATCH. A POST without it gets its response in the version of
    /// its body; DELETE ignores it (§9.2; decisions, "Accept").
    #[must_use]
    pub const fn requires_accept(self) -> bool {
        match self {
            Self::Operation(
                OperationKind::List | OperationKind::Get | OperationKind::Update | OperationKind::Patch,
            )
            | Self::GetSearch
            | Self::PutCommand(_)
            | Self::GetCommand(_)
            | Self::ListCommands(_) => true,
            Self::Operation(OperationKind::Create | OperationKind::Delete) | Self::CreateSearch => false,
        }
    }
}

/// The methods of an endpoint, as `Allow` lists them: GET includes HEAD, and every path has OPTIONS.
#[must_use]
pub fn allowed(actions: &[Action]) -> String {
    let mut methods: Vec<_> = actions.iter().map(|action| action.method()).chain(["OPTIONS"]).collect();
    if methods.contains(&"GET") {
        methods.push("HEAD");
    }
    methods.sort_unstable();
    methods.dedup();
    methods.join(", ")
}

/// Every endpoint of a service, in the order of its resources.
#[must_use]
pub fn endpoints(service: &Service) -> Vec<Endpoint> {
    let mut endpoints = Vec::new();
    for (index, resource) in service.resources.iter().enumerate() {
        let mut add = |pattern: String, target: Target, actions: Vec<Action>| {
            if !actions.is_empty() {
                endpoints.push(Endpoint { pattern, resource: index, target, actions });
            }
        };
        add_entities(resource, &mut add);
        add_scoped(service, resource, &mut add);
        if resource.search != Search::None {
            let path = resource.search_path();
            add(format!("{path}/{VARIABLE}"), Target::Search, vec![Action::GetSearch]);
            add(path, Target::Searches, vec![Action::CreateSearch]);
        }
        for (command, definition) in resource.commands.iter().enumerate() {
            let path = format!("{}/{VARIABLE}/{}", resource.path(), definition.segment());
            let of_one = vec![Action::PutCommand(command), Action::GetCommand(command)];
            add(format!("{path}/{VARIABLE}"), Target::Command { command }, of_one);
            add(path, Target::Commands { command }, vec![Action::ListCommands(command)]);
        }
    }
    endpoints
}

fn add_entities(resource: &Resource, add: &mut impl FnMut(String, Target, Vec<Action>)) {
    let own = std::iter::once((None, resource.path(), &resource.operations));
    let views = resource.views.iter().enumerate().map(|(i, view)| (Some(i), view.path.clone(), &view.operations));
    for (view, path, operations) in own.chain(views) {
        let (collection, entity): (Vec<_>, Vec<_>) =
            operations.iter().map(|operation| operation.kind).partition(|kind| kind.on_collection());
        let actions = |kinds: Vec<OperationKind>| kinds.into_iter().map(Action::Operation).collect();
        add(format!("{path}/{VARIABLE}"), Target::Entity { view }, actions(entity));
        add(path, Target::Collection { view }, actions(collection));
    }
}

fn add_scoped(service: &Service, resource: &Resource, add: &mut impl FnMut(String, Target, Vec<Action>)) {
    for name in &resource.under {
        let field = resource.fields.iter().position(|field| field.name == *name);
        let parent = field.and_then(|index| match &resource.fields[index].ty {
            crate::field::Type::Ref { to, .. } => service.resource(to),
            _ => None,
        });
        if let (Some(field), Some(parent)) = (field, parent) {
            let kinds = [OperationKind::Create, OperationKind::List].into_iter();
            let actions = kinds.filter(|kind| resource.operation(*kind).is_some()).map(Action::Operation).collect();
            let path = format!("{}/{VARIABLE}{}", parent.path(), resource.path());
            add(path, Target::Scoped { field }, actions);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{Field, Type};
    use crate::resource::Command;

    #[test]
    fn every_kind_of_path_of_the_conventions() {
        let mut service = Service::new("shop");
        let mut offer = Resource::new("Offer");
        offer.fields.push(Field::new("seller", Type::reference("User")));
        offer.under.push("seller".to_owned());
        offer.search = Search::All;
        offer.commands.push(Command::new("renew"));
        service.resources = vec![offer, Resource::new("User")];
        let patterns: Vec<_> = endpoints(&service).into_iter().map(|endpoint| endpoint.pattern).collect();
        let expected = [
            "/offers/{}",
            "/offers",
            "/users/{}/offers",
            "/offer-searches/{}",
            "/offer-searches",
            "/offers/{}/renew-commands/{}",
            "/offers/{}/renew-commands",
            "/users/{}",
            "/users",
        ];
        assert_eq!(patterns, expected);
    }
}
