//! Every operation with headers, callers, bodies and targets that vary, against the order of checks
//! ([`PathItem::admit`](restwell_model::api::PathItem::admit)): negotiation, access, and the errors before validation.

use crate::conform::access::{admits, holds_role as holds_role_of};
use crate::conform::callers::Caller;
use crate::conform::case::{Case, Done, Ending, not_applicable};
use crate::conform::exchange::{Exchange, Request};
use crate::conform::section::Section;
use crate::conform::served::{ServedPath, media_type, served};
use crate::conform::session::{Session, preferred};
use restwell_model::api::{Api, Asked, CallerKind, HttpOperation, OperationRole, SentBody, Situation};
use restwell_model::routes::{Action, Target, VARIABLE};
use restwell_model::{Access, ErrorCode, Version};
use uuid::Uuid;

/// A beta that no service has.
const UNHEARD_OF: Version = Version::Beta(64_999);

const AGENT: &str = "A request without `User-Agent` is 400 (§4.1; decisions, \"User-Agent\").";
const ACCEPT: &str =
    "`Accept` chooses the version: 406 if it is missing or matches none, 410 if it is retired (§4.1, §9).";
const CONTENT_TYPE: &str =
    "`Content-Type` names the version of the body: otherwise 415, or 410 if it is retired (§4.1, §9).";
const CREDENTIALS: &str = "401 without good credentials, 403 for a caller without access (§5).";
const BODY: &str = "A body that is not JSON is 400 (§7.2).";
const TARGET: &str = "What does not exist is 404 (§7.2).";
const ORDER: &str = "What is checked first is what the response is about (decisions, \"Order of checks\").";

/// What of a request is as it should not be, or as it need not be.
#[derive(Debug, Clone)]
struct Variation {
    section: Section,
    rule: &'static str,
    /// In words, for the title.
    title: String,
    accept: (Option<String>, Asked),
    content_type: (Option<String>, Asked),
    caller: Option<Caller>,
    body: &'static str,
    agent: Option<&'static str>,
    /// The path names nothing that exists.
    is_of_nothing: bool,
}

/// A body that is wrong for every operation, so that nothing changes.
const WRONG: &str = r#"{"unheardOf":true}"#;
const NO_JSON: &str = r#"{"name":"#;

pub(super) fn add<'a>(api: &'a Api<'a>, cases: &mut Vec<Case<'a>>) {
    for at in served(api) {
        for operation in &at.path.operations {
            for variation in variations(api, at, operation) {
                let title = format!("{} {}: {}", operation.method, at.path.path, variation.title);
                cases.push(Case::new(variation.section, title, variation.rule, move |session| {
                    ask(session, at, operation, &variation)
                }));
            }
        }
    }
}

fn variations(api: &Api<'_>, at: ServedPath<'_>, operation: &HttpOperation<'_>) -> Vec<Variation> {
    let (version, media_type) = (Asked::Version(preferred(operation)), media_type(api, operation));
    let plain = Variation {
        section: Section::Errors,
        rule: ORDER,
        title: String::new(),
        accept: (Some(media_type.clone()), version),
        content_type: (Some(media_type), version),
        caller: None,
        body: WRONG,
        agent: Some(""),
        is_of_nothing: false,
    };
    let mut all = Vec::new();
    for (word, agent) in [("no User-Agent", None), ("blank User-Agent", Some("  "))] {
        let (section, rule) = (Section::Headers, AGENT);
        all.push(Variation { section, rule, title: word.to_owned(), agent, ..plain.clone() });
    }
    let of_version = |version: Version| (version.media_type(&api.service.vendor), Asked::Version(version));
    let others = operation.versions.iter().skip(1).chain(&operation.retired).chain([&UNHEARD_OF]).copied();
    let mut accepts = vec![
        ("no Accept".to_owned(), (None, Asked::Nothing)),
        ("Accept: */*".to_owned(), (Some("*/*".to_owned()), Asked::Any)),
        ("Accept: application/*".to_owned(), (Some("application/*".to_owned()), Asked::Any)),
    ];
    let refused = ["text/html", "application/json", "nonsense"];
    accepts.extend(refused.map(|text| (format!("Accept: {text}"), (Some(text.to_owned()), Asked::Other))));
    accepts.extend(others.clone().map(|version| {
        let (text, asked) = of_version(version);
        (format!("Accept: {version}"), (Some(text), asked))
    }));
    for (title, accept) in accepts {
        all.push(Variation { section: Section::Negotiation, rule: ACCEPT, title, accept, ..plain.clone() });
    }
    if !operation.request.is_empty() {
        let public = plain.content_type.0.clone().unwrap_or_default();
        let mut types = vec![
            ("no Content-Type".to_owned(), (None, Asked::Nothing)),
            ("Content-Type with charset=utf-8".to_owned(), (Some(format!("{public}; charset=utf-8")), version)),
            (
                "Content-Type with charset=iso-8859-1".to_owned(),
                (Some(format!("{public}; charset=iso-8859-1")), Asked::Other),
            ),
        ];
        let refused = ["text/plain", "application/json"];
        types.extend(refused.map(|text| (format!("Content-Type: {text}"), (Some(text.to_owned()), Asked::Other))));
        types.extend(others.map(|version| {
            let (text, asked) = of_version(version);
            (format!("Content-Type: {version}"), (Some(text), asked))
        }));
        for (title, content_type) in types {
            all.push(Variation {
                section: Section::Negotiation,
                rule: CONTENT_TYPE,
                title,
                content_type,
                ..plain.clone()
            });
        }
        let (section, rule) = (Section::Errors, BODY);
        all.push(Variation {
            section,
            rule,
            title: "a body that is not JSON".to_owned(),
            body: NO_JSON,
            ..plain.clone()
        });
        all.push(Variation { section, rule, title: "an empty body".to_owned(), body: "", ..plain.clone() });
    }
    for caller in [Caller::Nobody, Caller::Bad, Caller::Stranger, Caller::Owner, Caller::Scoped, Caller::Master] {
        let (section, rule, title) = (Section::Access, CREDENTIALS, format!("as {}", caller.word()));
        all.push(Variation { section, rule, title, caller: Some(caller), ..plain.clone() });
    }
    if at.path.pattern.contains(VARIABLE) {
        let (section, rule, title) = (Section::Methods, TARGET, "of nothing".to_owned());
        all.push(Variation { section, rule, title, is_of_nothing: true, ..plain.clone() });
        let title = "of nothing, as user 2".to_owned();
        all.push(Variation { title, is_of_nothing: true, caller: Some(Caller::Stranger), ..plain.clone() });
    }
    let bad = |title: &str| Variation { title: title.to_owned(), caller: Some(Caller::Bad), ..plain.clone() };
    let html = (Some("text/html".to_owned()), Asked::Other);
    all.push(Variation { accept: html.clone(), ..bad("Accept: text/html, bad token") });
    all.push(Variation { content_type: html, ..bad("Content-Type: text/html, bad token") });
    all.push(Variation { body: NO_JSON, ..bad("a body that is not JSON, bad token") });
    all
}

