//! The bodies of requests, responses and events, each once (§2.4 to §2.6).

use super::criteria;
use super::events::Events;
use super::path::PathItem;
use super::values::{
    ArrayBounds, COUNT, Direction, FilledBy, Property, Selection, TEXT, UUID, ValueType, array, common, problem,
};
use crate::check::Checked;
use crate::events::CommandStatus;
use crate::input::{MAX_PATCH_OPERATIONS, Reading};
use crate::resource::{Access, Command, OperationKind, Resource, Version, View};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A resource in one version and view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Representation {
    /// An index into the service's resources.
    pub resource: usize,
    /// An index into the resource's views; `None`: the resource itself.
    pub view: Option<usize>,
    /// The version.
    pub version: Version,
}

/// What a body is. Indexes are those of the model: resources of the service, fields and commands of the resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SchemaKey {
    /// The body of every error (§7.1).
    Errors,
    /// One of its errors, also of a command that FAILED.
    Problem,
    /// The operations of a PATCH (RFC 6902), on the entity that GET shows in the same version.
    Patch,
    /// The response of `/readyz`.
    Readiness,
    /// The `data` of an event about a deletion.
    DeletedEntity,
    /// The `data` of an event about a command's status.
    CommandChange,
    /// An entity as it is rendered.
    Entity(Representation),
    /// A page of entities (§2.4.13).
    Collection(Representation),
    /// The same under the former name of its resource.
    FormerCollection(Representation),
    /// The body of a POST on a collection.
    Creation {
        /// What it creates.
        representation: Representation,
        /// The reference field that the path of a scoped collection sets.
        scope: Option<usize>,
    },
    /// The body of a PUT on an entity.
    Replacement(Representation),
    /// The body of a POST of a search (§2.5).
    Criteria {
        /// The resource that is searched.
        resource: usize,
        /// The version of the search data.
        version: Version,
    },
    /// A stored search.
    Search {
        /// The resource that is searched.
        resource: usize,
        /// The version of the search data.
        version: Version,
    },
    /// The body of a PUT of a command (§2.6).
    CommandInput {
        /// The resource.
        resource: usize,
        /// The command.
        command: usize,
    },
    /// A command as it is rendered.
    Command {
        /// The resource.
        resource: usize,
        /// The command.
        command: usize,
    },
    /// A page of the commands of one type.
    CommandCollection {
        /// The resource.
        resource: usize,
        /// The command.
        command: usize,
    },
    /// The same under the former name of the command.
    FormerCommandCollection {
        /// The resource.
        resource: usize,
        /// The command.
        command: usize,
    },
}

impl SchemaKey {
    /// A name that is unique in the service: `Offer`, `Offer.sale.beta.v2`, `Offer.Collection`, `Offer.renew.Command`.
    /// Names of resources and of the kinds begin with a capital, those of views, versions, fields and commands do not.
    #[must_use]
    pub fn name(self, service: &Checked) -> String {
        let of = |index: usize| &service.resources[index];
        let represented = |it: Representation| {
            let resource = of(it.resource);
            let view = it.view.map(|view| format!(".{}", resource.views[view].name));
            versioned(format!("{}{}", resource.name, view.unwrap_or_default()), it.version)
        };
        let command =
            |resource: usize, command: usize| format!("{}.{}", of(resource).name, of(resource).commands[command].name);
        match self {
            Self::Errors => "Errors.Body".to_owned(),
            Self::Problem => "Problem.Body".to_owned(),
            Self::Patch => "Patch.Body".to_owned(),
            Self::Readiness => "Readiness.Body".to_owned(),
            Self::DeletedEntity => "DeletedEntity.Data".to_owned(),
            Self::CommandChange => "CommandChange.Data".to_owned(),
            Self::Entity(it) => represented(it),
            Self::Collection(it) => format!("{}.Collection", represented(it)),
            Self::FormerCollection(it) => format!("{}.FormerCollection", represented(it)),
            Self::Creation { representation, scope: None } => format!("{}.Creation", represented(representation)),
            Self::Creation { representation, scope: Some(field) } => {
                let field = &of(representation.resource).fields[field].name;
                format!("{}.Creation.{field}", represented(representation))
            }
            Self::Replacement(it) => format!("{}.Replacement", represented(it)),
            Self::Criteria { resource, version } => {
                format!("{}.Criteria", versioned(of(resource).name.clone(), version))
            }
            Self::Search { resource, version } => format!("{}.Search", versioned(of(resource).name.clone(), version)),
            Self::CommandInput { resource, command: it } => format!("{}.Input", command(resource, it)),
            Self::Command { resource, command: it } => format!("{}.Command", command(resource, it)),
            Self::CommandCollection { resource, command: it } => format!("{}.CommandCollection", command(resource, it)),
            Self::FormerCommandCollection { resource, command: it } => {
                format!("{}.FormerCommandCollection", command(resource, it))
            }
        }
    }
}

