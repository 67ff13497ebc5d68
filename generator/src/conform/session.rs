//! A run: it sends the requests of the cases within its limits, and has every response judged.

use super::access::{admits, may_set};
use super::callers::{Caller, Callers, caller_of};
use super::case::{BrokenRule, Ending, not_applicable};
use super::every_response;
use super::exchange::{Exchange, Request};
use super::section::Section;
use super::served::{ServedPath, media_type, place_of, referred};
use super::wire::Wire;
use super::world::{Known, World};
use restwell_model::api::{Api, HttpOperation, OperationRole};
use restwell_model::routes::{Target, VARIABLE};
use restwell_model::sample::BodyMaker;
use restwell_model::scalar::Timestamp;
use restwell_model::{Access, Field, Version};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use uuid::Uuid;

/// Responses that show the same broken rule in a report.
const MAX_SHOWN: usize = 3;
/// Requests in a row without a response, after which the run ends.
const MAX_SILENT: usize = 3;
/// Attempts to send a request that is refused by a rate limit.
const MAX_ATTEMPTS: usize = 5;
/// The longest pause before another attempt, whatever `Retry-After` says.
const MAX_PAUSE: Duration = Duration::from_secs(10);

/// Why a refusal shows nothing.
const DEPENDS: &str = "access depends on a role or a condition";

/// What a run may do.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) is_read_only: bool,
    pub(crate) requests: usize,
    pub(crate) end: Instant,
}

/// What became of a rule that every response is held to.
#[derive(Default)]
pub(crate) struct RuleRecord {
    pub(crate) seen: usize,
    pub(crate) broken: usize,
    pub(crate) failures: Vec<BrokenRule>,
}

/// A run.
pub(crate) struct Session<'a> {
    pub(crate) api: &'a Api<'a>,
    pub(crate) callers: Callers<'a>,
    pub(crate) world: World,
    pub(crate) maker: BodyMaker<'a>,
    /// The rules of every response, by section and rule.
    pub(crate) rules: BTreeMap<(Section, &'static str), RuleRecord>,
    pub(crate) wire: Wire,
    limits: Limits,
    pub(crate) sent: usize,
    silent: usize,
    number: usize,
    is_cleaning: bool,
}

impl<'a> Session<'a> {
    pub(crate) fn new(api: &'a Api<'a>, callers: Callers<'a>, wire: Wire, limits: Limits, seed: u64) -> Self {
        Self {
            api,
            callers,
            world: World::default(),
            maker: BodyMaker::new(api.service, seed).at(now()),
            rules: BTreeMap::new(),
            wire,
            limits,
            sent: 0,
            silent: 0,
            // texts of different runs differ by it
            number: 10_000 + (seed % 89_989) as usize * 10,
            is_cleaning: false,
        }
    }

    /// A number that no other body of the run has.
    pub(crate) fn number(&mut self) -> usize {
        self.number += 1;
        self.number
    }

    /// From here on what was created is deleted, even if the limits of the run are reached.
    pub(crate) fn clean(&mut self) {
        self.is_cleaning = true;
    }

    /// Whether the run may change something.
    pub(crate) fn may_change(&self) -> Result<(), Ending> {
        if self.limits.is_read_only { not_applicable("the run is read-only") } else { Ok(()) }
    }

    /// Sends a request. The response is held to the rules of every response.
    pub(crate) fn send(&mut self, request: &Request) -> Result<Exchange, Ending> {
        if !["GET", "HEAD", "OPTIONS"].contains(&request.method) {
            self.may_change()?;
        }
        let token = match self.token(request.caller)? {
            Some(token) => Some(token),
            None if request.caller == Caller::Nobody => None,
            None => return not_applicable("no token"),
        };
        for _ in 1..MAX_ATTEMPTS {
            let exchange = self.attempt(request, token.as_deref())?;
            if exchange.status() != 429 {
                self.check_token(&exchange)?;
                self.note(&exchange);
                return self.admitted(exchange);
            }
            let seconds = exchange.header("retry-after").and_then(|seconds| seconds.parse().ok()).unwrap_or(1);
            std::thread::sleep(Duration::from_secs(seconds).min(MAX_PAUSE));
        }
        Err(Ending::Stopped("the rate limit refuses every attempt (429)".to_owned()))
    }

