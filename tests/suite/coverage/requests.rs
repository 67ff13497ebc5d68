//! The requests for one operation: one that is right, and such that one thing is wrong with each.

use super::failing::{AWAY, BROKEN, Failing, LATE};
use crate::access::bodies::Bodies;
use crate::access::world::{Person, World, bearer, text};
use crate::client::{Api, BETA, PUBLIC, RETIRED, Reply, Request};
use crate::stream::Stream;
use restwell::testing::Setup;
use restwell_model::api::{HttpOperation, OperationRole, PathItem, PathSubject, SystemEndpoint};
use restwell_model::routes::{Action, Target, VARIABLE};
use restwell_model::{OperationKind, Resource, Type, Version};
use restwell_tests::scopes::scopes;
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::time::Duration;
use uuid::Uuid;

/// More bytes than a URI may have.
const LONG: usize = 9_000;
/// More bytes than a head may have.
const LARGE: usize = 200_000;
/// Bodies of which a creation should take one.
const CREATIONS: usize = 3;
/// More bytes than a body may have.
const HUGE: usize = 1_100_000;

/// Services that answer every operation as the one that is asked never does.
pub(super) struct Others {
    /// The authenticator fails.
    failing: Api,
    /// So it does, and no request has the time to wait for it.
    hasty: Api,
    /// No client may send another request.
    busy: Api,
    /// It does not describe itself.
    closed: Api,
}

impl Others {
    pub(super) fn start(api: &Api) -> Self {
        let busy = api.again(|setup| setup.rate_limit("1/PT1H"));
        busy.get("/");
        Self {
            failing: api.again(|setup| setup.authenticator(Failing)),
            hasty: api.again(|setup| setup.authenticator(Failing).request_timeout(Duration::from_millis(2))),
            busy,
            closed: api.again(Setup::without_contracts),
        }
    }
}

/// Who asks, and for what.
pub(super) struct Asking<'w> {
    world: &'w World<'w>,
    /// Whose entities are asked for.
    person: &'w Person,
    /// Credentials of the owner with every scope.
    master: String,
    /// Credentials of a user who has nothing.
    stranger: String,
    /// Numbers that bodies were made with.
    numbers: Cell<usize>,
}

/// An operation with what its path names.
struct Place<'a> {
    operation: &'a HttpOperation<'a>,
    resource: &'a Resource,
    target: Target,
    action: Action,
    path: String,
}

impl<'w> Asking<'w> {
    /// `stranger`: the id of a user who has nothing.
    pub(super) fn of(world: &'w World<'w>, person: &'w Person, stranger: &str) -> Self {
        Self {
            master: bearer(world.api, &person.id, &scopes(&world.model)),
            stranger: bearer(world.api, stranger, &[]),
            world,
            person,
            numbers: Cell::new(10),
        }
    }

    /// Asks for an operation in every way that needs nothing but it.
    pub(super) fn ask(&self, path: &PathItem<'_>, operation: &HttpOperation<'_>) {
        self.ask_edge(&path.pattern.replace(VARIABLE, &Uuid::now_v7().to_string()), operation);
        match (path.subject, operation.role) {
            (PathSubject::Resource { resource, target }, OperationRole::Action(action)) => {
                let resource = &self.world.model.resources[resource];
                let path = self.path(path, resource, target, action);
                self.ask_resource(&Place { operation, resource, target, action, path });
            }
            (_, OperationRole::System(endpoint)) | (PathSubject::System(endpoint), _) => self.ask_service(endpoint),
        }
    }

    /// What is refused before the path counts.
    fn ask_edge(&self, path: &str, operation: &HttpOperation<'_>) {
        let request = || self.world.api.request(operation.method, path);
        request().without("user-agent").send();
        request().header("x-long", &"x".repeat(LARGE)).send();
        self.world.api.request(operation.method, &format!("{path}?{}", "x".repeat(LONG))).send();
    }