fn versioned(name: String, version: Version) -> String {
    match version {
        Version::Public => name,
        Version::Beta(_) => format!("{name}.{version}"),
    }
}

/// The schemas of the bodies of all paths and events, and those that they refer to.
pub(super) fn collect<'a>(
    service: &'a Checked,
    paths: &[PathItem<'a>],
    events: &Events<'a>,
) -> BTreeMap<SchemaKey, ValueType<'a>> {
    let mut schemas = BTreeMap::new();
    for operation in paths.iter().flat_map(|path| &path.operations) {
        let of_responses = operation.responses.iter().flat_map(|response| &response.content);
        for key in operation.request.iter().chain(of_responses).filter_map(|content| content.schema) {
            add(service, key, &mut schemas);
        }
    }
    for key in events.kinds.iter().map(|event| event.data.schema()) {
        add(service, key, &mut schemas);
    }
    schemas
}

fn add<'a>(service: &'a Checked, key: SchemaKey, schemas: &mut BTreeMap<SchemaKey, ValueType<'a>>) {
    if schemas.contains_key(&key) {
        return;
    }
    schemas.insert(key, build(service, key));
    match key {
        SchemaKey::Collection(representation) | SchemaKey::FormerCollection(representation) => {
            add(service, SchemaKey::Entity(representation), schemas);
        }
        SchemaKey::Errors | SchemaKey::Command { .. } => add(service, SchemaKey::Problem, schemas),
        SchemaKey::CommandCollection { resource, command }
        | SchemaKey::FormerCommandCollection { resource, command } => {
            add(service, SchemaKey::Command { resource, command }, schemas);
        }
        _ => {}
    }
}

/// What a body holds.
pub(super) fn build(service: &Checked, key: SchemaKey) -> ValueType<'_> {
    let of = |index: usize| &service.resources[index];
    let object = |properties| ValueType::Object { name: None, properties };
    match key {
        SchemaKey::Errors => object(vec![Property::built_in("errors", problems())]),
        SchemaKey::Problem => problem(),
        SchemaKey::Patch => patch(),
        SchemaKey::Readiness => object(readiness()),
        SchemaKey::DeletedEntity => object(vec![Property::built_in("id", ValueType::Scalar(&UUID))]),
        SchemaKey::CommandChange => {
            object(vec![Property::built_in("id", ValueType::Scalar(&UUID)), Property::built_in("status", statuses())])
        }
        SchemaKey::Entity(it) => object(entity(service, it)),
        SchemaKey::Collection(it) | SchemaKey::FormerCollection(it) => {
            let is_former = matches!(key, SchemaKey::FormerCollection(_));
            object(collection(of(it.resource), of(it.resource).collection_of(is_former), SchemaKey::Entity(it)))
        }
        SchemaKey::Creation { representation, scope } => object(creation(service, representation, scope)),
        SchemaKey::Replacement(it) => object(request(service, it, Reading::Update)),
        SchemaKey::Criteria { resource, version } => object(criteria::posted(service, of(resource), version)),
        SchemaKey::Search { resource, version } => object(criteria::stored(service, of(resource), version)),
        SchemaKey::CommandInput { resource, command } => {
            let command = &of(resource).commands[command];
            object(Selection::all(service).properties(&command.input, Direction::Request(Reading::Create)))
        }
        SchemaKey::Command { resource, command } => object(rendered(service, &of(resource).commands[command])),
        SchemaKey::CommandCollection { resource, command }
        | SchemaKey::FormerCommandCollection { resource, command } => {
            let is_former = matches!(key, SchemaKey::FormerCommandCollection { .. });
            let name = of(resource).commands[command].collection_of(is_former);
            object(collection(of(resource), name, SchemaKey::Command { resource, command }))
        }
    }
}

fn view(service: &Checked, it: Representation) -> Option<&View> {
    it.view.and_then(|view| service.resources[it.resource].views.get(view))
}

/// The fields of a representation.
fn selection(service: &Checked, it: Representation) -> Selection<'_> {
    let versions = &service.resources[it.resource].versions;
    let at = versions.iter().position(|version| *version == it.version);
    let one = at.map_or(&versions[..0], |at| &versions[at..=at]);
    Selection { service, within: Some((one, view(service, it))) }
}

