//! OpenAPI 3.1.1. What it has no words for is in extensions: `x-error-codes`, `x-scopes`, `x-versions`, `x-sunset`,
//! `x-default`, `x-extensible-enum`, `x-operation`, `x-resource`, `x-event-types`, `x-sortable`, `x-roles`,
//! `x-conditions`, `x-access`, `x-visible`, `x-writable`, `x-where`, `x-rules`, `x-lifecycle`, `x-required-when`,
//! `x-default-is`, `x-is`, `x-system-operation`, `x-response-headers`, `x-error-headers`, `x-request-headers`,
//! `x-statuses`.

mod conditions;
mod custom;
mod operation;
mod parameters;
mod responses;
mod wording;

use super::about::{Contract, info};
use super::components::{Components, write_single};
use super::json_tree::{JsonTree, object, texts};
use super::schemas::{Schemas, sentence};
use crate::api::{
    Api, COMMON_REQUEST_HEADERS, CustomRoute, ERROR_HEADERS, HttpOperation, PathItem, PathSubject, SystemEndpoint,
    common_headers,
};
use crate::resource::Version;
pub(super) use conditions::{access_list, printed};
use conditions::{named, rules, states, visible_in_words};
use std::collections::BTreeMap;

/// What a document is for.
#[derive(Debug, Clone, Copy, Default)]
pub struct ContractOptions<'o> {
    /// Only what this version has, for generators that understand one media type only; `None`: all versions.
    pub only: Option<Version>,
    /// Where the service is: `https://api.example.com`. `None`: where the document was read.
    pub server: Option<&'o str>,
}

/// The HTTP interface of a service in the form of OpenAPI 3.1.1.
#[must_use]
pub fn openapi(api: &Api<'_>, options: ContractOptions<'_>) -> JsonTree {
    openapi_with_routes(api, options, &[])
}

/// The same, with the routes of the service's own code.
#[must_use]
pub fn openapi_with_routes(api: &Api<'_>, options: ContractOptions<'_>, routes: &[CustomRoute]) -> JsonTree {
    let mut emitter = Emitter::new(api, options.only);
    let mut paths: Vec<(String, JsonTree)> = Vec::new();
    for path in &api.paths {
        let Some(item) = emitter.path(path) else { continue };
        // a path of the service itself that is a resource's too has one item: with the operations of the resource
        match paths.iter_mut().find(|(known, _)| matches!(path.subject, PathSubject::System(_)) && *known == path.path)
        {
            Some((_, known)) => *known = known.clone().with_some(SYSTEM_OPERATION, item.get("get").cloned()),
            None => paths.push((path.path.clone(), item)),
        }
    }
    paths.extend(emitter.custom_paths(routes));
    let service = api.service;
    let title = service.title.clone().unwrap_or_else(|| service.name.clone());
    let info = info(service, title, wording::introduction(service), Contract::OpenApi);
    let server = object([("url", options.server.filter(|url| !url.is_empty()).unwrap_or("/").into())]);
    let of_responses = emitter.listed_headers(&common_headers());
    let of_errors = emitter.listed_headers(&ERROR_HEADERS);
    let repeated: Vec<_> = emitter.repeated().collect();
    let mut document = object([
        ("openapi", "3.1.1".into()),
        ("info", info),
        ("servers", JsonTree::List(vec![server])),
        ("tags", tags(api, options.only)),
        ("security", JsonTree::List(Vec::new())),
        ("paths", JsonTree::Object(paths)),
        ("components", emitter.into_components()),
    ])
    .with("x-request-headers", parameters::listed_headers(&COMMON_REQUEST_HEADERS))
    .with("x-response-headers", of_responses)
    .with("x-error-headers", of_errors)
    .with_filled("x-roles", named(&service.roles))
    .with_filled("x-conditions", named(&service.conditions));
    write_single(&mut document, repeated.into_iter());
    document
}

/// The member of a path with the operation of the service itself, where the path is a resource's too. OpenAPI has one
/// operation for each method of a path, and tools read those of the resource.
const SYSTEM_OPERATION: &str = "x-system-operation";

/// The parts of a document while it is made.
struct Emitter<'e, 'a> {
    api: &'e Api<'a>,
    only: Option<Version>,
    schemas: Schemas<'e, 'a>,
    parameters: Components,
    headers: Components,
    responses: Components,
    /// Examples of bodies by the names of their schemas.
    examples: BTreeMap<String, JsonTree>,
}

impl<'e, 'a> Emitter<'e, 'a> {
    fn new(api: &'e Api<'a>, only: Option<Version>) -> Self {
        Self {
            api,
            only,
            schemas: Schemas::new(api),
            parameters: Components::new("#/components/parameters/"),
            headers: Components::new("#/components/headers/"),
            responses: Components::new("#/components/responses/"),
            examples: BTreeMap::new(),
        }
    }

