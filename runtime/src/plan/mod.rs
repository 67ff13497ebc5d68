//! The model, compiled at start: what serving needs per resource, version and view, so that a request looks nothing
//! up by name but its own path.

pub(crate) mod bind;
pub(crate) mod cell;
pub(crate) mod columns;
pub(crate) mod command;
pub(crate) mod command_list;
pub(crate) mod computed;
pub(crate) mod conditions;
pub(crate) mod criteria;
mod elements;
mod endpoint;
mod evaluate;
pub(crate) mod events;
pub(crate) mod exact_digits;
pub(crate) mod exact_json;
pub(crate) mod field_access;
pub(crate) mod form;
mod index;
mod indexed_parts;
mod items;
pub(crate) mod lifecycle;
pub(crate) mod list_parameters;
pub(crate) mod permission;
pub(crate) mod predicate;
pub(crate) mod query;
pub(crate) mod render;
pub(crate) mod repository;
mod router;
pub(crate) mod rules;
pub(crate) mod secret;
mod shown;
pub(crate) mod statements;
pub(crate) mod stored;
pub(crate) mod stored_names;
mod view;
pub(crate) mod viewer;
pub(crate) mod visible;

pub(crate) use endpoint::{BodyNeed, EndpointPlan, Needs, OperationPlan};
pub(crate) use index::{
    ColumnIndex, CommandIndex, IndexedBy, RepresentationId, ResourceIndex, VersionIndex, ViewIndex,
};
pub(crate) use router::{RouteMatch, Router};
pub(crate) use view::{Representation, ViewPlan};

use crate::auth::caller::Caller;
use crate::clock::Clock;
use cell::Cell;
use command::CommandPlan;
use command_list::CommandListPlan;
use computed::ComputedPlan;
use conditions::ConditionTables;
use events::EventsPlan;
use field_access::FieldsPlan;
use form::Form;
use http::HeaderValue;
use lifecycle::LifecyclePlan;
use render::Render;
use repository::RepositoryPlan;
use restwell_model::input::Criteria;
use restwell_model::routes::{self, Action};
use restwell_model::tables::{Content, Dialect, Foreign, Table};
use restwell_model::{Access, Checked, Field, OnDelete, OperationKind, Resource, Type, Version};
use rules::{DefaultPlan, RulesPlan};
use secret::Secrets;
use statements::RowStatements;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use stored_names::StoredNames;
use uuid::Uuid;
use view::ResourceSource;
use visible::{ReadersPlan, VisiblePlan};

/// A service, ready to serve.
#[derive(Debug)]
pub(crate) struct Plans {
    /// The model that it was compiled from.
    pub(crate) service: Checked,
    /// In the service's order.
    pub(crate) resources: Vec<ResourcePlan>,
    /// Path → endpoint.
    pub(crate) router: Router,
    /// What conditions become SQL with.
    pub(crate) conditions: ConditionTables,
    /// How lists of commands are read.
    pub(crate) command_list: CommandListPlan,
    /// The media type of answers that no version was negotiated for.
    pub(crate) public: HeaderValue,
}

