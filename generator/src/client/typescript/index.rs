//! The modules for the whole service: all of its collections in one value, and its events.

use super::module::{file_name, up};
use super::spelling::{Imports, VersionNames, function_of, member_of};
use super::text::{comment, literal};
use super::values::{CoreNames, listed, union};
use crate::client::{ClientPlan, CollectionKind, VersionPlan};
use askama::Template;
use restwell_model::api::EventData;
use restwell_model::names::client::free;
use restwell_model::names::typescript::{GLOBAL_TYPES, is_client_member, service_function};
use restwell_model::{Resource, names};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// All collections of a version.
#[derive(Template)]
#[template(path = "client/typescript/index.js", escape = "none")]
pub(super) struct IndexJs {
    header: String,
    up: &'static str,
    name: String,
    /// The function `events` of the package, and the import of it.
    events: &'static str,
    events_import: &'static str,
    imports: Vec<ModuleImport>,
    members: Vec<Member>,
    groups: Vec<ViewGroup>,
}

/// Their declarations.
#[derive(Template)]
#[template(path = "client/typescript/index.d.ts", escape = "none")]
pub(super) struct IndexTypes {
    header: String,
    up: &'static str,
    name: String,
    interface: String,
    event: String,
    doc: String,
    imports: Vec<ModuleImport>,
    members: Vec<Member>,
    groups: Vec<ViewGroup>,
}

/// What comes from the module of a resource.
#[derive(Clone)]
struct ModuleImport {
    module: String,
    names: String,
    types: String,
}

/// A collection.
#[derive(Clone)]
struct Member {
    /// The name in its group.
    key: String,
    /// The function that makes it, in this module.
    name: String,
    ty: String,
}

/// The collections of a view: `api.sale.offers`.
#[derive(Clone)]
struct ViewGroup {
    name: String,
    members: Vec<Member>,
}

/// The parts of an index.
struct Parts {
    imports: Vec<ModuleImport>,
    members: Vec<Member>,
    groups: Vec<ViewGroup>,
}

/// `marketplace`, `marketplaceBetaV2`.
pub(super) fn function(plan: &ClientPlan<'_>, version: &VersionPlan<'_>) -> String {
    service_function(&names::camel(&format!("{}-{}", plan.service().name, version.folder().unwrap_or_default())))
}

/// `MarketplaceEvent`.
fn event_type(plan: &ClientPlan<'_>) -> String {
    names::pascal(&plan.service().name) + "Event"
}

/// What the module has beside the functions of collections: they are imported by other names.
fn own_names(function: &str) -> Imports {
    Imports::beside(["client", "events", "options", function].map(str::to_owned))
}

pub(super) fn javascript(
    plan: &ClientPlan<'_>,
    version: &VersionPlan<'_>,
    names: &VersionNames,
    header: &str,
) -> IndexJs {
    let name = function(plan, version);
    let Parts { imports, members, groups } = parts(version, names, &name);
    // beside a service of that name, and `events_` of its resource `Event`
    let (events, events_import) = match name.as_str() {
        "events" => ("events__", "events as events__"),
        _ => ("events", "events"),
    };
    IndexJs { header: header.to_owned(), up: up(version), name, events, events_import, imports, members, groups }
}

pub(super) fn declarations(
    plan: &ClientPlan<'_>,
    version: &VersionPlan<'_>,
    names: &VersionNames,
    header: &str,
) -> IndexTypes {
    let name = function(plan, version);
    let Parts { imports, members, groups } = parts(version, names, &name);
    let what = format!("{}: what it has in `{}`.", plan.title(), version.version);
    IndexTypes {
        header: header.to_owned(),
        up: up(version),
        interface: names::pascal(&name) + "Client",
        name,
        event: event_type(plan),
        doc: comment("", &[what]),
        imports,
        members,
        groups,
    }
}

