//! An operation: who may call it, what it takes, how it responds, and what can be called next.

use super::responses::is_common_error;
use super::{Emitter, tag, wording};
use crate::api::{
    AccessRule, BodyContent, HttpOperation, HttpResponse, OperationRole, PathItem, PathSubject, SEARCH_ID, SchemaKey,
};
use crate::contracts::json_tree::{JsonTree, object, texts};
use crate::contracts::samples;
use crate::contracts::schemas::{deprecated, goes_away};
use crate::resource::{Access, OperationKind};
use crate::routes::{Action, Target};

impl Emitter<'_, '_> {
    pub(super) fn operation(&mut self, path: &PathItem<'_>, operation: &HttpOperation<'_>) -> JsonTree {
        let parameters = self.query_and_headers(path, operation);
        let request = self.contents(&operation.request);
        let to_come = operation.success_to_come.iter().map(|response| (response, true));
        let (common, own): (Vec<_>, Vec<_>) = operation.responses.iter().partition(|it| is_common_error(it));
        let responses = to_come.chain(own.into_iter().map(|response| (response, false)));
        let responses = responses.map(|(response, is_to_come)| {
            let links = self.links(path, operation, response);
            let tree = self.response(response, links);
            let tree = if is_to_come { tree.with("description", wording::TO_COME) } else { tree };
            (response.status.to_string(), tree)
        });
        let responses = JsonTree::Object(responses.collect());
        let responses = responses.with_some("default", self.common_errors(&common));
        let scopes = operation.access.any_of.iter().filter_map(|access| match access {
            Access::Scope(scope) => Some(scope.as_str()),
            Access::Anyone | Access::User | Access::Owner | Access::Role(_) | Access::When(_) | Access::Named(_) => {
                None
            }
        });
        let tree = object([
            ("operationId", operation.name.as_str().into()),
            ("tags", texts([tag(self.api, path)])),
            ("summary", wording::summary(self.api.service, path, operation).into()),
            ("description", self.described(path, operation).into()),
            ("security", security(&operation.access)),
        ]);
        let tree = tree.with_some("x-operation", self.origin(path, operation));
        let tree = deprecated(tree.with_filled("x-scopes", texts(scopes)), operation.deprecation);
        let tree = self.with_conditions(tree, path, operation);
        let tree = tree.with_filled("parameters", JsonTree::List(parameters));
        let tree = match request {
            JsonTree::Object(members) if members.is_empty() => tree,
            content => {
                tree.with("requestBody", object([("required", operation.requires_body().into()), ("content", content)]))
            }
        };
        tree.with("responses", responses)
    }

    /// What an operation does, and which of its versions go away.
    fn described(&self, path: &PathItem<'_>, operation: &HttpOperation<'_>) -> String {
        let PathSubject::Resource { resource, .. } = path.subject else { return wording::description(operation) };
        let notices = self.api.service.resources[resource].notices.versions.iter();
        let served = notices.filter(|(version, _)| operation.versions.contains(version) && self.has(&[**version]));
        let going = served.map(|(version, notice)| goes_away(&version.to_string(), *notice));
        let conditions = self.conditions_in_words(path, operation);
        std::iter::once(wording::description(operation)).chain(conditions).chain(going).collect::<Vec<_>>().join(" ")
    }

    /// What an operation is in the model: of which resource, in which view, under which reference, of which command.
    fn origin(&self, path: &PathItem<'_>, operation: &HttpOperation<'_>) -> Option<JsonTree> {
        let (PathSubject::Resource { resource, target }, OperationRole::Action(action)) =
            (path.subject, operation.role)
        else {
            return None;
        };
        let resource = &self.api.service.resources[resource];
        let (view, under, command) = match target {
            Target::Collection { view } | Target::Entity { view } => (view, None, None),
            Target::Scoped { field } => (None, Some(field), None),
            Target::Commands { command } | Target::Command { command } => (None, None, Some(command)),
            Target::Searches | Target::Search => (None, None, None),
        };
        let action = match action {
            Action::Operation(kind) => kind.word(),
            Action::CreateSearch => "createSearch",
            Action::GetSearch => "getSearch",
            Action::PutCommand(_) => "submit",
            Action::GetCommand(_) => "status",
            Action::ListCommands(_) => "listCommands",
        };
        let tree = object([("resource", resource.name.as_str().into()), ("action", action.into())]);
        let tree = tree.with_some("view", view.map(|view| resource.views[view].name.as_str()));
        let tree = tree.with_some("under", under.map(|field| resource.fields[field].name.as_str()));
        Some(tree.with_some("command", command.map(|command| resource.commands[command].name.as_str())))
    }