fn ask<'a>(
    session: &mut Session<'a>,
    at: ServedPath<'a>,
    operation: &'a HttpOperation<'a>,
    variation: &Variation,
) -> Done {
    let OperationRole::Action(action) = operation.role else { return Ok(()) };
    let target = match variation.is_of_nothing {
        true => at.path.pattern.replace(VARIABLE, &Uuid::now_v7().to_string()),
        false => session.existing(&at)?,
    };
    if operation.method == "DELETE" && !variation.is_of_nothing && !session.world.is_own(at.index) {
        return not_applicable("the run has not created the entity");
    }
    let caller = variation.caller.unwrap_or(match session.callers.has_tokens() {
        true => Caller::Master,
        false => Caller::Nobody,
    });
    let mut request = Request::new(operation.method, target).by(caller);
    match variation.agent {
        None => request = request.without("user-agent"),
        Some("") => {}
        Some(agent) => request = request.header("user-agent", agent),
    }
    if let (Some(accept), _) = &variation.accept {
        request = request.header("accept", accept);
    }
    if !operation.request.is_empty() {
        if let (Some(content_type), _) = &variation.content_type {
            request = request.header("content-type", content_type);
        }
        request = request.text(variation.body);
    }
    if operation.method != "GET" {
        // even a service that takes what is wrong changes nothing
        request = request.query("dryRun", "true");
    }
    if at.is_shared() && !request.names_version(&session.api.service.vendor) {
        return not_applicable("the service itself has the path too, and the request is for that");
    }
    let exists = exists(session, at, operation, action, variation, caller)?;
    let scopes = if caller.has_scopes() { session.callers.scopes.clone() } else { Vec::new() };
    let situation = Situation {
        accept: variation.accept.1,
        content_type: variation.content_type.1,
        caller: kind(session, at, operation, variation, caller, (&scopes, exists))?,
        body: match variation.body {
            WRONG => SentBody::Json,
            "" => SentBody::Nothing,
            _ => SentBody::Other,
        },
        exists,
    };
    let exchange = session.send(&request)?;
    if variation.agent != Some("") {
        exchange.refused(ErrorCode::MissingUserAgent)?;
        return Ok(());
    }
    let version = match at.path.admit(at.resource, operation, &situation) {
        Ok(version) => {
            admitted(&exchange, variation.body)?;
            version
        }
        Err(refusal) => {
            exchange.refused(refusal.code)?;
            refusal.version
        }
    };
    let media_type = version.media_type(&session.api.service.vendor);
    let is_it = exchange.response.body.is_empty() || exchange.header("content-type") == Some(&media_type);
    exchange.holds(is_it, format!("`Content-Type: {media_type}`"))
}

