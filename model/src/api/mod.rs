//! The complete HTTP interface of a service as one value: every path, what may be sent there, and every response.
//!
//! What describes a service to others (OpenAPI, AsyncAPI, clients, pages, the differences between two interfaces) is
//! made from an [`Api`] and repeats no rule of the conventions. An [`Api`] follows from a checked service alone; its
//! paths are those of [`routes::endpoints`], in that order, then the paths of the service itself.
//!
//! What depends on the model refers to it: a [`Property`] to its field, a filter to its type. What depends on the
//! configuration of a running service (rate limits, HTTPS, permitted origins) is listed with its condition.

mod codes;
mod criteria;
mod custom;
mod events;
mod filters;
mod headers;
mod held;
mod operation;
mod operation_head;
mod order;
mod parameters;
mod path;
mod responses;
mod schemas;
mod system;
#[cfg(test)]
mod tests;
mod value_codes;
mod values;

pub use codes::{COMMAND_CODES, EDGE_CODES};
pub use custom::{CustomBody, CustomParameter, CustomRoute, custom_route_faults};
pub(crate) use custom::{operation_name as custom_operation_name, value_of as custom_value};
pub use events::{EventAttribute, EventData, EventSchema, Events};
pub use filters::{FilterField, STATUS, all_filter_fields, command_filter_fields, filter_fields};
pub use headers::{COMMON_REQUEST_HEADERS, ERROR_HEADERS, Presence, RequestHeader, ResponseHeader, common_headers};
pub use operation::{AccessRule, BodyContent, HttpOperation, OperationRole};
pub use operation_head::OperationHead;
pub use order::{Asked, CallerKind, Refusal, SentBody, Situation};
pub use parameters::{
    DRY_RUN, FilterOperator, INCLUDE, LIMIT, OFFSET, ParameterKind, QueryParameter, SEARCH_ID, SORT, VersionedName,
    list_parameters,
};
pub use path::{PathId, PathIdKind, PathItem, PathSubject};
pub use responses::{HttpResponse, ResponseCase};
pub use schemas::{Representation, SchemaKey};
pub use system::SystemEndpoint;
pub use values::{ArrayBounds, FilledBy, MapBounds, Property, ValueType};

use crate::check::Checked;
use crate::routes;
use std::collections::BTreeMap;

/// The HTTP interface of a service.
#[derive(Debug, Clone)]
pub struct Api<'a> {
    /// The service that it describes.
    pub service: &'a Checked,
    /// Every path: those of the resources in the order of the table of routes, then those of the service itself.
    pub paths: Vec<PathItem<'a>>,
    /// What the bodies of requests, responses and events hold. A path refers to a schema by its key.
    pub schemas: BTreeMap<SchemaKey, ValueType<'a>>,
    /// The events that the service publishes (§6).
    pub events: Events<'a>,
}

/// The name of every operation on resources (see [`HttpOperation::name`]) with its endpoint and action.
pub(crate) fn operation_names(service: &Checked) -> Vec<(String, routes::Endpoint, routes::Action)> {
    let of_endpoint = |endpoint: routes::Endpoint| {
        // names do not depend on whether others may hold an entity
        let name = |action| operation::Call::of(service, &endpoint, action, false);
        let actions = endpoint.actions.clone().into_iter();
        actions.map(|action| (name(action).name(), endpoint.clone(), action)).collect::<Vec<_>>()
    };
    routes::endpoints(service).into_iter().flat_map(of_endpoint).collect()
}

impl<'a> Api<'a> {
    /// The interface of a service.
    #[must_use]
    pub fn of(service: &'a Checked) -> Self {
        let endpoints = routes::endpoints(service);
        let held = held::held(service);
        let resources = endpoints.iter().map(|it| PathItem::of_resource(service, it, held[it.resource]));
        let system = SystemEndpoint::ALL.iter().map(|endpoint| PathItem::of_system(service, *endpoint));
        let paths: Vec<_> = resources.chain(system).collect();
        let events = Events::of(service);
        let schemas = schemas::collect(service, &paths, &events);
        Self { service, paths, schemas, events }
    }

    /// Every operation, with its path.
    pub fn operations(&self) -> impl Iterator<Item = (&PathItem<'a>, &HttpOperation<'a>)> {
        self.paths.iter().flat_map(|path| path.operations.iter().map(move |operation| (path, operation)))
    }

    /// What a body holds; `None` for a key of another service.
    #[must_use]
    pub fn schema(&self, key: SchemaKey) -> Option<&ValueType<'a>> {
        self.schemas.get(&key)
    }
}
