//! The entities of a resource at one of its paths: its own, or that of a view.

use super::cell::Cell;
use super::columns::HiddenFields;
use super::conditions::ConditionPlan;
use super::criteria::Searchable;
use super::field_access::hiding_callers;
use super::index::{IndexedBy, VersionIndex};
use super::list_parameters::ListParameters;
use super::render::{Render, SeenColumns};
use super::statements::IDS;
use super::viewer::{Sight, Viewer};
use super::visible;
use super::{ResourceIndex, media_type, owner};
use crate::clock::Clock;
use crate::etag::TagSeed;
use http::HeaderValue;
use restwell_model::api::filter_fields;
use restwell_model::input::{Criteria, Shape};
use restwell_model::tables::{Dialect, Table};
use restwell_model::{Checked, Deprecation, Field, Resource, Search, Version, View, names};
use std::collections::HashMap;
use std::sync::Arc;
use uuid::Uuid;

/// A view of a resource, or the resource itself, ready to serve.
#[derive(Debug)]
pub(crate) struct ViewPlan {
    /// `/offers`, `/sale/offers`.
    pub(crate) path: String,
    /// By version, the preferred one first.
    pub(crate) representations: Vec<Representation>,
    /// What a caller's entities of another resource refer to, if the view shows only that (§2.1).
    pub(crate) through: Option<ThroughPlan>,
    /// The condition that its entities meet (`where`).
    pub(crate) condition: Option<ConditionPlan>,
}

/// A resource in one version and view.
#[derive(Debug)]
pub(crate) struct Representation {
    /// As in the model.
    pub(crate) version: Version,
    /// The announcement that the version goes away.
    pub(crate) deprecation: Option<Deprecation>,
    /// As it stands in `Content-Type`.
    pub(crate) media_type: HeaderValue,
    /// What its entity tags begin with.
    tag_seed: TagSeed,
    /// How bodies are read.
    pub(crate) shape: Shape,
    /// How rows are written.
    pub(crate) render: Render,
    /// What collections can be asked for.
    pub(crate) parameters: ListParameters,
    /// What collections can be searched by, where they can.
    pub(crate) searchable: Option<Searchable>,
    /// One row by id; of SQLite, also the number of the row.
    pub(crate) select_one: String,
    /// Rows by a list of ids, for PostgreSQL.
    pub(crate) select_many: Arc<str>,
    /// Whether the select reaches into other tables.
    pub(crate) is_joined: bool,
    /// Whether its row alone decides what is shown of an entity, to all who see it.
    pub(crate) is_of_row_alone: bool,
}

/// The entities that a caller's own entities of another resource refer to.
#[derive(Debug)]
pub(crate) struct ThroughPlan {
    /// Their ids, over the other's table as `t`; it binds the caller.
    sql: String,
    /// The other resource, where not every caller sees all of it.
    restricted: Option<ResourceIndex>,
    /// The field that leads here, where not every caller sees it.
    hidden: Option<HiddenFields>,
}

impl ThroughPlan {
    /// The query of their ids for a caller, as far as the caller sees what leads to them, and what it binds.
    pub(crate) fn ids(&self, viewer: &Viewer, caller: Uuid) -> (String, Vec<Cell>) {
        let mut values = vec![Cell::Uuid(caller)];
        let condition = viewer.condition(self.restricted, &mut values);
        let seen = self.hidden.map_or(Sight::All, |fields| viewer.fields(fields)).condition(&mut values);
        (format!("{}{condition}{seen}", self.sql), values)
    }
}

/// What the plan of a resource is compiled from.
#[derive(Clone, Copy)]
pub(super) struct ResourceSource<'a> {
    pub(super) service: &'a Checked,
    pub(super) dialect: Dialect,
    pub(super) tables: &'a HashMap<String, Table>,
    pub(super) resource: &'a Resource,
    /// The time of computed fields.
    pub(super) clock: &'a Clock,
}

impl ResourceSource<'_> {
    pub(super) fn table(&self) -> &Table {
        &self.tables[&self.resource.name]
    }
}

