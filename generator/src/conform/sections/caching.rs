//! Entity tags (§4.8; decisions, "Caching").

use crate::conform::case::{Case, Done, Ending, not_applicable};
use crate::conform::exchange::Request;
use crate::conform::section::Section;
use crate::conform::served::{ServedPath, served};
use crate::conform::session::Session;
use restwell_model::ErrorCode;
use restwell_model::api::{Api, HttpOperation};
use restwell_model::resource::OperationKind;
use restwell_model::routes::Target;

const TAG: &str = "GET of one entity has a strong `ETag`, the same while the entity is (decisions, \"Caching\").";
const KNOWN: &str = "`If-None-Match` with the tag is 304 without a body, with another one 200 (§4.8).";
const PREFERRED: &str = "`If-Match` with the tag passes, with another one it is 412, before 304 (decisions).";
const GUARD: &str = "`If-Match` with another tag is 412 for PUT, PATCH and DELETE, and nothing changes (decisions).";
const UNKNOWN: &str = "`If-None-Match` with the tag is 412 for PUT, PATCH and DELETE, and nothing changes (decisions).";

/// A tag that no entity has.
pub(super) const OTHER_TAG: &str = "\"of-nothing\"";

pub(super) fn add<'a>(api: &'a Api<'a>, cases: &mut Vec<Case<'a>>) {
    for at in served(api) {
        let is_one = matches!(at.target, Target::Entity { .. } | Target::Search);
        let Some(get) = at.path.operation("GET").filter(|_| is_one) else { continue };
        let title = |what: &str| format!("GET {}{what}", at.path.path);
        cases.push(Case::new(Section::Caching, title(": ETag"), TAG, move |session| tag(session, at, get)));
        cases
            .push(Case::new(Section::Caching, title(", If-None-Match"), KNOWN, move |session| known(session, at, get)));
        let title = title(", If-Match");
        cases.push(Case::new(Section::Caching, title, PREFERRED, move |session| preferred(session, at, get)));
        let is_change =
            |operation: &&HttpOperation<'_>| operation.method != "GET" && operation.takes_header("If-Match");
        for operation in at.path.operations.iter().filter(is_change) {
            for (header, rule) in [("If-Match", GUARD), ("If-None-Match", UNKNOWN)] {
                let title = format!("{} {}, {header}", operation.method, at.path.path);
                cases.push(Case::new(Section::Caching, title, rule, move |session| {
                    guard(session, at, get, operation, header)
                }));
            }
        }
    }
}

/// A GET of something that the caller sees.
fn read(session: &Session<'_>, at: ServedPath<'_>, get: &HttpOperation<'_>) -> Result<Request, Ending> {
    if at.view().is_some_and(|view| view.through.is_some()) {
        return not_applicable("the view shows what others point at");
    }
    let target = session.existing(&at)?;
    session.request(get, target)
}

fn tag<'a>(session: &mut Session<'a>, at: ServedPath<'a>, get: &'a HttpOperation<'a>) -> Done {
    let request = read(session, at, get)?;
    let first = session.send(&request)?;
    first.is(200)?;
    let tag = first.header("etag").unwrap_or_default();
    first.holds(tag.len() > 2 && tag.starts_with('"') && tag.ends_with('"'), "a strong `ETag`")?;
    let again = session.send(&request)?;
    again.holds(again.header("etag") == Some(tag), format!("the same `ETag: {tag}`"))
}

fn known<'a>(session: &mut Session<'a>, at: ServedPath<'a>, get: &'a HttpOperation<'a>) -> Done {
    let request = read(session, at, get)?;
    let first = session.send(&request)?;
    let Some(tag) = first.is(200)?.header("etag") else { return Err(first.wrong("`ETag`")) };
    for tags in [tag.to_owned(), format!("{OTHER_TAG}, {tag}"), "*".to_owned()] {
        let exchange = session.send(&request.clone().header("if-none-match", tags))?;
        exchange.is(304)?;
        exchange.holds(exchange.header("etag") == Some(tag), format!("304 with `ETag: {tag}`"))?;
    }
    let exchange = session.send(&request.header("if-none-match", OTHER_TAG))?;
    exchange.is(200)?;
    exchange.holds(exchange.response.body == first.response.body, "the body of the entity")
}

fn preferred<'a>(session: &mut Session<'a>, at: ServedPath<'a>, get: &'a HttpOperation<'a>) -> Done {
    let request = read(session, at, get)?;
    let first = session.send(&request)?;
    let Some(tag) = first.is(200)?.header("etag") else { return Err(first.wrong("`ETag`")) };
    for tags in [tag.to_owned(), format!("{OTHER_TAG}, {tag}"), "*".to_owned()] {
        session.send(&request.clone().header("if-match", tags))?.is(200)?;
    }
    for tags in [OTHER_TAG.to_owned(), format!("W/{tag}")] {
        session.send(&request.clone().header("if-match", tags))?.refused(ErrorCode::PreconditionFailed)?;
    }
    let both = request.header("if-match", OTHER_TAG).header("if-none-match", tag);
    session.send(&both)?.refused(ErrorCode::PreconditionFailed).map(drop)
}

/// A change that a precondition forbids.
fn guard<'a>(
    session: &mut Session<'a>,
    at: ServedPath<'a>,
    get: &'a HttpOperation<'a>,
    operation: &'a HttpOperation<'a>,
    header: &'static str,
) -> Done {
    let target = session.existing(&at)?;
    if !session.world.is_own(at.index) {
        return not_applicable("the run has not created the entity");
    }
    if at.view().is_some_and(|view| view.through.is_some()) {
        return not_applicable("the view shows what others point at");
    }
    let read = session.request(get, &target)?;
    let before = session.send(&read)?;
    before.is(200)?;
    let body = match operation.role {
        role if role == kind(OperationKind::Update) => Some(before.json()),
        role if role == kind(OperationKind::Patch) => Some(serde_json::json!([])),
        _ => None,
    };
    let request = match &body {
        Some(body) => session.request_with(operation, &target, body)?,
        None => session.request(operation, &target)?,
    };
    let tags = match header {
        "If-Match" => OTHER_TAG.to_owned(),
        _ => before.header("etag").unwrap_or("*").to_owned(),
    };
    let exchange = session.send(&request.header(header, tags))?;
    // a rule of the service's own, or a reference, may refuse it before
    if exchange.status() == 422 {
        return not_applicable("the request is refused (422) before its tags are compared");
    }
    exchange.refused(ErrorCode::PreconditionFailed)?;
    let after = session.send(&read)?;
    after.is(200)?;
    after.holds(after.json() == before.json(), format!("the entity as before: {}", before.json()))
}

fn kind(kind: OperationKind) -> restwell_model::api::OperationRole {
    restwell_model::api::OperationRole::Action(restwell_model::routes::Action::Operation(kind))
}