fn parts(version: &VersionPlan<'_>, names: &VersionNames, function: &str) -> Parts {
    let own = own_names(function);
    let (mut imports, mut members) = (Vec::new(), Vec::new());
    let mut groups: BTreeMap<String, Vec<Member>> = BTreeMap::new();
    for resource in &version.resources {
        let mut imported = Vec::new();
        for collection in &resource.collections {
            let function = function_of(collection);
            let ty = names.methods(collection).to_owned();
            let member = |key: String| Member { key, name: own.local(&function), ty: ty.clone() };
            match collection.kind {
                CollectionKind::Root => members.push(member(member_of(collection))),
                CollectionKind::View(view) => {
                    let key = names::camel(&resource.resource.plural_of(collection.former.resource));
                    let group = names::camel(&view.label_of(collection.former.view));
                    groups.entry(group).or_default().push(member(key));
                }
                // a method of the resource itself
                CollectionKind::Scoped { .. } => continue,
            }
            imported.push((own.import(&function), ty));
        }
        let (names, types): (Vec<_>, Vec<_>) = imported.into_iter().unzip();
        if !names.is_empty() {
            let module = file_name(resource);
            let (names, types) = (names.iter().map(String::as_str), types.iter().map(String::as_str));
            imports.push(ModuleImport { module, names: listed(names), types: listed(types) });
        }
    }
    let mut taken: BTreeSet<String> = members.iter().map(|it| it.key.clone()).collect();
    let named = |(mut name, members): (String, Vec<Member>)| {
        while is_client_member(&name) || !taken.insert(name.clone()) {
            name.push_str("View");
        }
        ViewGroup { name, members }
    };
    Parts { imports, members, groups: groups.into_iter().map(named).collect() }
}

/// The types of events that are known.
#[derive(Template)]
#[template(path = "client/typescript/events.js", escape = "none")]
pub(super) struct EventsJs {
    header: String,
    kinds: Vec<String>,
}

/// The declarations of events.
#[derive(Template)]
#[template(path = "client/typescript/events.d.ts", escape = "none")]
pub(super) struct EventTypes {
    header: String,
    event: String,
    /// Types of the core: what is imported, and two by their names here.
    core: String,
    client: String,
    unknown: String,
    imports: Vec<EventImport>,
    arms: Vec<Arm>,
    resources: String,
}

struct EventImport {
    names: String,
    module: String,
}

/// Events with the same data.
struct Arm {
    /// The type `CloudEvent` of the core.
    event: String,
    types: String,
    data: String,
}

pub(super) fn events(plan: &ClientPlan<'_>, header: &str) -> (EventsJs, EventTypes) {
    let kinds = plan.api.events.kinds.iter();
    let javascript =
        EventsJs { header: header.to_owned(), kinds: kinds.clone().map(|kind| literal(&kind.event_type)).collect() };
    let event_type = event_type(plan);
    // an entity that is called like something of this module is imported by another name
    let mut taken: BTreeSet<String> = GLOBAL_TYPES.iter().map(|name| (*name).to_owned()).collect();
    taken.extend([event_type.clone(), "EventFilters".to_owned()]);
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut entities = BTreeMap::new();
    for kind in kinds.clone() {
        let Some((module, name)) = entity(plan, kind.data) else { continue };
        entities.entry((module.clone(), name.clone())).or_insert_with(|| {
            let local = free(&name, &mut taken);
            let import = if local == name { name } else { format!("{name} as {local}") };
            imports.entry(module).or_default().insert(import);
            local
        });
    }
    let core = CoreNames::beside(Rc::new(taken));
    let (client, event, unknown) = (core.name("Client"), core.name("CloudEvent"), core.name("UnknownEvent"));
    let (deleted, command) = (core.name("DeletedEntity"), core.name("CommandChange"));
    let mut arms: Vec<(String, Vec<&str>)> = Vec::new();
    for kind in kinds {
        let data = match kind.data {
            EventData::DeletedEntity => deleted.clone(),
            EventData::CommandChange => command.clone(),
            EventData::Entity(_) => {
                let local = entity(plan, kind.data).and_then(|imported| entities.get(&imported));
                local.map_or_else(|| "unknown".to_owned(), Clone::clone)
            }
        };
        match arms.iter_mut().find(|(known, _)| *known == data) {
            Some((_, types)) => types.push(&kind.event_type),
            None => arms.push((data, vec![&kind.event_type])),
        }
    }
    let resources: Vec<_> = plan.service().resources.iter().flat_map(Resource::plurals).collect();
    let imports = imports
        .into_iter()
        .map(|(module, names)| EventImport { names: names.into_iter().collect::<Vec<_>>().join(", "), module });
    let types = EventTypes {
        header: header.to_owned(),
        event: event_type,
        core: core.imports().join(", "),
        client,
        unknown,
        imports: imports.collect(),
        arms: arms.into_iter().map(|(data, types)| Arm { event: event.clone(), types: union(&types), data }).collect(),
        resources: union(&resources),
    };
    (javascript, types)
}

/// The module and the name of the type of an entity.
fn entity(plan: &ClientPlan<'_>, data: EventData) -> Option<(String, String)> {
    plan.versions.iter().find_map(|version| {
        let folder = version.folder().map(|folder| folder + "/").unwrap_or_default();
        version.resources.iter().find_map(|resource| {
            let body = resource.bodies.iter().find(|body| body.key == data.schema())?;
            Some((format!("./{folder}{}.js", file_name(resource)), body.name.clone()))
        })
    })
}