/// A resource, ready to serve.
#[derive(Debug)]
pub(crate) struct ResourcePlan {
    /// As in the model.
    pub(crate) name: String,
    /// What its events are called.
    pub(crate) events: EventsPlan,
    /// What it may be called in the database.
    pub(crate) stored_names: StoredNames,
    /// `/offers`.
    pub(crate) path: String,
    /// The resource itself, then its views.
    pub(crate) views: Vec<ViewPlan>,
    /// Per field: the resource that it refers to, and its column, where it makes a scoped collection.
    scopes: HashMap<usize, Scope>,
    /// Whether collections have a `count`.
    pub(crate) count: bool,
    /// What the store holds.
    pub(crate) table: Table,
    /// How its fields are written, in the model's order.
    pub(crate) forms: Vec<Form>,
    /// Which of them are secrets.
    pub(crate) secrets: Secrets,
    /// The column that names the owner; `id` for the users themselves.
    pub(crate) owner: Option<Owner>,
    /// The reference to the owner, where each entity has one and only the token can give it.
    pub(crate) owner_from_token: Option<String>,
    /// Answered 410.
    pub(crate) retired: Vec<HeaderValue>,
    /// What every write has to keep.
    pub(crate) rules: RulesPlan,
    /// The defaults that are computed.
    pub(crate) defaults: Vec<DefaultPlan>,
    /// The fields that are computed.
    pub(crate) computed: Vec<ComputedPlan>,
    /// The time of computed fields.
    clock: Clock,
    /// The states of an entity.
    pub(crate) lifecycle: Option<LifecyclePlan>,
    /// In the model's order.
    pub(crate) commands: Vec<CommandPlan>,
    /// Per version, the preferred first: what searches are made of; nothing where there are none.
    searches: Vec<Criteria>,
    /// As the service's own code sees it.
    pub(crate) repository: RepositoryPlan,
    /// Statements of every write.
    pub(crate) statements: RowStatements,
    /// Who sees its entities, if not every caller does.
    pub(crate) visible: Option<VisiblePlan>,
    /// Who may read its entities and commands, and so hears of them.
    pub(crate) readers: ReadersPlan,
    /// Who sees and may change its fields, where not every caller does.
    pub(crate) fields: FieldsPlan,
    /// What requests may come across that not every caller sees all of.
    pub(crate) touched: Vec<ResourceIndex>,
}

/// A scoped collection's parent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scope {
    /// The reference field.
    pub(crate) field: String,
    /// Its column.
    pub(crate) column: ColumnIndex,
    /// The parent's resource.
    pub(crate) parent: ResourceIndex,
}

/// Who an entity belongs to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Owner {
    /// The column with the owner's id.
    pub(crate) column: ColumnIndex,
    /// The reference field; `None` where the entity is the owner.
    pub(crate) field: Option<String>,
    /// A creation takes it from the token where the body omits it: nothing else gives it a value.
    pub(crate) is_from_token: bool,
}

impl Plans {
    /// Compiles a service, for a database, with the system's clock.
    pub(crate) fn compile(service: Checked, dialect: Dialect) -> Self {
        Self::with_clock(service, dialect, &Clock::system())
    }

    /// The same, with another clock.
    pub(crate) fn with_clock(service: Checked, dialect: Dialect, clock: &Clock) -> Self {
        let tables: HashMap<_, _> =
            service.resources.iter().map(|r| (r.name.clone(), Table::in_database(&service, r, dialect))).collect();
        let source = |resource| ResourceSource { service: &service, dialect, tables: &tables, resource, clock };
        let resources: Vec<_> =
            service.resources.iter().map(|resource| ResourcePlan::compile(source(resource))).collect();
        let endpoints = routes::endpoints(&service);
        let endpoints = endpoints.iter().map(|endpoint| EndpointPlan::compile(endpoint, &service, &resources));
        let router = Router::new(endpoints.collect());
        let public = media_type(Version::PUBLIC, &service.vendor);
        let conditions = ConditionTables { dialect, tables };
        Self { resources, router, conditions, command_list: CommandListPlan::compile(), public, service }
    }

    /// The resources whose entities a deletion may take along, or take a reference from, down the cascade (`onDelete`):
    /// the resource itself only if its entities refer to each other.
    pub(crate) fn changed_by_deletion(&self, resource: ResourceIndex) -> BTreeSet<ResourceIndex> {
        let mut changed = BTreeSet::new();
        let mut rest = vec![resource];
        while let Some(resource) = rest.pop() {
            let name = &self.resources[resource].name;
            let refers = |plan: &ResourcePlan| {
                let columns = plan.table.columns.iter().filter_map(|column| column.references.as_ref());
                let mut all = columns.chain(plan.table.links.iter().map(|link| &link.references));
                all.any(|foreign: &Foreign| foreign.resource == *name && foreign.on_delete != OnDelete::Restrict)
            };
            let referring = self.resources.indexed().filter(|(_, plan)| refers(plan)).map(|(other, _)| other);
            rest.extend(referring.filter(|other| changed.insert(*other)));
        }
        changed
    }