    pub(crate) fn token(&mut self, caller: Caller) -> Result<Option<String>, Ending> {
        if caller.number().is_some() && !self.callers.has_tokens() {
            return not_applicable("no token");
        }
        self.callers.token(caller).map_err(|problem| Ending::Stopped(format!("the token command: {problem}")))
    }

    /// A token that is refused from the beginning ends the run: every case would show the same.
    fn check_token(&mut self, exchange: &Exchange) -> Result<(), Ending> {
        let caller = exchange.request.caller;
        if !self.callers.is_refused(caller, exchange.status()) {
            return Ok(());
        }
        let mut problem = format!("the service refuses {} (401)", self.callers.token_in_words(caller));
        if let Some(message) = exchange.json()["errors"][0]["message"].as_str() {
            problem.push_str(&format!(": {message}"));
        }
        problem.push_str(&self.provision(caller).unwrap_or_default());
        Err(Ending::Stopped(problem))
    }

    /// What a service whose users are made of claims may lack, and how it gets them.
    fn provision(&self, caller: Caller) -> Option<String> {
        let provision = self.api.service.user_subjects.as_ref()?.provision.as_ref()?;
        let words = |claims: Vec<&String>| claims.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
        let missing = &self.callers.user_claims(caller)?.missing;
        let reason = match () {
            () if self.limits.is_read_only => "which a run that is read-only does not send".to_owned(),
            () if !missing.is_empty() => format!("and no value was found for {}", words(missing.iter().collect())),
            () => "and those of the run do not make one".to_owned(),
        };
        let all = words(provision.values().collect());
        let way = "let the token command print tokens with claims that do, or name two users with `--user`";
        Some(format!("; `provision` makes users of the claims {all}, {reason}: {way}"))
    }

    /// The response, unless it refuses access that the run was not sure of.
    fn admitted(&self, exchange: Exchange) -> Result<Exchange, Ending> {
        let is_refusal = [401, 403, 404].contains(&exchange.status());
        if is_refusal && exchange.request.may_be_refused {
            return not_applicable(DEPENDS);
        }
        Ok(exchange)
    }

    fn attempt(&mut self, request: &Request, token: Option<&str>) -> Result<Exchange, Ending> {
        if !self.is_cleaning && (self.sent >= self.limits.requests || Instant::now() >= self.limits.end) {
            return Err(Ending::Stopped("the limits of the run are reached".to_owned()));
        }
        self.sent += 1;
        match self.wire.exchange(request, token) {
            Ok(response) => {
                self.silent = 0;
                Ok(Exchange { request: request.clone(), response })
            }
            Err(problem) => {
                self.silent += 1;
                if self.silent >= MAX_SILENT {
                    return Err(Ending::Stopped(problem));
                }
                let exchange = Exchange { request: request.clone(), response: Default::default() };
                let failure = BrokenRule { response: problem, ..exchange.failure("a response of HTTP") };
                Err(Ending::Failed(Box::new(failure)))
            }
        }
    }

    /// Holds a response to the rules of every response, and remembers what it created.
    fn note(&mut self, exchange: &Exchange) {
        every_response::judge(self.api, exchange, &mut |section, rule, result| {
            let record = self.rules.entry((section, rule)).or_default();
            record.seen += 1;
            if let Err(expected) = result {
                record.broken += 1;
                if record.failures.len() < MAX_SHOWN {
                    record.failures.push(exchange.failure(expected));
                }
            }
        });
        if exchange.request.method == "POST" && matches!(exchange.status(), 201 | 202) {
            let id = exchange.json()["id"].as_str().map(|id| format!("{}/{id}", exchange.request.path()));
            let created = self.location(exchange).or(id);
            self.world.created.extend(created);
        }
        if exchange.request.method == "PUT" && exchange.status() == 201 {
            self.world.created.push(exchange.request.path().to_owned());
        }
        // with a query it is a dry run
        if exchange.request.method == "DELETE" && matches!(exchange.status(), 202 | 204) {
            self.world.is_gone(&exchange.request.target);
        }
    }

