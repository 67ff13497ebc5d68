//! The module of a resource: its methods as a table in JavaScript, its types as declarations.

use super::spelling::{Imports, VersionNames, function_of};
use super::text::{comment, deprecated, described, literal, number};
use super::values::{TypeWriter, listed, union};
use crate::client::{
    ClientPlan, CollectionKind, CollectionPlan, CommandPlan, OperationPlan, ResourcePlan, TypePlan, VersionPlan,
    method_name, under_method,
};
use askama::Template;
use restwell_model::api::{FilterField, HttpOperation, SchemaKey, command_filter_fields};
use restwell_model::names::typescript::file_stem;
use restwell_model::scalar::IsoDuration;
use restwell_model::{ErrorCode, OperationKind, names};
use std::collections::{BTreeMap, BTreeSet};

/// A resource's module in JavaScript.
#[derive(Template)]
#[template(path = "client/typescript/resource.js", escape = "none")]
pub(super) struct ModuleJs {
    header: String,
    /// `../` in the folder of a beta.
    up: &'static str,
    /// `mediaType`
    media_type: String,
    /// The import of it.
    media_type_import: String,
    imports: Vec<CoreImport>,
    /// The function `place` of the core.
    place: String,
    collections: Vec<CollectionJs>,
}

/// The functions of a module of the core.
struct CoreImport {
    file: &'static str,
    names: String,
}

struct CollectionJs {
    name: String,
    parameters: String,
    /// An expression.
    path: String,
    items: String,
    /// `list: list(at)`.
    methods: Vec<String>,
}

/// A resource's declarations.
#[derive(Template)]
#[template(path = "client/typescript/resource.d.ts", escape = "none")]
pub(super) struct ModuleTypes {
    header: String,
    up: &'static str,
    core: String,
    /// The type `Client` of the core.
    client: String,
    shared: String,
    bodies: Vec<TypeView>,
    collections: Vec<CollectionTypes>,
}

struct TypeView {
    doc: String,
    name: String,
    /// `Body` or nothing.
    members: String,
}

struct CollectionTypes {
    doc: String,
    name: String,
    filters_name: String,
    sort_name: String,
    methods_name: String,
    parameters: String,
    /// The members of the filters; `None` without a list.
    filters: Option<String>,
    sort: String,
    methods: Vec<MethodTypes>,
}

struct MethodTypes {
    doc: String,
    name: String,
    ty: String,
}

/// The name of the parameter with the parent's id.
fn parent_id(collection: &CollectionPlan<'_>) -> Option<String> {
    match collection.kind {
        CollectionKind::Scoped { parent, .. } => {
            Some(format!("{}Id", names::camel(parent.name_of(collection.former.parent))))
        }
        CollectionKind::Root | CollectionKind::View(_) => None,
    }
}

pub(super) fn javascript(version: &VersionPlan<'_>, resource: &ResourcePlan<'_>, header: &str) -> ModuleJs {
    let names = Imports::beside(resource.collections.iter().map(function_of));
    let mut core = CoreFunctions { names, used: BTreeMap::new() };
    let collections = resource.collections.iter().map(|it| collection_js(resource, it, &mut core)).collect();
    let place = core.function("place", "place");
    let (media_type, media_type_import) = (core.names.local("mediaType"), core.names.import("mediaType"));
    let imports =
        core.used.into_iter().map(|(file, names)| CoreImport { file, names: listed(names.iter().map(String::as_str)) });
    let imports = imports.collect();
    ModuleJs { header: header.to_owned(), up: up(version), media_type, media_type_import, imports, place, collections }
}

/// The functions of the core that a module uses, by their files.
struct CoreFunctions {
    names: Imports,
    used: BTreeMap<&'static str, BTreeSet<String>>,
}

impl CoreFunctions {
    /// The name of a function in the module. Notes that it is used.
    fn function(&mut self, file: &'static str, name: &'static str) -> String {
        self.used.entry(file).or_default().insert(self.names.import(name));
        self.names.local(name)
    }
}

/// The name of a resource's files.
pub(super) fn file_name(resource: &ResourcePlan<'_>) -> String {
    file_stem(resource.module())
}