    /// A path of the service itself.
    fn ask_service(&self, endpoint: SystemEndpoint) {
        let api = self.world.api;
        if endpoint == SystemEndpoint::Events {
            Stream::open(&api.events(endpoint.path()));
            api.events(endpoint.path()).header("authorization", "Bearer nonsense").send();
            api.events(endpoint.path()).header("last-event-id", "nonsense").send();
            api.events(&format!("{}?nothing=1", endpoint.path())).send();
            api.get(endpoint.path());
        } else if endpoint.is_described() {
            api.get(endpoint.path());
            api.get(&format!("{}?nothing=1", endpoint.path()));
            api.request("GET", endpoint.path()).header("if-none-match", "*").send();
        }
    }

    fn ask_resource(&self, place: &Place<'_>) {
        let bodies = self.bodies(place);
        let body = bodies.first();
        // tried first: what follows may take what must be unique, and what is deleted is needed later
        let is_deletion = place.operation.method == "DELETE";
        let tried = format!("{}?dryRun=true", place.path);
        if is_deletion || body.is_some() {
            bodies.iter().for_each(|body| drop(self.request(place, &tried, Some(body)).send()));
            self.request(place, &tried, None).send();
        }
        let target = if is_deletion { &tried } else { &place.path };
        let request = || self.request(place, target, body);
        request().header("authorization", "Bearer nonsense").send();
        request().header("content-type", "text/plain").send();
        self.request(place, &format!("{}?nothing=1", place.path), body).send();
        request().header("authorization", &self.stranger).send();
        if place.operation.takes_header("accept") {
            request().header("accept", "text/html").send();
            request().header("accept", RETIRED).send();
        }
        if place.operation.takes_header("if-match") {
            request().header("if-match", "\"other\"").send();
        }
        if let Some(body) = body {
            request().body(b"{").header("content-type", &self.media_type(place)).send();
            request().body(&vec![b' '; HUGE]).header("content-type", &self.media_type(place)).send();
            self.name_another(place, body);
        }
        let missing = place.path.replacen(&self.person.ids[&place.resource.name], &Uuid::now_v7().to_string(), 1);
        let others = [missing, Self::unknown_parent(place), self.unknown_search(place)];
        for path in others.iter().filter(|path| **path != place.path) {
            self.request(place, path, body).send();
        }
        if !is_deletion {
            self.succeed(place, &bodies);
        }
    }

    /// Deletes, in truth.
    pub(super) fn delete(&self, path: &PathItem<'_>, operation: &HttpOperation<'_>) {
        let (PathSubject::Resource { resource, target }, OperationRole::Action(action)) =
            (path.subject, operation.role)
        else {
            return;
        };
        let resource = &self.world.model.resources[resource];
        let new = self.created(&resource.name).map(|id| path.pattern.replacen(VARIABLE, &id, 1));
        let path = self.path(path, resource, target, action);
        let place = Place { operation, resource, target, action, path };
        for target in new.iter().chain([&place.path]) {
            self.request(&place, target, None).send();
        }
    }

    /// Asks in the right way until a body is taken.
    fn succeed(&self, place: &Place<'_>, bodies: &[Value]) {
        if bodies.is_empty() {
            self.request(place, &place.path, None).send();
            self.request(place, &place.path, None).header("if-none-match", "*").send();
        }
        let is_done = |reply: &Reply| reply.status < 300 || reply.status == 501;
        let mut bodies = bodies.iter();
        while bodies.next().is_some_and(|body| !is_done(&self.request(place, &place.path, Some(body)).send())) {}
    }

    /// A creation for another owner, by one who may only create for themselves.
    fn name_another(&self, place: &Place<'_>, body: &Value) {
        let (Some(owner), Action::Operation(OperationKind::Create)) = (place.resource.owner_field(), place.action)
        else {
            return;
        };
        let mut body = body.clone();
        body[owner] = json!({ "id": self.world.other.id });
        self.request(place, &place.path, Some(&body)).header("authorization", &self.stranger).send();
    }