/// The body is wrong wherever there is one, but for a command that may have none; what is deleted is only tried to be.
fn admitted(exchange: &Exchange, body: &str) -> Done {
    let expected: &[u16] = match exchange.request.method {
        "GET" => &[200],
        // other entities may refer to it, or a rule of the service's own refuse it
        "DELETE" => &[204, 403, 409, 422],
        "PUT" if body.is_empty() => &[204, 403, 409, 422],
        _ => &[422],
    };
    let is_admitted = expected.contains(&exchange.status());
    // what is announced, or has no handler yet
    if exchange.status() == 501 {
        return not_applicable("the operation is not ready (501)");
    }
    exchange.holds(is_admitted, format!("status {}: all checks before validation pass", expected[0]))
}

/// Whether what the path names is there for the caller.
fn exists(
    session: &Session<'_>,
    at: ServedPath<'_>,
    operation: &HttpOperation<'_>,
    action: Action,
    variation: &Variation,
    caller: Caller,
) -> Result<bool, Ending> {
    let is_there = !variation.is_of_nothing && !matches!(action, Action::GetCommand(_));
    if lacks_credentials(operation, caller) {
        return Ok(is_there);
    }
    let view = at.view().filter(|_| matches!(at.target, Target::Entity { .. }));
    if is_there && view.is_some_and(|view| view.filter.is_some()) {
        return not_applicable("it is not known whether the view shows the entity");
    }
    if let (true, Target::Scoped { field }) = (is_there, at.target)
        && !session.sees_parent(&at.resource.fields[field], caller)
    {
        return not_applicable("it is not known whether the caller sees what the collection is under");
    }
    if is_there && Access::excludes_some(&at.resource.visible) {
        let known = session.world.first(at.index);
        let owns = if caller.number().is_none() { Some(false) } else { known.and_then(|it| session.owns(caller, it)) };
        let is_of_entity = !matches!(at.target, Target::Collection { .. } | Target::Scoped { .. } | Target::Searches);
        let sees = admits(session.api.service, &at.resource.visible, session.callers.scopes_of(caller), owns);
        // what the run has found, whoever asks most sees
        let asks_most = if session.callers.has_tokens() { Caller::Master } else { Caller::Nobody };
        let was_found = caller == asks_most && known.is_some_and(|known| known.posted.is_null());
        if is_of_entity && sees != Some(true) && !was_found {
            return not_applicable("it is not known whether the caller sees the entity");
        }
    }
    let through = view.and_then(|view| view.through.as_ref());
    let Some(through) = through.filter(|_| is_there) else { return Ok(is_there) };
    if caller.number() != Some(1) {
        return Ok(false);
    }
    let Some(known) = session.world.first(at.index) else { return Ok(false) };
    match session.world.is_seen(session.api, through, &known.id, session.callers.id(caller)) {
        true => Ok(true),
        false => not_applicable("it is not known whether the view shows the entity to the caller"),
    }
}

/// Whether a caller is refused before what the path names is looked for.
fn lacks_credentials(operation: &HttpOperation<'_>, caller: Caller) -> bool {
    caller == Caller::Bad || caller == Caller::Nobody && operation.access.requires_credentials
}

/// Who calls, as far as access depends on it.
fn kind<'s>(
    session: &Session<'_>,
    at: ServedPath<'_>,
    operation: &HttpOperation<'_>,
    variation: &Variation,
    caller: Caller,
    (scopes, exists): (&'s [String], bool),
) -> Result<CallerKind<'s>, Ending> {
    if lacks_credentials(operation, caller) {
        return Ok(if caller == Caller::Bad { CallerKind::Bad } else { CallerKind::Nobody });
    }
    // which claims the callers have, and what a condition says of an entity, only the service knows
    let service = session.api.service;
    let mut holds_role = false;
    for access in &operation.access.any_of {
        let holds = match access {
            Access::Role(role) if exists && caller != Caller::Nobody => holds_role_of(service, role, scopes),
            Access::When(_) | Access::Named(_) if exists => None,
            // what is not there is 404 for every caller
            Access::Anyone
            | Access::User
            | Access::Owner
            | Access::Scope(_)
            | Access::Role(_)
            | Access::When(_)
            | Access::Named(_) => Some(false),
        };
        match holds {
            Some(holds) => holds_role |= holds,
            None => return not_applicable("access depends on a role or a condition"),
        }
    }
    if caller == Caller::Nobody {
        return Ok(CallerKind::Nobody);
    }
    let user = session.callers.id(caller);
    let owns_entity = match session.world.first(at.index).filter(|_| !variation.is_of_nothing) {
        None => false,
        Some(known) => match session.owns(caller, known) {
            Some(is_owned) => is_owned,
            None if operation.access.can_be_forbidden => return not_applicable("the owner is not shown"),
            None => false,
        },
    };
    let is_parent = user.is_some() && session.parent(&at).as_deref() == user && !variation.is_of_nothing;
    Ok(CallerKind::User { scopes, owns_entity, is_parent, meets_conditions: holds_role })
}