    /// The path that `Location` names, after the base URL.
    pub(crate) fn location(&self, exchange: &Exchange) -> Option<String> {
        let location = exchange.header("location")?;
        let path = match location.split_once("://") {
            Some((_, rest)) => &rest[rest.find('/')?..],
            None => location,
        };
        Some(path.strip_prefix(self.wire.base.prefix.as_str()).unwrap_or(path).to_owned())
    }

    /// A request to an operation by the caller who may do most, in the version that it prefers.
    pub(crate) fn request(&self, operation: &HttpOperation<'_>, target: impl Into<String>) -> Result<Request, Ending> {
        if operation.access.any_of.is_empty() {
            return not_applicable("nobody has access to the operation");
        }
        let Some(caller) = caller_of(operation, &self.callers) else { return not_applicable("no token") };
        let mut request = Request::new(operation.method, target).by(caller);
        request.may_be_refused = self.may_be_refused(operation, caller)?;
        Ok(match operation.takes_header("Accept") {
            true => request.header("accept", media_type(self.api, operation)),
            false => request,
        })
    }

    /// Whether access to an operation depends on what the run cannot know. A list is asked only if the run knows that
    /// it shows what the run has created.
    fn may_be_refused(&self, operation: &HttpOperation<'_>, caller: Caller) -> Result<bool, Ending> {
        let service = self.api.service;
        let Some((index, target)) = place_of(self.api, operation) else { return Ok(false) };
        let resource = &service.resources[index];
        let scopes = self.callers.scopes_of(caller);
        // the first user owns what the run creates
        let owns = caller.number().map_or(Some(false), |_| self.owns_all(index));
        // what it has found may belong to others
        let is_created = self.world.of(index).all(|known| !known.posted.is_null());
        let is_owner = caller.number().and(if is_created { Some(true) } else { owns });
        let access = admits(service, &operation.access.any_of, scopes, is_owner);
        let visible = match Access::excludes_some(&resource.visible) {
            true => admits(service, &resource.visible, scopes, owns),
            false => Some(true),
        };
        let is_list = matches!(operation.role, OperationRole::Action(action) if action.is_list());
        let has_condition = operation.access.any_of.iter().any(|access| access.condition().is_some());
        // what the run has found is what the list shows to its caller
        let is_known = self.world.of(index).all(|known| known.posted.is_null());
        if is_list && !is_known && (visible != Some(true) || has_condition && access != Some(true)) {
            return not_applicable("a condition decides what the list shows");
        }
        let is_hidden = match target {
            Target::Entity { view: Some(view) } => resource.views[view].filter.is_some(),
            Target::Scoped { field } => !self.sees_parent(&resource.fields[field], caller),
            _ => false,
        };
        Ok(access.is_none() || access == Some(false) || visible != Some(true) || is_hidden)
    }

    /// Whether a caller certainly sees the entity that a scoped collection is under.
    pub(crate) fn sees_parent(&self, field: &Field, caller: Caller) -> bool {
        let Some(index) = referred(self.api, field) else { return true };
        let parent = &self.api.service.resources[index];
        let owns = if caller.number() == Some(1) { self.owns_all(index) } else { Some(false) };
        let sees = || admits(self.api.service, &parent.visible, self.callers.scopes_of(caller), owns);
        !Access::excludes_some(&parent.visible) || sees() == Some(true)
    }

    /// Whether the caller of an operation certainly may set a field: of a new entity, or of one that is there.
    pub(crate) fn may_set(&self, operation: &HttpOperation<'_>, field: &Field, is_new: bool) -> bool {
        let Some((scopes, owns)) = self.rights(operation, is_new) else { return false };
        may_set(self.api.service, field, scopes, Some(owns), is_new) == Some(true)
    }