    /// Asks for what time does: a search has expired, a command is no longer kept.
    pub(super) fn ask_late(&self, path: &PathItem<'_>, operation: &HttpOperation<'_>) {
        let (PathSubject::Resource { resource, target }, OperationRole::Action(action)) =
            (path.subject, operation.role)
        else {
            return;
        };
        let resource = &self.world.model.resources[resource];
        // a command that was sent
        let sent = match action {
            Action::PutCommand(command) => Action::GetCommand(command),
            action => action,
        };
        let path = self.path(path, resource, target, sent);
        let place = Place { operation, resource, target, action, path };
        match (action, self.world.searches.get(&resource.name)) {
            (Action::GetCommand(_) | Action::PutCommand(_), _) => {
                let body = self.bodies(&place).into_iter().next();
                drop(self.request(&place, &place.path, body.as_ref()).send());
            }
            (Action::GetSearch, _) => drop(self.request(&place, &place.path, None).send()),
            (Action::Operation(OperationKind::List), Some(search)) => {
                drop(self.request(&place, &format!("{}?search.id={search}", place.path), None).send());
            }
            _ => {}
        }
    }

    /// Asks services that are set up in other ways.
    pub(super) fn ask_others(&self, path: &PathItem<'_>, operation: &HttpOperation<'_>, others: &Others) {
        let id = Uuid::now_v7().to_string();
        let target = path.pattern.replace(VARIABLE, &id);
        let request = |api: &Api| match operation.role {
            OperationRole::System(SystemEndpoint::Events) => api.events(&target),
            OperationRole::System(_) | OperationRole::Action(_) => {
                let media_type = self.version(operation);
                let request = api.request(operation.method, &target);
                let request = if operation.request.is_empty() { request } else { request.body(b"{}") };
                let request =
                    if operation.request.is_empty() { request } else { request.header("content-type", media_type) };
                request.header("accept", media_type)
            }
        };
        request(&others.busy).send();
        if matches!(operation.role, OperationRole::System(endpoint) if endpoint.is_contract()) {
            request(&others.closed).send();
            return;
        }
        let asked = [(BROKEN, &others.failing), (AWAY, &others.failing), (LATE, &others.hasty)];
        for (token, api) in asked {
            request(api).header("authorization", &format!("Bearer {token}")).send();
        }
    }

    fn request(&self, place: &Place<'_>, target: &str, body: Option<&Value>) -> Request {
        let media_type = self.media_type(place);
        let request = self.world.api.request(place.operation.method, target);
        let request = match body {
            Some(body) => request.json(body).header("content-type", &media_type),
            None => request,
        };
        request.header("accept", &media_type).header("authorization", &self.master)
    }

    fn media_type(&self, place: &Place<'_>) -> String {
        self.version(place.operation).to_owned()
    }

