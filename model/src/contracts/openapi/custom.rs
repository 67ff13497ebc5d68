//! Routes of a service's own code: what they say of themselves, beside the paths of the resources.

use super::operation::security;
use super::{Emitter, SERVICE_TAG};
use crate::api::{AccessRule, CustomBody, CustomRoute, OperationRole, PathId, PathIdKind, PathSubject, SEARCH_ID};
use crate::api::{custom_operation_name, custom_value};
use crate::contracts::json_tree::{JsonTree, object, texts};
use crate::contracts::schemas::sentence;
use crate::names;
use crate::resource::{Access, OperationKind, Version};
use crate::routes::{Action, Target};

impl Emitter<'_, '_> {
    /// The paths of custom routes, in the order in which they were first named.
    pub(super) fn custom_paths(&mut self, routes: &[CustomRoute]) -> Vec<(String, JsonTree)> {
        if !self.has(&[Version::PUBLIC]) {
            return Vec::new();
        }
        let mut paths: Vec<(String, JsonTree)> = Vec::new();
        for route in routes {
            let operation = self.custom_operation(route);
            let method = route.method.to_ascii_lowercase();
            let path = route.path.replace("{*", "{");
            match paths.iter_mut().find(|(known, _)| *known == path) {
                Some((_, JsonTree::Object(members))) => members.push((method, operation)),
                _ => {
                    let variables = JsonTree::List(route.variables().map(|name| self.path_variable(name)).collect());
                    let item = object([]).with_filled("parameters", variables).with(&method, operation);
                    paths.push((path, item));
                }
            }
        }
        paths
    }

    fn custom_operation(&mut self, route: &CustomRoute) -> JsonTree {
        let requires_credentials = !route.access.is_empty() && !route.access.contains(&Access::Anyone);
        let access = AccessRule { any_of: route.access.clone(), requires_credentials, can_be_forbidden: false };
        let scopes = route.access.iter().filter_map(|access| match access {
            Access::Scope(scope) => Some(scope.as_str()),
            Access::Anyone | Access::User | Access::Owner | Access::Role(_) | Access::When(_) | Access::Named(_) => {
                None
            }
        });
        let name = custom_operation_name(route);
        let summary = route.summary.as_deref().unwrap_or(&name).trim_end_matches('.').to_owned();
        let tree = object([
            ("operationId", name.as_str().into()),
            ("tags", texts([self.custom_tag(&route.path)])),
            ("summary", summary.into()),
        ]);
        let tree = tree.with_some("description", route.description.as_deref().map(sentence));
        let tree = tree.with("security", security(&access)).with_filled("x-scopes", texts(scopes));
        let tree = tree.with_filled("parameters", JsonTree::List(self.custom_parameters(route)));
        let tree = match &route.request {
            Some(body) => {
                let content = self.custom_content(body, true);
                tree.with("requestBody", object([("required", true.into()), ("content", content)]))
            }
            None => tree,
        };
        let mut responses: Vec<_> = route
            .responses
            .iter()
            .map(|(status, body)| {
                let tree = object([("description", "Done.".into())]);
                let content = body.as_ref().map(|body| self.custom_content(body, false));
                (status.to_string(), tree.with_some("content", content))
            })
            .collect();
        if responses.is_empty() {
            responses.push(("default".to_owned(), object([("description", "As its code responds.".into())])));
        }
        for failure in route.failures(self.api.service) {
            responses.push((failure.status.to_string(), self.response(&failure, object([]))));
        }
        tree.with("responses", JsonTree::Object(responses))
    }

    /// That of the resource whose collection the path begins with, else that of the service.
    fn custom_tag(&self, path: &str) -> String {
        let first = path.split('/').nth(1).unwrap_or_default();
        let known = self.api.service.resources.iter().any(|resource| resource.plural == first);
        if known { first } else { SERVICE_TAG }.to_owned()
    }

    /// The id of an entity, if it is called after a resource; else any text.
    fn path_variable(&mut self, name: &str) -> JsonTree {
        let resources = &self.api.service.resources;
        let named = resources.iter().position(|it| format!("{}Id", names::camel(&it.name)) == name);
        match named {
            Some(resource) => self.path_id(&PathId { name: name.to_owned(), kind: PathIdKind::Entity(resource) }),
            None => object([
                ("name", name.into()),
                ("in", "path".into()),
                ("required", true.into()),
                ("schema", object([("type", "string".into())])),
            ]),
        }
    }

    fn custom_parameters(&mut self, route: &CustomRoute) -> Vec<JsonTree> {
        let own = route.parameters.iter().map(|it| {
            let text = object([("type", "string".into())]);
            let tree = object([("name", it.name.as_str().into()), ("in", "query".into())]);
            let tree = if it.is_required { tree.with("required", true) } else { tree };
            tree.with("description", sentence(&it.meaning)).with("schema", text)
        });
        let mut parameters: Vec<_> = own.collect();
        let api = self.api;
        let list = route.filters.as_deref().and_then(|name| {
            let is_list = OperationRole::Action(Action::Operation(OperationKind::List));
            api.operations().find(|(path, operation)| match path.subject {
                PathSubject::Resource { resource, target: Target::Collection { view: None } } => {
                    api.service.resources[resource].name == name && operation.role == is_list
                }
                PathSubject::Resource { .. } | PathSubject::System(_) => false,
            })
        });
        if let Some((path, list)) = list {
            let taken = list.query.iter().filter(|parameter| parameter.name != SEARCH_ID);
            parameters.extend(taken.map(|parameter| self.query(path, list, parameter)).collect::<Vec<_>>());
        }
        parameters
    }

    fn custom_content(&mut self, body: &CustomBody, is_request: bool) -> JsonTree {
        let public = Version::PUBLIC.media_type(&self.api.service.vendor);
        let (media_type, schema) = match body {
            CustomBody::Described(name) => (public, self.custom_schema(name, is_request)),
            CustomBody::Json => (public, object([])),
            CustomBody::Media(media_type) => (media_type.clone(), object([("type", "string".into())])),
        };
        JsonTree::Object(vec![(media_type, object([("schema", schema)]))])
    }

    fn custom_schema(&mut self, name: &str, is_request: bool) -> JsonTree {
        match custom_value(self.api.service, name, is_request) {
            Some((Some(key), _)) if self.api.schema(key).is_some() => self.schemas.body(key),
            Some((_, value)) => self.schemas.custom(name, &value, is_request),
            None => object([]),
        }
    }
}