impl ViewPlan {
    /// Compiles a view; `None`: the resource itself.
    pub(super) fn compile(source: ResourceSource<'_>, view: Option<&View>) -> Self {
        let versions = source.resource.versions_by_preference().into_iter();
        Self {
            path: view.map_or_else(|| source.resource.path(), |view| view.path.clone()),
            representations: versions.map(|version| Representation::compile(source, version, view)).collect(),
            through: view.and_then(|view| through(source.service, source.tables, view)),
            condition: view
                .and_then(|view| view.filter.as_ref())
                .and_then(|condition| ConditionPlan::compile(source.service, Some(source.resource), condition)),
        }
    }

    /// The first version whose media type is the sought one.
    pub(crate) fn version(&self, is_it: impl Fn(&HeaderValue) -> bool) -> Option<VersionIndex> {
        let mut representations = self.representations.indexed();
        representations.find(|(_, representation)| is_it(&representation.media_type)).map(|(version, _)| version)
    }

    /// The representation of a version.
    pub(crate) fn in_version(&self, version: VersionIndex) -> &Representation {
        &self.representations[version]
    }
}

impl Representation {
    /// The entity tag of an entity that was rendered to these bytes.
    pub(crate) fn tag(&self, body: &[u8]) -> String {
        self.tag_seed.tag(body)
    }

    /// The statement that reads an entity as a viewer sees it, and what it binds; `None`: the same for all.
    pub(crate) fn select_seen(
        &self,
        table: &Table,
        own: Sight<'_>,
        viewer: &Viewer,
        id: Uuid,
    ) -> Option<(String, Vec<Cell>)> {
        let seen = self.render.seen(viewer);
        if seen.is_none() && own.is_all() {
            return None;
        }
        let SeenColumns { columns, joins, mut values } = seen.unwrap_or_else(|| SeenColumns {
            columns: self.render.columns.text().to_owned(),
            joins: self.render.joins.clone(),
            values: Vec::new(),
        });
        values.push(Cell::Uuid(id));
        let condition = own.condition(&mut values);
        Some((format!("SELECT {columns} FROM \"{}\" t{joins} WHERE t.\"id\" = ?{condition}", table.name), values))
    }

    fn compile(source: ResourceSource<'_>, version: Version, view: Option<&View>) -> Self {
        let ResourceSource { service, dialect, resource, .. } = source;
        let table = source.table();
        let has = |field: &Field| field.is_in(version, view);
        let render = Render::compile(source, &has);
        let fields = filter_fields(service, resource, version, view);
        let has_searches = resource.search != Search::None;
        let media_type = media_type(version, &service.vendor);
        let columns = render.columns.text();
        let select =
            |columns: &str| format!("SELECT {columns} FROM \"{}\" t{} WHERE t.\"id\"", table.name, render.joins);
        let select_one = match dialect {
            // no field is called so
            Dialect::Sqlite => select(&format!("{columns},t._rowid_")),
            Dialect::Postgres => select(columns),
        };
        Self {
            version,
            deprecation: resource.notices.versions.get(&version).copied(),
            tag_seed: TagSeed::of(&media_type),
            media_type,
            shape: Shape::compile(service, &resource.fields, &names::COMMON_FIELDS, &has),
            parameters: ListParameters::compile(&fields, table, has_searches)
                .announcing_searches(resource.notices.search),
            searchable: Criteria::compile(service, resource, &has)
                .map(|criteria| Searchable::new(criteria, table, dialect)),
            select_one: format!("{select_one} = ?1"),
            select_many: format!("{} = ANY({IDS})", select(columns)).into(),
            is_joined: render.reaches_out,
            is_of_row_alone: !render.reaches_out && table.links.is_empty(),
            render,
        }
    }
}

/// What the caller's own entities of another resource refer to.
fn through(service: &Checked, tables: &HashMap<String, Table>, view: &View) -> Option<ThroughPlan> {
    let through = view.through.as_ref()?;
    let (resource, table) = (service.resource(&through.resource)?, tables.get(&through.resource)?);
    let target = table.slot(&through.field)?.columns.start;
    let owner = owner(service, resource, table)?.column;
    let (target, owner) = (&table.columns[target].name, &table.columns[owner].name);
    let sql = format!("SELECT t.\"{target}\" FROM \"{}\" t WHERE t.\"{owner}\" = ?", table.name);
    let field = resource.field(&through.field)?;
    let index = ResourceIndex::of(service, &resource.name)?;
    let hidden = hiding_callers(resource, field).map(|callers| HiddenFields { resource: index, callers, is_own: true });
    Some(ThroughPlan { sql, restricted: visible::restricted(service, &through.resource), hidden })
}