    /// What references show in a response of the service's own code that is of this type, and the resources of which
    /// not every caller sees all of it; `None`: nothing.
    pub(crate) fn shown_in_body(&self, of: &str) -> Option<(Arc<Render>, Vec<ResourceIndex>)> {
        let (service, ConditionTables { dialect, tables }) = (&self.service, &self.conditions);
        let resource = service.resources.iter().find(|resource| resource.name == of);
        let object = service.objects.iter().find(|object| object.name == of);
        let version = resource.and_then(|resource| resource.versions_by_preference().first().copied());
        let fields = resource.map(|it| &it.fields).or(object.map(|it| &it.fields))?;
        let has = |field: &Field| version.is_none_or(|version| field.is_in(version, None));
        // any resource will do: what is looked up is of others
        let (plan, resource) = (self.resources.first()?, service.resources.first()?);
        let source = ResourceSource { service, dialect: *dialect, tables, resource, clock: &plan.clock };
        let shown = Render::of_body(source, fields, &has)?;
        Some((Arc::new(shown), visible::referred_by(service, fields)))
    }

    /// The resource of this name.
    pub(crate) fn resource(&self, name: &str) -> Option<(ResourceIndex, &ResourcePlan)> {
        self.resources.indexed().find(|(_, plan)| plan.name == name)
    }

    /// The resource that something stored names.
    pub(crate) fn stored_resource(&self, name: &str) -> Option<(ResourceIndex, &ResourcePlan)> {
        self.resources.indexed().find(|(_, plan)| plan.stored_names.contains(name))
    }

    /// A resource in one view and version.
    pub(crate) fn representation(&self, at: RepresentationId) -> &Representation {
        self.resources[at.resource].representation(at)
    }

    /// The paths of the collections that anyone may list: something to try first.
    pub(crate) fn open_lists(&self) -> impl Iterator<Item = &str> {
        let is_open = |operation: &OperationPlan| {
            operation.action == Action::Operation(OperationKind::List)
                && operation.view == ViewIndex::RESOURCE
                && operation.scope.is_none()
                && operation.access.contains(&Access::Anyone)
        };
        let endpoints =
            self.router.endpoints().iter().filter(move |endpoint| endpoint.operations().iter().any(is_open));
        endpoints.map(|endpoint| endpoint.pattern.as_str())
    }

    /// Whether anything happens by the clock.
    pub(crate) fn has_clock_transitions(&self) -> bool {
        self.resources.iter().filter_map(|plan| plan.lifecycle.as_ref()).any(|it| !it.by_clock.is_empty())
    }

    /// Whether commands are done by transitions alone.
    pub(crate) fn has_transitions(&self) -> bool {
        self.resources.iter().flat_map(|plan| &plan.commands).any(CommandPlan::is_done_by_transition)
    }

    /// Whether anything is done after its response.
    pub(crate) fn has_async(&self) -> bool {
        self.router.endpoints().iter().flat_map(EndpointPlan::operations).any(|operation| operation.is_async)
    }
}

impl ResourcePlan {
    fn compile(source: ResourceSource<'_>) -> Self {
        let ResourceSource { service, resource, .. } = source;
        let table = source.table().clone();
        let views = std::iter::once(None).chain(resource.views.iter().map(Some));
        let command =
            |it| CommandPlan::compile(service, resource, it).showing(Render::of_body(source, &it.output, &|_| true));
        Self {
            name: resource.name.clone(),
            events: EventsPlan::compile(resource),
            stored_names: StoredNames::new([false, true].map(|is_former| resource.name_of(is_former))),
            path: resource.path(),
            views: views.map(|view| ViewPlan::compile(source, view)).collect(),
            scopes: scopes(service, resource, &table),
            count: resource.count,
            forms: resource.fields.iter().map(|field| Form::of(service, &field.ty)).collect(),
            secrets: Secrets::compile(service, &resource.fields),
            owner: owner(service, resource, &table),
            owner_from_token: resource
                .fields
                .iter()
                .find(|field| resource.needs_caller(field))
                .map(|it| it.name.clone()),
            retired: resource.retired.iter().map(|version| media_type(*version, &service.vendor)).collect(),
            rules: RulesPlan::compile(service, resource),
            defaults: rules::defaults(service, resource),
            computed: computed::compile(service, resource),
            clock: source.clock.clone(),
            lifecycle: LifecyclePlan::compile(service, resource, &table),
            commands: resource.commands.iter().map(command).collect(),
            searches: searches(service, resource),
            repository: RepositoryPlan::compile(service, resource, &table),
            statements: RowStatements::compile(&table),
            visible: VisiblePlan::compile(service, resource),
            readers: ReadersPlan::compile(service, resource),
            fields: FieldsPlan::compile(service, resource, &table),
            touched: visible::touched(service, resource, &table),
            table,
        }
    }

