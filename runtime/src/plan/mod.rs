//! The model, compiled at start: what serving needs per resource, version and view, so that a request looks nothing
//! up by name but its own path.

pub(crate) mod bind;
pub(crate) mod cell;
pub(crate) mod command;
pub(crate) mod criteria;
mod elements;
pub(crate) mod form;
mod items;
pub(crate) mod parameters;
pub(crate) mod query;
pub(crate) mod render;
pub(crate) mod repository;
mod router;
pub(crate) mod secret;
pub(crate) mod stored;

pub(crate) use router::{RouteMatch, Router};

use cell::Cell;
use command::CommandPlan;
use criteria::Searchable;
use form::Form;
use http::HeaderValue;
use parameters::Parameters;
use render::Render;
use repository::RepositoryPlan;
use restwell_model::input::{Criteria, Shape};
use restwell_model::routes::{self, Endpoint};
use restwell_model::tables::{self, Content, Dialect, Table};
use restwell_model::{
    Access, Checked, Deprecation, Field, Operation, OperationKind, Resource, Type, Version, View, names,
};
use secret::Secrets;
use std::collections::HashMap;
use uuid::Uuid;

pub(crate) use restwell_model::routes::allowed;

/// A service, ready to serve.
#[derive(Debug)]
pub(crate) struct Plans {
    /// What it was compiled from.
    pub(crate) service: Checked,
    /// In the service's order.
    pub(crate) resources: Vec<ResourcePlan>,
    /// Path → endpoint.
    pub(crate) router: Router,
    /// The media type of answers that no version was negotiated for.
    pub(crate) public: HeaderValue,
}

/// A resource, ready to serve.
#[derive(Debug)]
pub(crate) struct ResourcePlan {
    /// As in the model.
    pub(crate) name: String,
    /// `offer`: the word in its events' types.
    pub(crate) singular: String,
    /// `/offers`.
    pub(crate) path: String,
    /// Per view: its path, and whether it shows single entities.
    views: Vec<(String, bool)>,
    /// Per field: the resource that it refers to, and its column, where it makes a scoped collection.
    scopes: HashMap<usize, Scope>,
    /// The array's name in collections.
    pub(crate) collection: String,
    /// Whether collections tell how many entities match.
    pub(crate) count: bool,
    /// What the store holds.
    pub(crate) table: Table,
    /// How its fields are written, in the model's order.
    pub(crate) forms: Vec<Form>,
    /// Whether it is going away.
    pub(crate) deprecation: Option<Deprecation>,
    /// Which of them are secrets.
    pub(crate) secrets: Secrets,
    /// The column that names the owner; `id` for the users themselves.
    pub(crate) owner: Option<Owner>,
    /// Answered 410.
    pub(crate) retired: Vec<HeaderValue>,
    /// Per view, the resource itself first: per version, the preferred first.
    representations: Vec<Vec<Representation>>,
    /// Per view, the resource itself first.
    access: Vec<HashMap<OperationKind, Vec<Access>>>,
    /// Per view, the resource itself first: what is answered 202.
    asynchronous: Vec<Vec<OperationKind>>,
    /// In the model's order.
    pub(crate) commands: Vec<CommandPlan>,
    /// Per view: the SQL of the ids that a caller's entities of another resource point at.
    through: Vec<Option<String>>,
    /// Per view: whether it needs credentials, whatever its operations say (§5).
    closed: Vec<bool>,
    /// Per version, the preferred first: what searches are made of; nothing where there are none.
    searches: Vec<Criteria>,
    /// Who may search: whoever may list, here or in a view.
    search_access: Vec<Access>,
    /// `/offer-searches`.
    pub(crate) search_path: String,
    /// As the service's own code sees it.
    pub(crate) own: RepositoryPlan,
    /// Statements of every write.
    pub(crate) statements: SelectStatements,
}

/// A scoped collection's parent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scope {
    /// The reference field.
    pub(crate) field: String,
    /// Its column.
    pub(crate) column: usize,
    /// The parent's resource, as an index into the service's.
    pub(crate) parent: usize,
}

/// Who an entity belongs to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Owner {
    /// The column with the owner's id.
    pub(crate) column: usize,
    /// The reference field; `None` where the entity is the owner.
    pub(crate) field: Option<String>,
}

/// A resource in one version and view.
#[derive(Debug)]
pub(crate) struct Representation {
    /// As in the model.
    pub(crate) version: Version,
    /// As it stands in `Content-Type`.
    pub(crate) media_type: HeaderValue,
    /// How bodies are read.
    pub(crate) shape: Shape,
    /// How rows are written.
    pub(crate) render: Render,
    /// What collections can be asked for.
    pub(crate) parameters: Parameters,
    /// What collections can be searched by, where they can.
    pub(crate) searchable: Option<Searchable>,
    /// One row by id.
    pub(crate) select_one: String,
    /// Whether the select reaches into other tables.
    pub(crate) is_joined: bool,
}

