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
    /// Which of its words are former names.
    pub former: FormerWords,
}

/// Which words of a path are former names (`formerly`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FormerWords {
    /// That of the resource.
    pub resource: bool,
    /// That of the resource whose entity is the parent of a scoped collection.
    pub parent: bool,
    /// That of the view.
    pub view: bool,
    /// That of the command.
    pub command: bool,
}

impl Endpoint {
    /// The path below which what is created here is found, in the words of this path: an entity, a search, a command.
    /// A view that shows no single entities names them at the resource itself.
    #[must_use]
    pub fn home(&self, resource: &Resource) -> String {
        let own = || resource.path_of(self.former.resource);
        let collection = self.pattern.strip_suffix(VARIABLE).and_then(|path| path.strip_suffix('/'));
        let collection = || collection.unwrap_or(&self.pattern).to_owned();
        match self.target {
            Target::Collection { view: Some(view) } | Target::Entity { view: Some(view) } => {
                let mut operations = resource.views[view].operations.iter();
                let has_get = operations.any(|operation| operation.kind == OperationKind::Get);
                if has_get { collection() } else { own() }
            }
            Target::Collection { view: None } | Target::Entity { view: None } | Target::Scoped { .. } => own(),
            Target::Searches | Target::Search | Target::Commands { .. } | Target::Command { .. } => collection(),
        }
    }

    /// The name of the array in a collection that is read here (§2.4.13), in the words of this path.
    #[must_use]
    pub fn collection(&self, resource: &Resource) -> String {
        match self.target {
            Target::Commands { command } | Target::Command { command } => {
                resource.commands[command].collection_of(self.former.command)
            }
            Target::Collection { .. }
            | Target::Entity { .. }
            | Target::Scoped { .. }
            | Target::Searches
            | Target::Search => resource.collection_of(self.former.resource),
        }
    }
}

impl FormerWords {
    /// Whether there is any.
    #[must_use]
    pub const fn is_any(self) -> bool {
        self.resource || self.parent || self.view || self.command
    }
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

    /// Whether it reads what its access admits of many entities: a list, or a search for one.
    #[must_use]
    pub const fn is_list(self) -> bool {
        match self {
            Self::Operation(OperationKind::List) | Self::CreateSearch | Self::GetSearch => true,
            Self::Operation(
                OperationKind::Create
                | OperationKind::Get
                | OperationKind::Update
                | OperationKind::Patch
                | OperationKind::Delete,
            )
            | Self::PutCommand(_)
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

/// Every endpoint of a service, in the order of its resources. After those of a resource come the same under its former
/// names.
#[must_use]
pub fn endpoints(service: &Service) -> Vec<Endpoint> {
    let mut endpoints: Vec<Endpoint> = Vec::new();
    for (index, resource) in service.resources.iter().enumerate() {
        let begin = endpoints.len();
        for is_former in names(resource.formerly.is_some()) {
            let mut add = |pattern: String, target: Target, actions: Vec<Action>, former: FormerWords| {
                let same = |known: &Endpoint| known.pattern == pattern && known.target == target;
                // a former name may have had the same path
                let is_known = former.is_any() && endpoints[begin..].iter().any(same);
                if !actions.is_empty() && !is_known {
                    endpoints.push(Endpoint { pattern, resource: index, target, actions, former });
                }
            };
            let words = FormerWords { resource: is_former, ..FormerWords::default() };
            add_entities(resource, words, &mut add);
            add_scoped(service, resource, words, &mut add);
            if resource.search != Search::None {
                let path = resource.search_path_of(is_former);
                add(format!("{path}/{VARIABLE}"), Target::Search, vec![Action::GetSearch], words);
                add(path, Target::Searches, vec![Action::CreateSearch], words);
            }
            add_commands(resource, words, &mut add);
        }
        endpoints[begin..].sort_by_key(|endpoint| endpoint.former.is_any());
    }
    endpoints
}

/// The present name, and the former one if there is one: for each, whether it is the former.
fn names(has_former: bool) -> impl Iterator<Item = bool> {
    std::iter::once(false).chain(has_former.then_some(true))
}

fn add_entities(
    resource: &Resource,
    words: FormerWords,
    add: &mut impl FnMut(String, Target, Vec<Action>, FormerWords),
) {
    let plural = resource.plural_of(words.resource);
    let own = std::iter::once((None, format!("/{plural}"), &resource.operations, words));
    let views = resource.views.iter().enumerate().flat_map(|(index, view)| {
        // a path that is written out was used with the former name of the resource, if it has one
        let is_kept = view.formerly.as_ref().is_some_and(|former| former.path.is_some());
        let is_of_other = move |is_former: &bool| *is_former && is_kept && !words.resource;
        let named = |is_former| {
            let path = view.path_of(is_former, &resource.plural, &plural);
            (Some(index), path, &view.operations, FormerWords { view: is_former, ..words })
        };
        let has_former = resource.formerly.is_some();
        names(view.formerly.is_some()).filter(|it| !(has_former && is_of_other(it))).map(named).collect::<Vec<_>>()
    });
    for (view, path, operations, words) in own.chain(views) {
        let (collection, entity): (Vec<_>, Vec<_>) =
            operations.iter().map(|operation| operation.kind).partition(|kind| kind.on_collection());
        let actions = |kinds: Vec<OperationKind>| kinds.into_iter().map(Action::Operation).collect();
        add(format!("{path}/{VARIABLE}"), Target::Entity { view }, actions(entity), words);
        add(path, Target::Collection { view }, actions(collection), words);
    }
}

fn add_scoped(
    service: &Service,
    resource: &Resource,
    words: FormerWords,
    add: &mut impl FnMut(String, Target, Vec<Action>, FormerWords),
) {
    for name in &resource.under {
        let field = resource.fields.iter().position(|field| field.name == *name);
        let parent = field.and_then(|index| match &resource.fields[index].ty {
            crate::field::Type::Ref { to, .. } => service.resource(to),
            _ => None,
        });
        let Some((field, parent)) = field.zip(parent) else { continue };
        for is_former in names(parent.formerly.is_some()) {
            let kinds = [OperationKind::Create, OperationKind::List].into_iter();
            let actions = kinds.filter(|kind| resource.operation(*kind).is_some()).map(Action::Operation).collect();
            let path = format!("{}/{VARIABLE}{}", parent.path_of(is_former), resource.path_of(words.resource));
            add(path, Target::Scoped { field }, actions, FormerWords { parent: is_former, ..words });
        }
    }
}

fn add_commands(
    resource: &Resource,
    words: FormerWords,
    add: &mut impl FnMut(String, Target, Vec<Action>, FormerWords),
) {
    for (command, definition) in resource.commands.iter().enumerate() {
        for is_former in names(definition.formerly.is_some()) {
            let words = FormerWords { command: is_former, ..words };
            let path = format!("{}/{VARIABLE}/{}", resource.path_of(words.resource), definition.segment_of(is_former));
            let of_one = vec![Action::PutCommand(command), Action::GetCommand(command)];
            add(format!("{path}/{VARIABLE}"), Target::Command { command }, of_one, words);
            add(path, Target::Commands { command }, vec![Action::ListCommands(command)], words);
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