fn entity(service: &Checked, it: Representation) -> Vec<Property<'_>> {
    let resource = &service.resources[it.resource];
    let mut properties = common();
    properties.extend(selection(service, it).properties(&resource.fields, Direction::Response { shows: true }));
    for property in
        properties.iter_mut().filter(|it| it.field.is_some_and(|it| resource.owner_field() == Some(&it.name)))
    {
        // the token sets it where nobody else can
        property.is_nullable &= property.field.is_some_and(|field| !field.required);
    }
    properties
}

/// What a list of a resource holds, under its name, and how many match.
fn collection(resource: &Resource, name: String, of: SchemaKey) -> Vec<Property<'static>> {
    let items = array(ValueType::Schema(of), ArrayBounds::default());
    let named = Property { name: Cow::Owned(name), ..Property::built_in("", items) };
    let count = resource.count.then(|| Property {
        deprecation: resource.notices.count,
        ..Property::built_in("count", ValueType::Scalar(&COUNT))
    });
    std::iter::once(named).chain(count).collect()
}

/// The properties of a request. Those that every entity has are ignored, so that what GET gave can be sent back.
fn request(service: &Checked, it: Representation, reading: Reading) -> Vec<Property<'_>> {
    let ignored = common().into_iter().map(|property| Property { is_ignored: true, ..property.optional() });
    let fields = &service.resources[it.resource].fields;
    ignored.chain(selection(service, it).properties(fields, Direction::Request(reading))).collect()
}

fn problems() -> ValueType<'static> {
    array(ValueType::Schema(SchemaKey::Problem), ArrayBounds::default())
}

/// A new entity. The reference that the path names, and the owner that the token names, may be omitted.
fn creation(service: &Checked, it: Representation, scope: Option<usize>) -> Vec<Property<'_>> {
    let resource = &service.resources[it.resource];
    let of_path = scope.and_then(|field| resource.fields.get(field)).map(|field| field.name.as_str());
    let mut properties = request(service, it, Reading::Create);
    for property in &mut properties {
        let name = property.field.map(|field| field.name.as_str());
        if name.is_none() {
            continue;
        }
        if of_path == name {
            property.filled_by = Some(FilledBy::Path);
            property.is_required = false;
        } else if resource.owner.as_deref() == name {
            property.filled_by = Some(FilledBy::Token);
            property.is_required &= !requires_credentials(service, it);
        }
    }
    properties
}

fn requires_credentials(service: &Checked, it: Representation) -> bool {
    let view = view(service, it);
    let operations = view.map_or(&service.resources[it.resource].operations, |view| &view.operations);
    let creation = operations.iter().find(|operation| operation.kind == OperationKind::Create);
    let is_open = creation.is_some_and(|creation| creation.access.contains(&Access::Anyone));
    !is_open || view.is_some_and(View::requires_credentials)
}

/// A command: its outputs are null, or empty arrays and maps, until it is SUCCESSFUL; `errors` is empty unless it is
/// FAILED.
fn rendered<'a>(service: &'a Checked, command: &'a Command) -> Vec<Property<'a>> {
    let all = Selection::all(service);
    let mut properties = common();
    properties.push(Property::built_in("status", statuses()));
    properties.extend(all.properties(&command.input, Direction::Response { shows: false }));
    let outputs = all.properties(&command.output, Direction::Response { shows: true }).into_iter();
    let is_empty = |output: &Property<'_>| matches!(output.value, ValueType::Array { .. } | ValueType::Map { .. });
    properties.extend(outputs.map(|output| if is_empty(&output) { output } else { output.nullable() }));
    properties.push(Property::built_in("errors", problems()));
    properties
}

/// The status of a command (§2.6).
pub(super) fn statuses() -> ValueType<'static> {
    ValueType::Words(CommandStatus::ALL.map(CommandStatus::value).to_vec())
}

fn readiness() -> Vec<Property<'static>> {
    let words = |words: &[&'static str]| ValueType::Words(words.to_vec());
    vec![
        Property::built_in("status", words(&["ready"])),
        Property::built_in("store", words(&["ready"])),
        Property::built_in("bus", words(&["none", "unused", "ready", "away"])),
    ]
}

/// The operations of RFC 6902. Each has `value` (`add`, `replace`, `test`) or `from` (`move`, `copy`), or neither
/// (`remove`).
fn patch() -> ValueType<'static> {
    let text = || ValueType::Scalar(&TEXT);
    let properties = vec![
        Property::built_in("op", ValueType::Words(vec!["add", "remove", "replace", "move", "copy", "test"])),
        Property::built_in("path", text()),
        Property::built_in("from", text()).optional(),
        Property::built_in("value", ValueType::Any).optional().nullable(),
    ];
    let bounds = ArrayBounds { max_items: Some(MAX_PATCH_OPERATIONS as u32), ..ArrayBounds::default() };
    array(ValueType::Object { name: None, properties }, bounds)
}