    /// The view at an index.
    pub(crate) fn view(&self, view: ViewIndex) -> &ViewPlan {
        &self.views[view]
    }

    /// One of its representations.
    pub(crate) fn representation(&self, at: RepresentationId) -> &Representation {
        self.view(at.view).in_version(at.version)
    }

    /// The view at a path of a collection, not the resource itself.
    pub(crate) fn view_at(&self, path: &str) -> Option<ViewIndex> {
        let mut views = self.views.indexed().skip(1);
        views.find(|(_, view)| view.path == path).map(|(index, _)| index)
    }

    /// The column of the array that a link's path goes through, and the rest of the path inside its items.
    pub(crate) fn array_of<'a>(&self, path: &'a [String]) -> Option<(ColumnIndex, &'a [String])> {
        let (mut slots, mut rest) = (&self.table.slots, path);
        loop {
            let (name, inner) = rest.split_first()?;
            let slot = slots.iter().find(|slot| slot.name == *name)?;
            match &slot.content {
                Content::Object { slots: nested, .. } => (slots, rest) = (nested, inner),
                _ => return Some((slot.columns.start.into(), inner)),
            }
        }
    }

    /// Whom conditions are evaluated for; nobody where there are none.
    pub(crate) fn author(&self, caller: Option<&Caller>) -> Option<Arc<Caller>> {
        caller.filter(|_| !self.rules.is_empty() || !self.fields.is_empty()).map(|caller| Arc::new(caller.clone()))
    }

    /// The owner of a row.
    pub(crate) fn owner_of(&self, row: &[Cell]) -> Option<Uuid> {
        self.owner.as_ref().and_then(|owner| row.get(owner.column.position())?.uuid())
    }

    /// The scope that a reference field makes.
    pub(crate) fn scope(&self, field: usize) -> Option<&Scope> {
        self.scopes.get(&field)
    }

    /// What the searches of a version are made of.
    pub(crate) fn search(&self, version: VersionIndex) -> Option<&Criteria> {
        self.searches.get(version.position())
    }
}

fn owner(service: &Checked, resource: &Resource, table: &Table) -> Option<Owner> {
    match resource.owner_field() {
        Some(name) => {
            let is_from_token = resource.field(name).is_some_and(|field| field.default_is.is_none());
            let column = table.slot(name)?.columns.start.into();
            Some(Owner { column, field: Some(name.to_owned()), is_from_token })
        }
        None if service.users.as_ref() == Some(&resource.name) => {
            Some(Owner { column: ColumnIndex::ID, field: None, is_from_token: false })
        }
        None => None,
    }
}

fn scopes(service: &Checked, resource: &Resource, table: &Table) -> HashMap<usize, Scope> {
    let fields = resource.fields.iter().enumerate().filter(|(_, field)| resource.under.contains(&field.name));
    let scope = |(index, field): (usize, &Field)| {
        let Type::Ref { to, .. } = &field.ty else { return None };
        let parent = ResourceIndex::of(service, to)?;
        let column = table.slots[index].columns.start.into();
        Some((index, Scope { field: field.name.clone(), column, parent }))
    };
    fields.filter_map(scope).collect()
}

/// Per version what searches are made of.
fn searches(service: &Checked, resource: &Resource) -> Vec<Criteria> {
    let versions = resource.versions_by_preference().into_iter();
    versions.filter_map(|version| Criteria::of_searches(service, resource, version)).collect()
}

fn media_type(version: Version, vendor: &str) -> HeaderValue {
    // the vendor's word is letters, digits, dots and dashes: `check` holds that
    HeaderValue::try_from(version.media_type(vendor)).unwrap_or(HeaderValue::from_static("application/json"))
}