    fn version(&self, operation: &HttpOperation<'_>) -> &'static str {
        if operation.versions.is_empty() || operation.versions.contains(&Version::Public) { PUBLIC } else { BETA }
    }

    /// The path of an operation, with the ids of what is the owner's, or of something new.
    fn path(&self, path: &PathItem<'_>, resource: &Resource, target: Target, action: Action) -> String {
        let world = self.world;
        let new = || Uuid::now_v7().to_string();
        let is_creation = action == Action::Operation(OperationKind::Create);
        let first = match target {
            Target::Collection { .. } | Target::Searches => String::new(),
            Target::Entity { .. } | Target::Commands { .. } | Target::Command { .. } => {
                self.person.ids[&resource.name].clone()
            }
            Target::Scoped { field } => match &resource.fields[field].ty {
                // a new one, because one creation under each may be all there can be
                Type::Ref { to, .. } if is_creation && world.model.users.as_ref() != Some(to) => {
                    self.created(to).unwrap_or_else(|| self.person.ids[to].clone())
                }
                Type::Ref { to, .. } => self.person.ids[to].clone(),
                _ => panic!("a scoped collection is under a reference"),
            },
            Target::Search => world.searches[&resource.name].clone(),
        };
        let second = match (target, action) {
            (Target::Command { command }, Action::GetCommand(_)) => {
                let name = resource.commands[command].name.clone();
                self.person.commands.get(&(resource.name.clone(), name)).cloned().unwrap_or_else(new)
            }
            _ => new(),
        };
        path.pattern.replacen(VARIABLE, &first, 1).replacen(VARIABLE, &second, 1)
    }

    /// The path under another parent: one that is not there.
    fn unknown_parent(place: &Place<'_>) -> String {
        let new = Uuid::now_v7().to_string();
        let is_scoped = matches!(place.target, Target::Scoped { .. });
        let segments = place.path.split('/');
        let other = segments.map(|it| if is_scoped && Uuid::try_parse(it).is_ok() { &new } else { it });
        other.collect::<Vec<_>>().join("/")
    }

    fn unknown_search(&self, place: &Place<'_>) -> String {
        match (place.target, self.world.searches.get(&place.resource.name)) {
            (Target::Search, Some(search)) => place.path.replacen(search, &Uuid::now_v7().to_string(), 1),
            _ => place.path.clone(),
        }
    }

    /// Bodies of which one should be taken; none for an operation without a body.
    fn bodies(&self, place: &Place<'_>) -> Vec<Value> {
        let made = |ids: &BTreeMap<String, String>, fields| {
            Bodies { model: &self.world.model, ids, number: self.number() }.body(fields)
        };
        match place.action {
            Action::Operation(OperationKind::Create) => (0..CREATIONS)
                .map(|_| self.distinguished(place.resource, made(&self.fresh(place), &place.resource.fields)))
                .collect(),
            Action::Operation(OperationKind::Update) => {
                let id = &self.person.ids[&place.resource.name];
                let shown = |path: &str| self.request_of(place, path).send();
                let paths = [place.path.clone(), format!("{}/{id}", place.resource.path())];
                let shown: Vec<_> = paths.iter().map(|path| shown(path)).filter(|reply| reply.status == 200).collect();
                let made = made(&self.person.ids, &place.resource.fields);
                shown.iter().map(Reply::json).chain([made]).collect()
            }
            Action::Operation(OperationKind::Patch) => vec![json!([])],
            Action::CreateSearch => vec![json!({ "limit": 1 })],
            Action::PutCommand(command) => {
                vec![made(&self.person.ids, &place.resource.commands[command].input)]
            }
            Action::Operation(OperationKind::List | OperationKind::Get | OperationKind::Delete)
            | Action::GetSearch
            | Action::GetCommand(_)
            | Action::ListCommands(_) => Vec::new(),
        }
    }

    fn number(&self) -> usize {
        self.numbers.replace(self.numbers.get() + 1)
    }

    /// A body with another text in what must be unique together.
    fn distinguished(&self, resource: &Resource, mut body: Value) -> Value {
        for name in resource.unique.iter().flatten() {
            let field = resource.field(name).map(|field| &field.ty);
            if let (Some(Type::String { format: None, .. }), Some(value)) = (field, body.get_mut(name)) {
                *value = json!(format!("{}{}", text(value), self.number()));
            }
        }
        body
    }

    /// A new entity of the person's, which nothing refers to; `None` where it cannot be.
    fn created(&self, resource: &str) -> Option<String> {
        let resource = self.world.model.resource(resource)?;
        let bodies = Bodies { model: &self.world.model, ids: &self.person.ids, number: self.number() };
        let body = self.distinguished(resource, bodies.body(&resource.fields));
        let request = self.world.api.request("POST", &resource.path()).json(&body);
        let made = request.header("authorization", &self.master).send();
        (made.status == 201).then(|| text(&made.json()["id"]))
    }

    /// The ids that a new entity may refer to: new ones, because one reference to each may be all there can be. What the
    /// path names is the person's.
    fn fresh(&self, place: &Place<'_>) -> BTreeMap<String, String> {
        let mut ids = self.person.ids.clone();
        for (index, field) in place.resource.fields.iter().enumerate() {
            let Type::Ref { to, .. } = &field.ty else { continue };
            let is_users = self.world.model.users.as_ref() == Some(to);
            let new = match place.path.split('/').find(|segment| Uuid::try_parse(segment).is_ok()) {
                Some(parent) if place.target == (Target::Scoped { field: index }) => Some(parent.to_owned()),
                _ if is_users => None,
                _ => self.created(to),
            };
            ids.extend(new.map(|id| (to.clone(), id)));
        }
        ids
    }

    /// GET of a path.
    fn request_of(&self, place: &Place<'_>, path: &str) -> Request {
        let request = self.world.api.request("GET", path).header("accept", &self.media_type(place));
        request.header("authorization", &self.master)
    }
}
