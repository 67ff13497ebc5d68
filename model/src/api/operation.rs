//! An operation: a method at a path, who may call it, what it takes and how it responds.

use super::codes;
use super::headers::RequestHeader;
use super::operation_head::OperationHead;
use super::parameters::QueryParameter;
use super::responses::HttpResponse;
use super::schemas::{Representation, SchemaKey};
use super::system::SystemEndpoint;
use super::values::{self, ValueType};
use crate::check::Checked;
use crate::field::{Deprecation, Field, Type};
use crate::formerly::Formerly;
use crate::input::Reading;
use crate::names;
use crate::resource::{Access, Command, Operation, OperationKind, Resource, Version, View};
use crate::routes::{Action, Endpoint, FormerWords, Target};

/// A method at a path.
#[derive(Debug, Clone)]
pub struct HttpOperation<'a> {
    /// Unique in the service and stable while its description is: `Offer.list`, `Offer.sale.list` in a view,
    /// `Offer.listUnderSeller` in a scoped collection, `Offer.createSearch`, `Offer.renew.submit` of a command,
    /// `Offer.renew.list` of all commands of a type.
    pub id: String,
    /// The name of a function that calls it, in camelCase: `listOffers`, `createSaleOffer`, `renewOffer`. Unique in the
    /// service, also in snake_case; `check` refuses descriptions in which two operations would share it.
    pub name: String,
    /// The HTTP method. Where it is GET, HEAD is served too.
    pub method: &'static str,
    /// What it does.
    pub role: OperationRole,
    /// For documentation: the description of the command, otherwise that of the resource.
    pub description: Option<&'a str>,
    /// Who may call it.
    pub access: AccessRule,
    /// The versions that it is served in, the preferred first: `Accept` and `Content-Type` choose (§9). Empty for
    /// paths of the service itself.
    pub versions: Vec<Version>,
    /// The versions that were served once: a request for one is 410 `VersionRetired`.
    pub retired: Vec<Version>,
    /// The parameters of the query string, in the order in which they are suggested. Others are 422.
    pub query: Vec<QueryParameter<'a>>,
    /// The request headers that matter here.
    pub headers: Vec<RequestHeader>,
    /// The body of a request, once for each version; empty without a body. It may be omitted unless
    /// [`requires_body`](Self::requires_body).
    pub request: Vec<BodyContent>,
    /// Every response, sorted: successes by status, then errors by status. No status appears twice.
    pub responses: Vec<HttpResponse>,
    /// The success of a command that is announced, once it is ready: no response has it before.
    pub success_to_come: Option<HttpResponse>,
    /// Whether it is done after its 202 response (§4.8).
    pub is_async: bool,
    /// False: announced, and every valid request is 501 `NotReady`.
    pub is_ready: bool,
    /// The announcement that it goes away, with its resource or command.
    pub deprecation: Option<Deprecation>,
}

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationRole {
    /// An action on a resource.
    Action(Action),
    /// GET of a path of the service itself.
    System(SystemEndpoint),
}

/// Who may call an operation (§5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessRule {
    /// A caller who matches any of these has access. An owner has access to their own entities: of a list, an owner
    /// gets these.
    pub any_of: Vec<Access>,
    /// A request without credentials is 401. Bad credentials are 401 in any case.
    pub requires_credentials: bool,
    /// Whether an authenticated caller may be refused: 403.
    pub can_be_forbidden: bool,
}

/// A body in one media type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyContent {
    /// The version that the media type stands for; `None` outside the conventions.
    pub version: Option<Version>,
    /// As in `Content-Type`.
    pub media_type: String,
    /// What the body holds; `None` for text and event streams.
    pub schema: Option<SchemaKey>,
}

impl BodyContent {
    pub(super) fn of(service: &Checked, version: Version, schema: SchemaKey) -> Self {
        Self { version: Some(version), media_type: version.media_type(&service.vendor), schema: Some(schema) }
    }

    pub(super) fn errors(service: &Checked, version: Version) -> Self {
        Self::of(service, version, SchemaKey::Errors)
    }
}

/// An action at an endpoint. The other modules add their part of the operation to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call<'a> {
    pub(super) service: &'a Checked,
    /// The resource's index in the service.
    pub(super) index: usize,
    pub(super) resource: &'a Resource,
    pub(super) target: Target,
    pub(super) action: Action,
    /// Which words of the path are former names.
    pub(super) former: FormerWords,
    /// Whether others may hold an entity, so that it cannot be deleted.
    pub(super) is_held: bool,
}

impl<'a> Call<'a> {
    pub(super) fn of(service: &'a Checked, endpoint: &Endpoint, action: Action, is_held: bool) -> Self {
        let &Endpoint { resource: index, target, former, .. } = endpoint;
        Self { service, index, resource: &service.resources[index], target, action, former, is_held }
    }

