//! Paths and their methods (§4.2): OPTIONS, HEAD, 405 and 404.

use crate::conform::case::Case;
use crate::conform::exchange::Request;
use crate::conform::section::Section;
use crate::conform::served::{ServedPath, served};
use crate::conform::session::Session;
use restwell_model::api::{Api, HttpOperation};
use restwell_model::routes::{Target, VARIABLE};
use restwell_model::{ErrorCode, Version};
use std::collections::BTreeSet;
use uuid::Uuid;

/// Methods that are tried where the path does not have them.
const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

const OPTIONS: &str = "OPTIONS responds with 204 and `Allow` (decisions, \"OPTIONS\").";
const OTHERS: &str = "A method that the path does not have is 405, with `Allow` (§4.2, §7.2).";
const HEAD: &str = "HEAD works as GET, without the body (decisions, \"Accept\").";
const NO_PATH: &str = "A path without operations is 404 (§7.2; decisions, \"Ids\").";
const NO_ID: &str = "An id that is not a UUID in lower case is 404 (decisions, \"Ids\").";

pub(super) fn add<'a>(api: &'a Api<'a>, cases: &mut Vec<Case<'a>>) {
    for at in served(api) {
        let path = &at.path.path;
        let of_nothing = at.path.pattern.replace(VARIABLE, &Uuid::now_v7().to_string());
        let target = of_nothing.clone();
        cases.push(Case::new(Section::Methods, format!("OPTIONS {path}"), OPTIONS, move |session| {
            let exchange = session.send(&of_resource(session, &at, Request::new("OPTIONS", target)))?;
            exchange.is(204)?;
            allow(&at, &exchange)
        }));
        for method in METHODS.into_iter().filter(|method| at.path.operation(method).is_none()) {
            let target = of_nothing.clone();
            cases.push(Case::new(Section::Methods, format!("{method} {path}"), OTHERS, move |session| {
                let request = Request::new(method, target).header("accept", "*/*");
                let exchange = session.send(&of_resource(session, &at, request))?;
                exchange.refused(ErrorCode::MethodNotAllowed)?;
                allow(&at, &exchange)
            }));
        }
        if let Some(operation) = at.path.operation("GET").filter(|_| !matches!(at.target, Target::Command { .. })) {
            cases.push(Case::new(Section::Methods, format!("HEAD {path}"), HEAD, move |session| {
                head(session, at, operation)
            }));
        }
        if at.path.pattern.contains(VARIABLE) && !matches!(at.target, Target::Command { .. }) {
            add_wrong_ids(at, cases);
        }
    }
    if let Some(resource) = api.service.resources.first() {
        for path in [format!("{}-of-nothing", resource.path()), format!("{}/", resource.path())] {
            cases.push(Case::new(Section::Methods, format!("GET {path}"), NO_PATH, move |session| {
                session
                    .send(&Request::new("GET", path).header("accept", "*/*"))?
                    .refused(ErrorCode::ResourceNotFound)?;
                Ok(())
            }));
        }
    }
}

fn add_wrong_ids<'a>(at: ServedPath<'a>, cases: &mut Vec<Case<'a>>) {
    let Some(operation) = at.path.operation("GET") else { return };
    for (word, id) in [("upper case", Uuid::now_v7().to_string().to_uppercase()), ("text", "not-an-id".to_owned())] {
        let target = at.path.pattern.replacen(VARIABLE, &id, 1);
        let title = format!("GET {} with {word} instead of a UUID in lower case", at.path.path);
        cases.push(Case::new(Section::Methods, title, NO_ID, move |session| {
            // the same for every caller: nothing has such an id
            let request = Request { may_be_refused: false, ..session.request(operation, target)? };
            session.send(&request)?.refused(ErrorCode::ResourceNotFound)?;
            Ok(())
        }));
    }
}

/// A request for the resource, also where the service itself has the path too: then it names a media type.
fn of_resource(session: &Session<'_>, at: &ServedPath<'_>, request: Request) -> Request {
    match at.is_shared() {
        true => request.header("accept", Version::PUBLIC.media_type(&session.api.service.vendor)),
        false => request,
    }
}

fn allow(at: &ServedPath<'_>, exchange: &crate::conform::exchange::Exchange) -> crate::conform::case::Done {
    let methods = |text: &str| text.split(',').map(|method| method.trim().to_owned()).collect::<BTreeSet<_>>();
    let found = exchange.header("allow").map(methods).unwrap_or_default();
    exchange.holds(found == methods(&at.path.allow), format!("`Allow: {}`", at.path.allow))
}

fn head<'a>(
    session: &mut Session<'a>,
    at: ServedPath<'a>,
    operation: &'a HttpOperation<'a>,
) -> crate::conform::case::Done {
    let target = session.existing(&at)?;
    let request = session.request(operation, target)?;
    let got = session.send(&request)?;
    let head = session.send(&Request { method: "HEAD", ..request })?;
    head.is(got.status())?;
    for name in ["content-type", "etag"] {
        head.holds(
            head.header(name) == got.header(name),
            format!("the header `{name}` of GET: {:?}", got.header(name)),
        )?;
    }
    Ok(())
}