/// The SQL of writes and of what they look at, all columns in the table's order.
#[derive(Debug)]
pub(crate) struct SelectStatements {
    /// A row's cells by id.
    pub(crate) row: String,
    /// All cells.
    pub(crate) insert: String,
    /// All cells, the id first; it names the row.
    pub(crate) update: String,
    /// By id.
    pub(crate) delete: String,
}

impl Plans {
    /// Compiles a service, for a database.
    pub(crate) fn compile(service: Checked, dialect: Dialect) -> Self {
        let tables: HashMap<_, _> =
            service.resources.iter().map(|r| (r.name.clone(), Table::of(&service, r))).collect();
        let resources =
            service.resources.iter().map(|r| ResourcePlan::compile(&service, dialect, &tables, r)).collect();
        let router = Router::new(routes::endpoints(&service));
        let public = media_type(Version::PUBLIC, &service.vendor);
        Self { resources, router, public, service }
    }

    /// The plan of an endpoint's resource.
    pub(crate) fn resource(&self, endpoint: &Endpoint) -> &ResourcePlan {
        &self.resources[endpoint.resource]
    }
}

impl ResourcePlan {
    fn compile(service: &Checked, dialect: Dialect, tables: &HashMap<String, Table>, resource: &Resource) -> Self {
        let table = tables[&resource.name].clone();
        let views = std::iter::once(None).chain(resource.views.iter().map(Some));
        let operations = std::iter::once(&resource.operations).chain(resource.views.iter().map(|v| &v.operations));
        Self {
            name: resource.name.clone(),
            singular: resource.singular(),
            path: format!("/{}", resource.plural),
            views: resource
                .views
                .iter()
                .map(|v| (v.path.clone(), v.operations.iter().any(|o| o.kind == OperationKind::Get)))
                .collect(),
            scopes: scopes(service, resource, &table),
            collection: resource.collection(),
            count: resource.count,
            forms: resource.fields.iter().map(|field| Form::of(service, &field.ty)).collect(),
            deprecation: Deprecation::of(resource.deprecated, resource.sunset),
            secrets: Secrets::compile(service, &resource.fields),
            owner: owner(service, resource, &table),
            retired: resource.retired.iter().map(|version| media_type(*version, &service.vendor)).collect(),
            representations: views.map(|view| representations(service, dialect, tables, resource, view)).collect(),
            access: operations.clone().map(|list| list.iter().map(|o| (o.kind, o.access.clone())).collect()).collect(),
            through: resource.views.iter().map(|view| through(service, tables, view)).collect(),
            closed: resource.views.iter().map(View::requires_credentials).collect(),
            commands: resource.commands.iter().map(|it| CommandPlan::compile(service, tables, it)).collect(),
            asynchronous: operations.map(|list| asynchronous(list)).collect(),
            searches: searches(service, resource),
            search_access: resource.search_access(),
            search_path: format!("/{}-searches", resource.singular()),
            own: RepositoryPlan::compile(service, resource, &table),
            statements: SelectStatements::compile(&table),
            table,
        }
    }

    /// The representations of the resource itself or of a view, the preferred one first.
    pub(crate) fn representations(&self, view: Option<usize>) -> &[Representation] {
        self.representations.get(view.map_or(0, |view| view + 1)).map_or(&[], Vec::as_slice)
    }

    /// The column of the array that a link's path goes through, and the rest of the path inside its items.
    pub(crate) fn array_of<'a>(&self, path: &'a [String]) -> Option<(usize, &'a [String])> {
        let (mut slots, mut rest) = (&self.table.slots, path);
        loop {
            let (name, inner) = rest.split_first()?;
            let slot = slots.iter().find(|slot| slot.name == *name)?;
            match &slot.content {
                Content::Object { slots: nested, .. } => (slots, rest) = (nested, inner),
                _ => return Some((slot.columns.start, inner)),
            }
        }
    }

    /// Whose a row is.
    pub(crate) fn owner_of(&self, row: &[Cell]) -> Option<Uuid> {
        self.owner.as_ref().and_then(|owner| row.get(owner.column)?.uuid())
    }

    /// Whether anyone may list it: something to try first.
    pub(crate) fn is_open_to_list(&self) -> bool {
        self.access(None, OperationKind::List).contains(&Access::Anyone)
    }

    /// Whether an operation is answered 202 and done later.
    pub(crate) fn is_async(&self, view: Option<usize>, operation: OperationKind) -> bool {
        let operations = self.asynchronous.get(view.map_or(0, |view| view + 1));
        operations.is_some_and(|operations| operations.contains(&operation))
    }

    /// Whether anything of it is done later.
    pub(crate) fn has_async(&self) -> bool {
        self.asynchronous.iter().any(|operations| !operations.is_empty())
    }

    /// The path of a view.
    pub(crate) fn view_path(&self, view: usize) -> &str {
        &self.views[view].0
    }

    /// The view at a path.
    pub(crate) fn view_at(&self, path: &str) -> Option<usize> {
        self.views.iter().position(|(known, _)| known == path)
    }

    /// Where an entity that was created here is found: in the view, if that shows single ones.
    pub(crate) fn entity_path(&self, view: Option<usize>) -> &str {
        let view = view.and_then(|view| self.views.get(view)).filter(|(_, shows_one)| *shows_one);
        view.map_or(&self.path, |(path, _)| path)
    }

    /// The scope that a reference field makes.
    pub(crate) fn scope(&self, field: usize) -> Option<&Scope> {
        self.scopes.get(&field)
    }

    /// The SQL of the ids that a view shows a caller, where it is one through another resource.
    pub(crate) fn through(&self, view: Option<usize>) -> Option<&str> {
        self.through.get(view?)?.as_deref()
    }

    /// Whether a view needs credentials, whatever its operations say.
    pub(crate) fn is_closed(&self, view: Option<usize>) -> bool {
        view.and_then(|view| self.closed.get(view).copied()).unwrap_or_default()
    }

    /// What the searches of a version are made of.
    pub(crate) fn search(&self, version: usize) -> Option<&Criteria> {
        self.searches.get(version)
    }

    /// Who may search.
    pub(crate) fn search_access(&self) -> &[Access] {
        &self.search_access
    }

    /// Who may do this.
    pub(crate) fn access(&self, view: Option<usize>, operation: OperationKind) -> &[Access] {
        let operations = self.access.get(view.map_or(0, |view| view + 1));
        operations.and_then(|operations| operations.get(&operation)).map_or(&[], Vec::as_slice)
    }
}