    pub(super) fn operation(&self) -> HttpOperation<'a> {
        let of_command = self.command().and_then(|command| command.description.as_deref());
        let OperationHead { method, action, access, headers, is_async, deprecation } = self.head();
        let query = self.query();
        let responses = self.responses(&query, &self.request_schemas());
        HttpOperation {
            id: self.id(),
            name: self.name(),
            method,
            role: OperationRole::Action(action),
            description: of_command.or(self.resource.description.as_deref()),
            access,
            versions: self.resource.versions_by_preference(),
            retired: self.resource.retired.clone(),
            success_to_come: self.success_to_come(&query),
            query,
            headers,
            request: self.request(),
            responses,
            is_async,
            is_ready: self.is_ready(),
            deprecation,
        }
    }

    /// The view that the path is one of.
    pub(super) fn view_index(&self) -> Option<usize> {
        match self.target {
            Target::Collection { view } | Target::Entity { view } => view,
            Target::Scoped { .. }
            | Target::Searches
            | Target::Search
            | Target::Commands { .. }
            | Target::Command { .. } => None,
        }
    }

    pub(super) fn view(&self) -> Option<&'a View> {
        self.view_index().and_then(|view| self.resource.views.get(view))
    }

    /// The reference field that the path of a scoped collection sets.
    pub(super) fn scope(&self) -> Option<usize> {
        match self.target {
            Target::Scoped { field } => Some(field),
            Target::Collection { .. }
            | Target::Entity { .. }
            | Target::Searches
            | Target::Search
            | Target::Commands { .. }
            | Target::Command { .. } => None,
        }
    }

    pub(super) fn command(&self) -> Option<&'a Command> {
        match self.action {
            Action::PutCommand(command) | Action::GetCommand(command) | Action::ListCommands(command) => {
                Some(&self.resource.commands[command])
            }
            Action::Operation(_) | Action::CreateSearch | Action::GetSearch => None,
        }
    }

    /// Whether the command can be sent.
    pub(super) fn is_ready(&self) -> bool {
        self.command().is_none_or(|command| command.ready)
    }

    pub(super) fn kind(&self) -> Option<OperationKind> {
        match self.action {
            Action::Operation(kind) => Some(kind),
            Action::CreateSearch
            | Action::GetSearch
            | Action::PutCommand(_)
            | Action::GetCommand(_)
            | Action::ListCommands(_) => None,
        }
    }

    /// The operation of the model.
    fn definition(&self) -> Option<&'a Operation> {
        let kind = self.kind()?;
        match self.view() {
            Some(view) => view.operations.iter().find(|operation| operation.kind == kind),
            None => self.resource.operation(kind),
        }
    }

    pub(super) fn is_async(&self) -> bool {
        self.definition().is_some_and(|operation| operation.is_async)
    }

    pub(super) fn representation(&self, version: Version) -> Representation {
        Representation { resource: self.index, view: self.view_index(), version }
    }

    /// Whether `Accept` or `Content-Type` chooses a version. A DELETE ignores both.
    pub(super) fn negotiates(&self) -> bool {
        self.action.requires_accept() || self.action.has_body()
    }

    pub(super) fn deprecation(&self) -> Option<Deprecation> {
        let notices = &self.resource.notices;
        let counts = matches!(self.action, Action::Operation(OperationKind::List) | Action::ListCommands(_));
        let searches = matches!(self.action, Action::CreateSearch | Action::GetSearch);
        let scope = self.scope().and_then(|field| self.resource.fields.get(field));
        let parts = [
            self.former_names(),
            self.command().and_then(Command::deprecation),
            self.view().and_then(|view| view.notice),
            self.definition().and_then(|operation| operation.notice),
            scope.and_then(|field| notices.under.get(&field.name).copied()),
            notices.count.filter(|_| counts),
            notices.search.filter(|_| searches),
        ];
        parts.into_iter().fold(self.resource.deprecation(), Deprecation::together)
    }

    /// The announcement that the path goes away, whose words are former names.
    fn former_names(&self) -> Option<Deprecation> {
        let notice = |is_used: bool, former: Option<&Formerly>| former.filter(|_| is_used).map(Formerly::deprecation);
        let parts = [
            notice(self.former.resource, self.resource.formerly.as_ref()),
            notice(self.former.parent, self.parent().and_then(|parent| parent.formerly.as_ref())),
            notice(self.former.view, self.view().and_then(|view| view.formerly.as_ref())),
            notice(self.former.command, self.command().and_then(|command| command.formerly.as_ref())),
        ];
        parts.into_iter().fold(None, Deprecation::together)
    }

    /// The resource whose entity is the parent of a scoped collection.
    fn parent(&self) -> Option<&'a Resource> {
        match &self.resource.fields.get(self.scope()?)?.ty {
            Type::Ref { to, .. } => self.service.resource(to),
            _ => None,
        }
    }

    pub(super) fn access(&self) -> AccessRule {
        let any_of = match (self.action, self.command(), self.definition()) {
            (Action::CreateSearch | Action::GetSearch, _, _) => self.resource.search_access(),
            (_, Some(command), _) => command.access.clone(),
            (_, None, Some(operation)) => operation.access.clone(),
            (_, None, None) => Vec::new(),
        };
        let word = self.resource.plural_of(self.former.resource);
        let path = |view: &View| view.path_of(self.former.view, &self.resource.plural, &word);
        let is_closed = self.view().is_some_and(|view| view.requires_credentials_at(&path(view)));
        AccessRule {
            requires_credentials: is_closed || !any_of.iter().any(is_open_to_all),
            can_be_forbidden: self.can_be_forbidden(&any_of),
            any_of,
        }
    }

    /// Whether an authenticated caller may be refused (decisions, "Views and owners").
    fn can_be_forbidden(&self, any_of: &[Access]) -> bool {
        let is_of_one = !matches!(
            self.target,
            Target::Collection { .. } | Target::Scoped { .. } | Target::Searches | Target::Search
        );
        let is_disclosed = self.resource.disclose && is_of_one;
        if is_disclosed || self.parent().is_some_and(|parent| parent.disclose) {
            return true;
        }
        // some of its fields may not be changed
        let sets_fields = matches!(
            self.action,
            Action::Operation(OperationKind::Create | OperationKind::Update | OperationKind::Patch)
        );
        if sets_fields && self.resource.fields.iter().any(Field::is_guarded) {
            return true;
        }
        if any_of.contains(&Access::Anyone) {
            return false;
        }
        let has_condition = any_of.iter().any(|access| access.condition().is_some());
        let (user, owner) = (any_of.contains(&Access::User), any_of.contains(&Access::Owner));
        match self.action {
            // a caller who was not admitted by a scope may not name another owner
            Action::Operation(OperationKind::Create) => has_condition || self.names_owner() || !(user || owner),
            // an owner's list holds their own entities; under another user's path there are none
            Action::Operation(OperationKind::List) => !user && !has_condition && (!owner || self.is_scoped_by_owner()),
            Action::CreateSearch | Action::GetSearch => !user && !owner && !has_condition,
            Action::Operation(
                OperationKind::Get | OperationKind::Update | OperationKind::Patch | OperationKind::Delete,
            )
            | Action::PutCommand(_)
            | Action::GetCommand(_)
            | Action::ListCommands(_) => !user,
        }
    }

    /// Whether a creation can name an owner, in its body or its path: one that only the service sets is ignored.
    fn names_owner(&self) -> bool {
        let owner = self.resource.owner.as_deref().and_then(|name| self.resource.field(name));
        owner.is_some_and(|field| !field.read_only) || self.is_scoped_by_owner()
    }

    fn is_scoped_by_owner(&self) -> bool {
        let field = self.scope().and_then(|field| self.resource.fields.get(field));
        field.is_some_and(|field| self.resource.owner.as_deref() == Some(field.name.as_str()))
    }

    /// Whether a request without a body is refused: a command without required input needs none.
    pub(super) fn requires_body(&self) -> bool {
        match self.action {
            Action::PutCommand(command) => {
                let mut input = self.resource.commands[command].input.iter();
                input.any(|field| values::must_be_given(field, Reading::Create))
            }
            action => action.has_body(),
        }
    }

    pub(super) fn request(&self) -> Vec<BodyContent> {
        let schema = |version| {
            let representation = self.representation(version);
            Some(match self.action {
                Action::Operation(OperationKind::Create) => SchemaKey::Creation { representation, scope: self.scope() },
                Action::Operation(OperationKind::Update) => SchemaKey::Replacement(representation),
                Action::Operation(OperationKind::Patch) => SchemaKey::Patch,
                Action::CreateSearch => SchemaKey::Criteria { resource: self.index, version },
                Action::PutCommand(command) => SchemaKey::CommandInput { resource: self.index, command },
                Action::Operation(OperationKind::List | OperationKind::Get | OperationKind::Delete)
                | Action::GetSearch
                | Action::GetCommand(_)
                | Action::ListCommands(_) => return None,
            })
        };
        self.contents(schema)
    }

    /// The body of a success, once for each version.
    pub(super) fn result(&self) -> Vec<BodyContent> {
        let schema = |version| {
            let representation = self.representation(version);
            Some(match self.action {
                Action::Operation(OperationKind::List) if self.former.resource => {
                    SchemaKey::FormerCollection(representation)
                }
                Action::Operation(OperationKind::List) => SchemaKey::Collection(representation),
                Action::Operation(
                    OperationKind::Create | OperationKind::Get | OperationKind::Update | OperationKind::Patch,
                ) => SchemaKey::Entity(representation),
                Action::CreateSearch | Action::GetSearch => SchemaKey::Search { resource: self.index, version },
                Action::PutCommand(command) | Action::GetCommand(command) => {
                    SchemaKey::Command { resource: self.index, command }
                }
                Action::ListCommands(command) if self.former.command => {
                    SchemaKey::FormerCommandCollection { resource: self.index, command }
                }
                Action::ListCommands(command) => SchemaKey::CommandCollection { resource: self.index, command },
                Action::Operation(OperationKind::Delete) => return None,
            })
        };
        self.contents(schema)
    }

    fn contents(&self, schema: impl Fn(Version) -> Option<SchemaKey>) -> Vec<BodyContent> {
        let versions = self.resource.versions_by_preference().into_iter();
        versions.filter_map(|version| Some(BodyContent::of(self.service, version, schema(version)?))).collect()
    }

    /// The bodies of errors: in the version that was negotiated, and in the public one before that (decisions,
    /// "Errors").
    pub(super) fn errors(&self) -> Vec<BodyContent> {
        let mut versions = vec![Version::PUBLIC];
        if self.negotiates() {
            let others = self.resource.versions_by_preference().into_iter();
            versions.extend(others.filter(|version| *version != Version::PUBLIC));
        }
        versions.into_iter().map(|version| BodyContent::errors(self.service, version)).collect()
    }

    fn id(&self) -> String {
        let name = self.resource.label_of(self.former.resource);
        let scope = self.scope().and_then(|field| self.resource.fields.get(field));
        let command = |index: usize| self.resource.commands[index].name_of(self.former.command);
        let parent = self.parent().filter(|_| self.former.parent);
        let parent = parent.map(|parent| format!("Of{}", parent.label_of(true))).unwrap_or_default();
        match (self.action, self.view(), scope) {
            (Action::CreateSearch, ..) => format!("{name}.createSearch"),
            (Action::GetSearch, ..) => format!("{name}.getSearch"),
            (Action::PutCommand(index), ..) => format!("{name}.{}.submit", command(index)),
            (Action::GetCommand(index), ..) => format!("{name}.{}.status", command(index)),
            (Action::ListCommands(index), ..) => format!("{name}.{}.list", command(index)),
            (Action::Operation(kind), Some(view), _) => {
                format!("{name}.{}.{}", view.label_of(self.former.view), kind.word())
            }
            (Action::Operation(kind), None, Some(field)) => {
                format!("{name}.{}Under{}{parent}", kind.word(), names::pascal(&field.name))
            }
            (Action::Operation(kind), None, None) => format!("{name}.{}", kind.word()),
        }
    }

    /// The name of a function that calls it.
    pub(super) fn name(&self) -> String {
        let one = self.resource.label_of(self.former.resource);
        let view = self.view().map(|view| names::pascal(&view.label_of(self.former.view))).unwrap_or_default();
        let prefix = self.parent().map_or(view, |parent| parent.label_of(self.former.parent));
        let command = |index: usize| self.resource.commands[index].name_of(self.former.command);
        match self.action {
            Action::CreateSearch => format!("create{one}Search"),
            Action::GetSearch => format!("get{one}Search"),
            Action::PutCommand(index) => format!("{}{one}", names::camel(command(index))),
            Action::GetCommand(index) => format!("get{}{one}", names::pascal(command(index))),
            Action::ListCommands(index) => format!("list{}{one}Commands", names::pascal(command(index))),
            Action::Operation(OperationKind::List) => {
                format!("list{prefix}{}", names::pascal(&self.resource.plural_of(self.former.resource)))
            }
            Action::Operation(kind) => format!("{}{prefix}{one}", kind.word()),
        }
    }

    /// Its responses, with this query string and these bodies of requests.
    fn responses(&self, query: &[QueryParameter<'_>], bodies: &[ValueType<'_>]) -> Vec<HttpResponse> {
        let deprecates = self.uses_deprecated(query, bodies);
        let mut responses = self.successes(deprecates);
        let errors = self.errors();
        let failures = codes::by_status(self.codes(bodies));
        responses.extend(
            failures.map(|(status, codes)| HttpResponse::error(status, codes, errors.clone(), true, deprecates)),
        );
        responses
    }
}

/// Whether callers without credentials may have access: a condition on the entity may hold for them.
fn is_open_to_all(access: &Access) -> bool {
    match access {
        Access::Anyone | Access::When(_) | Access::Named(_) => true,
        Access::User | Access::Owner | Access::Scope(_) | Access::Role(_) => false,
    }
}