    /// Whether the caller of an operation certainly sees a field.
    pub(crate) fn sees(&self, operation: &HttpOperation<'_>, field: &Field, is_new: bool) -> bool {
        let Some((scopes, owns)) = self.rights(operation, is_new) else { return false };
        !field.is_hidden() || admits(self.api.service, &field.visible, scopes, Some(owns)) == Some(true)
    }

    /// The scopes of the caller of an operation, and whether the caller owns the entity.
    fn rights(&self, operation: &HttpOperation<'_>, is_new: bool) -> Option<(&[String], bool)> {
        let caller = caller_of(operation, &self.callers)?;
        // the first user owns what the run creates; a new user is their own owner
        let is_user = place_of(self.api, operation).is_some_and(|(index, _)| self.is_users(index));
        let owns = caller.number() == Some(1) && !(is_user && is_new);
        Some((self.callers.scopes_of(caller), owns))
    }

    /// Whether a resource is that of the users.
    pub(crate) fn is_users(&self, resource: usize) -> bool {
        self.api.service.users.as_ref() == Some(&self.api.service.resources[resource].name)
    }

    /// Whether a caller owns an entity; `None` if it does not say, or if the run does not know who the caller is.
    pub(crate) fn owns(&self, caller: Caller, known: &Known) -> Option<bool> {
        if caller.number().is_none() {
            return Some(false);
        }
        let user = self.callers.id(caller)?;
        World::is_owned(self.api, &self.api.service.resources[known.resource], known, Some(user))
    }

    /// Whether the first user owns every entity of a resource that the run knows.
    fn owns_all(&self, resource: usize) -> Option<bool> {
        self.world.of(resource).all(|known| self.owns(Caller::Owner, known) == Some(true)).then_some(true)
    }

    /// The same with a body.
    pub(crate) fn request_with(
        &self,
        operation: &HttpOperation<'_>,
        target: impl Into<String>,
        body: &Value,
    ) -> Result<Request, Ending> {
        let media_type = media_type(self.api, operation);
        Ok(self.request(operation, target)?.header("content-type", media_type).text(body.to_string()))
    }

    /// The path of something that exists; `None` if there is nothing of the kind.
    pub(crate) fn target(&self, served: &ServedPath<'_>) -> Option<String> {
        let pattern = &served.path.pattern;
        let with = |id: &str| pattern.replacen(VARIABLE, id, 1);
        match served.target {
            Target::Collection { .. } | Target::Searches => Some(pattern.clone()),
            Target::Search => self.world.searches.get(&served.index).map(|id| with(id)),
            Target::Entity { .. } | Target::Commands { .. } => {
                self.world.first(served.index).map(|known| with(&known.id))
            }
            Target::Command { .. } => self
                .world
                .first(served.index)
                .map(|known| with(&known.id).replacen(VARIABLE, &Uuid::now_v7().to_string(), 1)),
            Target::Scoped { .. } => self.parent(served).map(|id| with(&id)),
        }
    }

    /// The entity that a scoped collection is under: of an owner's, the first user.
    pub(crate) fn parent(&self, served: &ServedPath<'_>) -> Option<String> {
        let Target::Scoped { field } = served.target else { return None };
        let index = referred(self.api, served.resource.fields.get(field)?)?;
        let user = || self.callers.id(Caller::Owner).filter(|id| self.world.of(index).any(|known| known.id == *id));
        let user = if self.is_users(index) { user().map(str::to_owned) } else { None };
        user.or_else(|| self.world.first(index).map(|known| known.id.clone()))
    }

    /// The same, or the reason why a case shows nothing.
    pub(crate) fn existing(&self, served: &ServedPath<'_>) -> Result<String, Ending> {
        match self.target(served) {
            Some(target) => Ok(target),
            None => not_applicable("there is no entity to ask about"),
        }
    }
}

/// The time of the run.
fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64);
    Timestamp::from_millis(since).unwrap_or(Timestamp::MIN)
}

/// The version that an operation prefers.
pub(crate) fn preferred(operation: &HttpOperation<'_>) -> Version {
    operation.versions.first().copied().unwrap_or(Version::PUBLIC)
}