    /// Bodies by media type.
    pub(super) fn contents(&mut self, contents: &[BodyContent]) -> JsonTree {
        let kept: Vec<_> = contents.iter().filter(|content| self.has(content.version.as_slice())).cloned().collect();
        let described = kept.iter().map(|content| {
            let media_type = match content.schema {
                Some(key) => {
                    let schema = self.schemas.body(key);
                    self.example(key);
                    object([("schema", schema)])
                }
                None => object([("schema", of_unknown(&content.media_type))]),
            };
            (content.media_type.clone(), media_type)
        });
        JsonTree::Object(described.collect())
    }

    /// Keeps an example of a body for its schema. That of a collection follows from its items.
    fn example(&mut self, key: SchemaKey) {
        let name = self.schemas.name(key).to_owned();
        if !is_collection(key)
            && !self.schemas.is_like_another(key)
            && !self.examples.contains_key(&name)
            && let Some(example) = samples::body(self.api, key)
        {
            self.examples.insert(name, example);
        }
    }

    /// What can be done with something new: the operations at its location, and the lists that take its search.
    fn links(&self, path: &PathItem<'_>, operation: &HttpOperation<'_>, response: &HttpResponse) -> JsonTree {
        let none = JsonTree::Object(Vec::new());
        let (Some(location), OperationRole::Action(action)) = (&response.location, operation.role) else { return none };
        if response.status != 201 {
            return none;
        }
        let Some(target) = self.api.paths.iter().find(|path| path.path == *location) else { return none };
        let Some((id, outer)) = target.ids.split_last() else { return none };
        let parameters = || {
            let outer = outer.iter().map(|id| (id.name.clone(), format!("$request.path.{}", id.name).into()));
            JsonTree::Object(outer.chain([(id.name.clone(), "$response.body#/id".into())]).collect())
        };
        let link = |name: &str, parameters| {
            (name.to_owned(), object([("operationId", name.into()), ("parameters", parameters)]))
        };
        let next = target.operations.iter().filter(|next| next.method != operation.method && self.has(&next.versions));
        let mut links: Vec<_> = next.map(|next| link(&next.name, parameters())).collect();
        if action == Action::CreateSearch {
            let is_list =
                |it: &HttpOperation<'_>| it.role == OperationRole::Action(Action::Operation(OperationKind::List));
            let lists = self.api.operations().filter(|(at, it)| {
                at.ids.is_empty() && resource_of(at) == resource_of(path) && is_list(it) && self.has(&it.versions)
            });
            let by_search = || object([(SEARCH_ID, "$response.body#/id".into())]);
            links.extend(lists.map(|(_, list)| link(&list.name, by_search())));
        }
        JsonTree::Object(links)
    }
}

fn resource_of(path: &PathItem<'_>) -> Option<usize> {
    match path.subject {
        PathSubject::Resource { resource, .. } => Some(resource),
        PathSubject::System(_) => None,
    }
}

fn is_collection(key: SchemaKey) -> bool {
    matches!(
        key,
        SchemaKey::Collection(_)
            | SchemaKey::FormerCollection(_)
            | SchemaKey::CommandCollection { .. }
            | SchemaKey::FormerCommandCollection { .. }
    )
}

/// Bad credentials are refused even where none are required.
pub(super) fn security(access: &AccessRule) -> JsonTree {
    let bearer = object([("bearer", JsonTree::List(Vec::new()))]);
    let nobody = (!access.requires_credentials).then(|| object([]));
    JsonTree::List(nobody.into_iter().chain([bearer]).collect())
}

/// A body that is not described: text, a stream, a document of another standard.
fn of_unknown(media_type: &str) -> JsonTree {
    let is_json = media_type == "application/json";
    object([("type", if is_json { "object".into() } else { "string".into() })])
}
