//! Where worst cases are sent: an action of the model at a path of an entity that is there.

use crate::values::{Ids, Values, settable, shown};
use restwell_model::resource::Access;
use restwell_model::routes::{Action, Endpoint, Target, VARIABLE, endpoints};
use restwell_model::{Checked, Command, Field, OperationKind, Resource, Type};
use restwell_testkit::http::Request;
use serde_json::Value;
use uuid::Uuid;

/// An action of an endpoint.
pub(crate) struct Site<'a> {
    pub(crate) values: &'a Values<'a>,
    pub(crate) resource: &'a Resource,
    pub(crate) action: Action,
    /// With [`VARIABLE`] where a command's id stands.
    pub(crate) path: String,
    /// Roughly the number of rows of each resource that can be filled.
    pub(crate) rows: usize,
    view: Option<usize>,
    token: Option<&'a str>,
}

/// Every action that the model announces and that is ready, at a path with ids of what is there.
pub(crate) fn sites<'a>(values: &'a Values<'a>, token: &'a str, rows: usize) -> Vec<Site<'a>> {
    let mut sites = Vec::new();
    for endpoint in endpoints(values.model) {
        for &action in &endpoint.actions {
            let resource = &values.model.resources[endpoint.resource];
            let is_ready = !matches!(action, Action::PutCommand(command) if !resource.commands[command].ready);
            if is_ready && let Some(path) = path(values.model, &endpoint, values.ids) {
                let view = match endpoint.target {
                    Target::Collection { view } | Target::Entity { view } => view,
                    _ => None,
                };
                // without credentials, so that every attacker counts as a different client
                let token = (!is_open(resource, view, action)).then_some(token);
                sites.push(Site { values, resource, action, path, rows, view, token });
            }
        }
    }
    sites
}

fn path(model: &Checked, endpoint: &Endpoint, ids: &Ids) -> Option<String> {
    let resource = &model.resources[endpoint.resource];
    let first = match endpoint.target {
        Target::Collection { .. } | Target::Searches => return Some(endpoint.pattern.clone()),
        // of nothing: a case that needs one posts it
        Target::Search => Uuid::from_u128(1).to_string(),
        Target::Scoped { field } => match &resource.fields[field].ty {
            Type::Ref { to, .. } => ids.get(to)?.clone(),
            _ => return None,
        },
        Target::Entity { .. } | Target::Commands { .. } | Target::Command { .. } => ids.get(&resource.name)?.clone(),
    };
    Some(endpoint.pattern.replacen(VARIABLE, &first, 1))
}

fn is_open(resource: &Resource, view: Option<usize>, action: Action) -> bool {
    let view = view.map(|view| &resource.views[view]);
    if view.is_some_and(|view| view.through.is_some()) {
        return false;
    }
    let operations = view.map_or(&resource.operations, |view| &view.operations);
    let access = match action {
        Action::Operation(kind) => operations.iter().find(|operation| operation.kind == kind).map(|o| &o.access),
        Action::PutCommand(command) | Action::GetCommand(command) | Action::ListCommands(command) => {
            Some(&resource.commands[command].access)
        }
        Action::CreateSearch | Action::GetSearch => None,
    };
    access.is_none_or(|access| access.contains(&Access::Anyone))
}

impl<'a> Site<'a> {
    /// What it is, for people.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.action.method(), self.path)
    }

    pub(crate) fn is(&self, kind: OperationKind) -> bool {
        self.action == Action::Operation(kind)
    }

    /// The command that is put here.
    fn command(&self) -> Option<&'a Command> {
        match self.action {
            Action::PutCommand(command) => Some(&self.resource.commands[command]),
            _ => None,
        }
    }

    /// The fields that a body sets here.
    pub(crate) fn settable(&self) -> Vec<&'a Field> {
        match self.command() {
            Some(command) => command.input.iter().collect(),
            None => settable(self.resource, self.view).collect(),
        }
    }

    /// The fields that lists have here.
    pub(crate) fn shown(&self) -> Vec<&'a Field> {
        let view = self.view.map(|view| self.resource.views[view].name.as_str());
        shown(self.resource, view).filter(|field| !field.write_only).collect()
    }

    /// The request that the site is about, without a body.
    pub(crate) fn request(&self, query: &str) -> Request {
        self.at(self.action.method(), &self.path, query)
    }

    /// A request with the token of a caller who has permission.
    pub(crate) fn at(&self, method: &str, path: &str, query: &str) -> Request {
        // of a command: another one each time
        let path = path.replacen(VARIABLE, &Uuid::now_v7().to_string(), 1);
        let target = if query.is_empty() { path } else { format!("{path}?{query}") };
        self.token.iter().fold(Request::new(method, &target), |request, token| request.bearer(token))
    }

    /// With a body.
    pub(crate) fn send(&self, query: &str, body: impl AsRef<[u8]>) -> Request {
        self.request(query).body(body.as_ref())
    }

    /// Where searches of the resource are posted.
    pub(crate) fn searches(&self) -> String {
        format!("/{}-searches", self.resource.singular())
    }

    /// A request with a body of JSON.
    pub(crate) fn json(&self, query: &str, body: &Value) -> Request {
        self.send(query, body.to_string())
    }
}