    /// Whether the document has what is of these versions; what is of none is in each.
    fn has(&self, versions: &[Version]) -> bool {
        self.only.is_none_or(|only| versions.is_empty() || versions.contains(&only))
    }

    fn is_documented(&self, path: &PathItem<'_>, operation: &HttpOperation<'_>) -> bool {
        let is_described = match path.subject {
            PathSubject::Resource { .. } => true,
            PathSubject::System(endpoint) => endpoint.is_described(),
        };
        is_described && self.has(&operation.versions)
    }

    fn path(&mut self, path: &PathItem<'_>) -> Option<JsonTree> {
        let documented: Vec<_> =
            path.operations.iter().filter(|operation| self.is_documented(path, operation)).collect();
        let operations: Vec<_> = documented
            .into_iter()
            .map(|operation| (operation.method.to_ascii_lowercase(), self.operation(path, operation)))
            .collect();
        if operations.is_empty() {
            return None;
        }
        let ids = JsonTree::List(path.ids.iter().map(|id| self.path_id(id)).collect());
        let JsonTree::Object(mut members) = object([]).with_filled("parameters", ids) else { return None };
        members.extend(operations);
        Some(JsonTree::Object(members))
    }

    /// References to the parts that are written in place if they are used once.
    fn repeated(&self) -> impl Iterator<Item = String> {
        let of_schemas = self.schemas.parts.repeated();
        of_schemas.chain(self.parameters.repeated()).chain(self.responses.repeated())
    }

    fn into_components(mut self) -> JsonTree {
        for (name, example) in std::mem::take(&mut self.examples) {
            self.schemas.parts.extend(&name, "examples", JsonTree::List(vec![example]));
        }
        let bearer = object([
            ("type", "http".into()),
            ("scheme", "bearer".into()),
            ("bearerFormat", "JWT".into()),
            ("description", "A token of the issuer that the operator has configured.".into()),
        ]);
        object([
            ("schemas", self.schemas.parts.into_tree()),
            ("responses", self.responses.into_tree()),
            ("parameters", self.parameters.into_tree()),
            ("headers", self.headers.into_tree()),
            ("securitySchemes", object([("bearer", bearer)])),
        ])
    }
}

/// A tag for each resource and one for the service itself, by name. That of a resource has the types of its events.
fn tags(api: &Api<'_>, only: Option<Version>) -> JsonTree {
    let is_there = |versions: &[Version]| only.is_none_or(|only| versions.contains(&only));
    let tag = |name: &str, description: String| object([("name", name.into()), ("description", description.into())]);
    let resources = api.service.resources.iter().enumerate().filter(|(_, resource)| is_there(&resource.versions));
    let of_resources = resources.map(|(index, resource)| {
        let description = resource.description.as_deref().unwrap_or(&resource.name);
        let events = api.events.kinds.iter().filter(|kind| kind.resource == index);
        let events = texts(events.map(|kind| kind.event_type.as_str()));
        let description =
            std::iter::once(sentence(description)).chain(visible_in_words(resource)).collect::<Vec<_>>().join(" ");
        let tree = tag(&resource.plural, description).with("x-resource", resource.name.as_str());
        let tree = tree.with_filled("x-event-types", events).with_filled("x-conditions", named(&resource.conditions));
        let tree = tree.with_filled("x-visible", access_list(&resource.visible));
        (
            resource.plural.as_str(),
            tree.with_some("x-rules", rules(resource)).with_some("x-lifecycle", states(resource)),
        )
    });
    let of_service = "The service itself: its events and its descriptions for programs.".to_owned();
    let mut tags: Vec<_> = of_resources.chain([(SERVICE_TAG, tag(SERVICE_TAG, of_service))]).collect();
    tags.sort_by_key(|(name, _)| *name);
    JsonTree::List(tags.into_iter().map(|(_, tag)| tag).collect())
}

/// The tag of the paths of the service itself.
const SERVICE_TAG: &str = "service";

/// The tag of a path.
fn tag<'s>(api: &'s Api<'_>, path: &PathItem<'_>) -> &'s str {
    match path.subject {
        PathSubject::Resource { resource, .. } => &api.service.resources[resource].plural,
        PathSubject::System(
            SystemEndpoint::Livez
            | SystemEndpoint::Readyz
            | SystemEndpoint::Metrics
            | SystemEndpoint::Events
            | SystemEndpoint::OpenApi
            | SystemEndpoint::AsyncApi
            | SystemEndpoint::Model
            | SystemEndpoint::Root
            | SystemEndpoint::Docs,
        ) => SERVICE_TAG,
    }
}