/// The way from a module to the folder.
pub(super) fn up(version: &VersionPlan<'_>) -> &'static str {
    if version.folder().is_some() { "../" } else { "./" }
}

fn collection_js(
    resource: &ResourcePlan<'_>,
    collection: &CollectionPlan<'_>,
    core: &mut CoreFunctions,
) -> CollectionJs {
    let parent = parent_id(collection);
    let mut methods = Vec::new();
    for operation in &collection.operations {
        let (file, function) = function_of_operation(operation.kind);
        let function = core.function(file, function);
        methods.push(format!("{}: {function}(at)", method_name(operation.kind)));
    }
    if let Some(function) = edit_of(collection) {
        methods.push(format!("edit: {}(at)", core.function("edit", function)));
    }
    if let Some(search) = &collection.search {
        methods.push(format!("search: {}(at, {})", core.function("searches", "search"), literal(search.path)));
    }
    for command in &collection.commands {
        let function = core.function("commands", "command");
        let timeout = IsoDuration::parse(&command.command.timeout).and_then(|length| length.to_std());
        let timeout = number(timeout.unwrap_or_default().as_millis());
        let (segment, items) = (literal(&command.segment), literal(&command.items));
        methods.push(format!("{}: {function}(at, {segment}, {items}, {timeout})", command.name));
    }
    methods.extend(
        under(resource, collection)
            .map(|(method, id, scoped)| format!("{method}: ({id}) => {}(client, {id})", function_of(scoped))),
    );
    CollectionJs {
        name: function_of(collection),
        parameters: parent.as_ref().map_or_else(|| "client".to_owned(), |id| format!("client, {id}")),
        path: path_of(collection, parent.as_deref(), core),
        items: literal(&collection.items),
        methods,
    }
}

/// The path as an expression.
fn path_of(collection: &CollectionPlan<'_>, parent: Option<&str>, core: &mut CoreFunctions) -> String {
    let Some((id, (before, after))) =
        parent.and_then(|id| Some((id, collection.path.split_once(&format!("/{{{id}}}"))?)))
    else {
        return literal(&collection.path);
    };
    format!("{} + {}({id}) + {}", literal(before), core.function("place", "segment"), literal(after))
}

/// The function of the core, and its module.
const fn function_of_operation(kind: OperationKind) -> (&'static str, &'static str) {
    match kind {
        OperationKind::List => ("lists", "list"),
        OperationKind::Create => ("entities", "create"),
        OperationKind::Get => ("entities", "get"),
        OperationKind::Update => ("entities", "update"),
        OperationKind::Patch => ("entities", "patch"),
        OperationKind::Delete => ("entities", "remove"),
    }
}

/// The function that edits: with PATCH where there is one, otherwise with PUT. What is done later cannot be edited.
fn edit_of(collection: &CollectionPlan<'_>) -> Option<&'static str> {
    let is_now = |kind| collection.operation(kind).is_some_and(|it| !it.operation.is_async);
    collection.operation(OperationKind::Get)?;
    match (is_now(OperationKind::Patch), is_now(OperationKind::Update)) {
        (true, _) => Some("editByPatch"),
        (false, true) => Some("edit"),
        (false, false) => None,
    }
}

/// The scoped collections of a resource, as methods of the resource itself: `underUser`.
fn under<'r, 'a>(
    resource: &'r ResourcePlan<'a>,
    of: &CollectionPlan<'a>,
) -> impl Iterator<Item = (String, String, &'r CollectionPlan<'a>)> {
    let (is_root, is_former) = (matches!(of.kind, CollectionKind::Root), of.former.resource);
    let same = resource.collections.iter().filter(move |it| is_root && it.former.resource == is_former);
    same.filter_map(|collection| {
        let CollectionKind::Scoped { parent, .. } = collection.kind else { return None };
        Some((under_method(parent, collection.former), parent_id(collection)?, collection))
    })
}

pub(super) fn declarations(
    plan: &ClientPlan<'_>,
    (version, names): (&VersionPlan<'_>, &VersionNames),
    resource: &ResourcePlan<'_>,
    header: &str,
) -> ModuleTypes {
    let writer = TypeWriter::new(plan.api, version, names);
    let bodies = &resource.bodies;
    let views = bodies.iter().filter_map(|body| {
        let members = writer.members(plan.api.schema(body.key)?, body.direction, "  ");
        Some(TypeView { doc: body_doc(plan, body), name: body.name.clone(), members })
    });
    let views = views.collect();
    let collections = resource.collections.iter().map(|it| collection_types(&writer, names, resource, it)).collect();
    ModuleTypes {
        header: header.to_owned(),
        up: up(version),
        client: writer.of_core("Client"),
        core: writer.core(),
        shared: if writer.is_plain() { String::new() } else { writer.shared() },
        bodies: views,
        collections,
    }
}

fn body_doc(plan: &ClientPlan<'_>, body: &TypePlan) -> String {
    let resource = |index: usize| &plan.service().resources[index];
    let of = |index: usize| described(resource(index).description.as_deref());
    let first = match body.key {
        SchemaKey::Entity(it) => of(it.resource),
        SchemaKey::Creation { representation, .. } => {
            Some(format!("What a new {} is created from.", words(&resource(representation.resource).name)))
        }
        SchemaKey::Replacement(it) => Some(format!(
            "What replaces the {}: a property that is omitted is reset.",
            words(&resource(it.resource).name)
        )),
        SchemaKey::Criteria { .. } => Some("The criteria of a search; null means that there is no value.".to_owned()),
        SchemaKey::Search { .. } => Some("A stored search.".to_owned()),
        SchemaKey::CommandInput { resource: it, command } | SchemaKey::Command { resource: it, command } => {
            described(resource(it).commands[command].description.as_deref())
        }
        _ => None,
    };
    comment("", &first.into_iter().collect::<Vec<_>>())
}

/// `GeneralDelivery` → `general delivery`.
fn words(name: &str) -> String {
    names::kebab(name).replace('-', " ")
}

fn collection_types(
    writer: &TypeWriter<'_, '_>,
    helpers: &VersionNames,
    resource: &ResourcePlan<'_>,
    collection: &CollectionPlan<'_>,
) -> CollectionTypes {
    let has_list = collection.operation(OperationKind::List).is_some() || collection.search.is_some();
    let names = BodyNames { bodies: &resource.bodies, collection, helpers };
    let mut methods: Vec<_> = collection.operations.iter().map(|it| method(writer, resource, it, &names)).collect();
    if edit_of(collection).is_some() {
        let ty = format!("{}<{}>", writer.of_core("EditMethod"), names.entity());
        methods.push(MethodTypes {
            doc: "  /** Reads it, changes it, writes it; again if somebody else was faster. */\n".to_owned(),
            name: "edit".to_owned(),
            ty,
        });
    }
    if let Some(search) = &collection.search {
        let (criteria, stored) = (names.of(search.criteria), names.of(search.stored));
        let method = writer.of_core("SearchMethod");
        let list = writer.of_core(if resource.resource.count { "CountedList" } else { "List" });
        let (entity, sort) = (names.entity(), helpers.sort(collection));
        let ty = format!("{method}<{list}<{entity}>, {criteria}, {stored}, {sort}>");
        methods.push(MethodTypes { doc: String::new(), name: "search".to_owned(), ty });
    }
    methods.extend(collection.commands.iter().map(|it| command_method(writer, it, &names)));
    methods.extend(under(resource, collection).map(|(method, id, scoped)| MethodTypes {
        doc: format!("  /** Those at `{}`. */\n", scoped.path),
        name: method,
        ty: format!("({id}: string) => {}", helpers.methods(scoped)),
    }));
    let parts: Vec<_> =
        [described(resource.resource.description.as_deref()), Some(format!("Path: `{}`.", collection.path))]
            .into_iter()
            .flatten()
            .collect();
    CollectionTypes {
        doc: comment("", &parts),
        name: function_of(collection),
        filters_name: helpers.filters(collection).to_owned(),
        sort_name: helpers.sort(collection).to_owned(),
        methods_name: helpers.methods(collection).to_owned(),
        parameters: parent_id(collection).map_or_else(String::new, |id| format!(", {id}: string")),
        filters: has_list.then(|| writer.filters(&collection.filters, "  ")),
        sort: sorts(&collection.filters),
        methods,
    }
}

/// What a list can be ordered by, in both directions.
fn sorts(fields: &[FilterField<'_>]) -> String {
    let names = fields.iter().filter(|field| field.is_sort).map(|field| field.name.as_str());
    union(&names.flat_map(|name| [name.to_owned(), format!("-{name}")]).collect::<Vec<_>>())
}

/// The types that do not depend on the resources.
#[derive(Template)]
#[template(path = "client/typescript/core/types.d.ts", escape = "none")]
pub(super) struct CoreTypes {
    codes: String,
    filters: String,
    sort: String,
}

pub(super) fn core(version: &VersionPlan<'_>, plan: &ClientPlan<'_>) -> CoreTypes {
    let codes: Vec<_> = ErrorCode::ALL.iter().map(|code| code.name()).collect();
    let fields = command_filter_fields();
    let filters = TypeWriter::within_core(plan.api, version).filters(&fields, "  ");
    CoreTypes { codes: union(&codes), filters, sort: sorts(&fields) }
}

/// Finds the types of bodies.
struct BodyNames<'p, 'a> {
    bodies: &'p [TypePlan],
    collection: &'p CollectionPlan<'a>,
    helpers: &'p VersionNames,
}

impl BodyNames<'_, '_> {
    fn of(&self, key: SchemaKey) -> &str {
        self.bodies.iter().find(|body| body.key == key).map_or("unknown", |body| body.name.as_str())
    }

    fn entity(&self) -> &str {
        self.collection.entity().map_or("unknown", |key| self.of(key))
    }

    fn request(&self, operation: &OperationPlan<'_>) -> &str {
        operation.request.map_or("unknown", |key| self.of(key))
    }
}

fn method(
    writer: &TypeWriter<'_, '_>,
    resource: &ResourcePlan<'_>,
    it: &OperationPlan<'_>,
    names: &BodyNames<'_, '_>,
) -> MethodTypes {
    let (entity, request) = (names.entity(), names.request(it));
    let result = if it.operation.is_async {
        writer.of_core("Accepted")
    } else {
        format!("{}<{entity}>", writer.of_core("Entity"))
    };
    let ty = match it.kind {
        OperationKind::List => {
            let list = if resource.resource.count { "CountedListMethod" } else { "ListMethod" };
            let (filters, sort) = (names.helpers.filters(names.collection), names.helpers.sort(names.collection));
            format!("{}<{entity}, {filters}, {sort}>", writer.of_core(list))
        }
        OperationKind::Create => format!("{}<{result}, {request}>", writer.of_core("CreateMethod")),
        OperationKind::Get => format!("{}<{entity}>", writer.of_core("GetMethod")),
        OperationKind::Update => format!("{}<{result}, {entity}, {request}>", writer.of_core("UpdateMethod")),
        OperationKind::Patch => format!("{}<{result}>", writer.of_core("PatchMethod")),
        OperationKind::Delete => writer.of_core("DeleteMethod"),
    };
    MethodTypes { doc: operation_doc(it.operation, None), name: method_name(it.kind).to_owned(), ty }
}

fn operation_doc(operation: &HttpOperation<'_>, description: Option<&str>) -> String {
    let later = operation.is_async.then(|| "Accepted (202), and done later.".to_owned());
    let announced = (!operation.is_ready).then(|| "Announced; a call fails with 501 until it is ready.".to_owned());
    let parts =
        described(description).into_iter().chain(later).chain(announced).chain(deprecated(operation.deprecation));
    comment("  ", &parts.collect::<Vec<_>>())
}

fn command_method(writer: &TypeWriter<'_, '_>, it: &CommandPlan<'_>, names: &BodyNames<'_, '_>) -> MethodTypes {
    let (input, rendered) = (names.of(it.input), names.of(it.rendered));
    let method = if it.submit.requires_body() { "CommandMethod" } else { "BareCommandMethod" };
    MethodTypes {
        doc: operation_doc(it.submit, it.command.description.as_deref()),
        name: it.name.clone(),
        ty: format!("{}<{input}, {rendered}>", writer.of_core(method)),
    }
}

/// The type of `types.d.ts` whose names the declarations share.
pub(super) fn shared(
    plan: &ClientPlan<'_>,
    version: &VersionPlan<'_>,
    names: &VersionNames,
    header: &str,
) -> SharedDeclarations {
    let writer = TypeWriter::new(plan.api, version, names);
    let enums = version.types.enums.iter().map(|it| {
        let going = it.notices.iter().map(|(value, notice)| match notice.sunset {
            Some(day) => format!("`{value}` may be gone from {day}."),
            None => format!("`{value}` goes away."),
        });
        let doc = comment("", &described(it.description.as_deref()).into_iter().chain(going).collect::<Vec<_>>());
        format!("{doc}export type {} = {};", it.name, union(&it.values))
    });
    let enums = enums.collect();
    let objects = version.types.objects.iter().map(|it| {
        let description =
            plan.service().object(it.model_name).and_then(|object| described(object.description.as_deref()));
        let doc = comment("", &description.into_iter().collect::<Vec<_>>());
        let value = restwell_model::api::ValueType::Object { name: None, properties: it.properties.clone() };
        TypeView { doc, name: it.name.clone(), members: writer.members(&value, it.direction, "  ") }
    });
    let objects: Vec<_> = objects.collect();
    SharedDeclarations {
        header: header.to_owned(),
        up: up(version),
        core: if writer.is_alone() { String::new() } else { writer.core() },
        enums,
        objects,
    }
}

/// The declarations of named types.
#[derive(Template)]
#[template(path = "client/typescript/types.d.ts", escape = "none")]
pub(super) struct SharedDeclarations {
    header: String,
    up: &'static str,
    core: String,
    enums: Vec<String>,
    objects: Vec<TypeView>,
}