fn owner(service: &Checked, resource: &Resource, table: &Table) -> Option<Owner> {
    match &resource.owner {
        Some(field) => table.slot(field).map(|slot| Owner { column: slot.columns.start, field: Some(field.clone()) }),
        None if service.users.as_ref() == Some(&resource.name) => Some(Owner { column: tables::ID, field: None }),
        None => None,
    }
}

fn asynchronous(operations: &[Operation]) -> Vec<OperationKind> {
    operations.iter().filter(|operation| operation.is_async).map(|operation| operation.kind).collect()
}

fn scopes(service: &Checked, resource: &Resource, table: &Table) -> HashMap<usize, Scope> {
    let fields = resource.fields.iter().enumerate().filter(|(_, field)| resource.under.contains(&field.name));
    let scope = |(index, field): (usize, &Field)| {
        let Type::Ref { to, .. } = &field.ty else { return None };
        let parent = service.resources.iter().position(|resource| resource.name == *to)?;
        let column = table.slots[index].columns.start;
        Some((index, Scope { field: field.name.clone(), column, parent }))
    };
    fields.filter_map(scope).collect()
}

/// What the caller's own entities of another resource point at.
fn through(service: &Checked, tables: &HashMap<String, Table>, view: &View) -> Option<String> {
    let through = view.through.as_ref()?;
    let (resource, table) = (service.resource(&through.resource)?, tables.get(&through.resource)?);
    let target = table.slot(&through.field)?.columns.start;
    let owner = owner(service, resource, table)?.column;
    let (target, owner) = (&table.columns[target].name, &table.columns[owner].name);
    Some(format!("SELECT \"{target}\" FROM \"{}\" WHERE \"{owner}\" = ?", table.name))
}

fn representations(
    service: &Checked,
    dialect: Dialect,
    tables: &HashMap<String, Table>,
    resource: &Resource,
    view: Option<&View>,
) -> Vec<Representation> {
    let table = &tables[&resource.name];
    let compile = |version: Version| {
        let has = |field: &Field| field.is_in(version, view);
        let render = Render::compile(service, tables, resource, &has);
        Representation {
            version,
            media_type: media_type(version, &service.vendor),
            shape: Shape::compile(service, &resource.fields, &names::COMMON_FIELDS, &has),
            parameters: Parameters::compile(service, resource, table, &has),
            searchable: Criteria::compile(service, resource, &has)
                .map(|criteria| Searchable::new(criteria, table, dialect)),
            select_one: format!(
                "SELECT {} FROM \"{}\" t{} WHERE t.\"id\" = ?1",
                render.columns, table.name, render.joins
            ),
            is_joined: render.reaches_out,
            render,
        }
    };
    resource.versions_by_preference().into_iter().map(compile).collect()
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

impl SelectStatements {
    fn compile(table: &Table) -> Self {
        let name = &table.name;
        let columns: Vec<_> = table.columns.iter().map(|column| format!("\"{}\"", column.name)).collect();
        let list = columns.join(",");
        let marks: Vec<_> = (1..=columns.len()).map(|i| format!("?{i}")).collect();
        let assignments: Vec<_> = columns.iter().zip(&marks).skip(1).map(|(c, m)| format!("{c}={m}")).collect();
        Self {
            row: format!("SELECT {list} FROM \"{name}\" WHERE \"id\" = ?1"),
            insert: format!("INSERT INTO \"{name}\" ({list}) VALUES ({})", marks.join(",")),
            update: format!("UPDATE \"{name}\" SET {} WHERE \"id\" = ?1", assignments.join(",")),
            delete: format!("DELETE FROM \"{name}\" WHERE \"id\" = ?1"),
        }
    }
}
