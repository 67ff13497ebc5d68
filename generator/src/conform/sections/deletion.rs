//! DELETE of entities (§4.2).

use super::bodies::Fill;
use super::creation::{create, creator, is_open_to_others};
use crate::conform::case::{Case, Done, not_applicable};
use crate::conform::section::Section;
use crate::conform::served::{ServedPath, served};
use crate::conform::session::Session;
use crate::conform::world::entity_path;
use restwell_model::ErrorCode;
use restwell_model::api::{Api, HttpOperation};
use restwell_model::resource::OperationKind;
use restwell_model::routes::Target;
use std::time::Duration;

const DELETES: &str = "DELETE is 204 without a body; then the entity is 404 (§4.2).";
const TRIES: &str = "A dry run of a deletion is 204 and deletes nothing (decisions, \"Dry run\").";
const UNKNOWN: &str = "A parameter that the operation does not have is 422 on every method (decisions, \"Requests\").";

/// How long an asynchronous deletion may take, in pauses.
const MAX_PAUSES: usize = 200;
const PAUSE: Duration = Duration::from_millis(25);

pub(super) fn add<'a>(api: &'a Api<'a>, cases: &mut Vec<Case<'a>>) {
    for at in served(api).filter(|at| matches!(at.target, Target::Entity { .. })) {
        let Some(delete) = at.operation(OperationKind::Delete) else { continue };
        let title = |what: &str| format!("DELETE {}{what}", at.path.path);
        cases.push(Case::new(Section::Deletion, title("?dryRun=true"), TRIES, move |session| {
            tries(session, at, delete)
        }));
        cases.push(Case::new(Section::Deletion, title("?unheardOf=1"), UNKNOWN, move |session| {
            let target = new(session, at, delete)?;
            let request = session.request(delete, target)?.query("unheardOf", "1");
            session.send(&request)?.refused_at(ErrorCode::UnknownParameter, Some("unheardOf"))?;
            Ok(())
        }));
        cases.push(Case::new(Section::Deletion, title(""), DELETES, move |session| deletes(session, at, delete)));
    }
}

/// The path of a new entity.
fn new(
    session: &mut Session<'_>,
    at: ServedPath<'_>,
    delete: &HttpOperation<'_>,
) -> Result<String, crate::conform::case::Ending> {
    let Some((place, creation)) = creator(session.api, at.index) else {
        return not_applicable("nothing can be created");
    };
    if at.view().is_some_and(|view| view.through.is_some()) {
        return not_applicable("the view shows what others point at");
    }
    let is_user = session.api.service.users.as_ref() == Some(&at.resource.name);
    if is_user && !is_open_to_others(delete) {
        return not_applicable("a user can be deleted by nobody else");
    }
    let (known, _) = create(session, place, creation, Fill::Most)?;
    Ok(entity_path(&at, &known.id))
}

fn tries<'a>(session: &mut Session<'a>, at: ServedPath<'a>, delete: &'a HttpOperation<'a>) -> Done {
    let target = new(session, at, delete)?;
    let request = session.request(delete, &target)?.query("dryRun", "true");
    session.send(&request)?.is(204)?;
    let Some(get) = at.operation(OperationKind::Get) else { return Ok(()) };
    let request = session.request(get, target)?;
    session.send(&request)?.is(200)?;
    Ok(())
}

fn deletes<'a>(session: &mut Session<'a>, at: ServedPath<'a>, delete: &'a HttpOperation<'a>) -> Done {
    let target = new(session, at, delete)?;
    let request = session.request(delete, &target)?;
    session.send(&request)?.is(if delete.is_async { 202 } else { 204 })?;
    for _ in 0..MAX_PAUSES {
        let Some(get) = at.operation(OperationKind::Get) else { break };
        let read = session.request(get, &target)?;
        let exchange = session.send(&read)?;
        if exchange.status() == 404 || !delete.is_async {
            exchange.refused(ErrorCode::ResourceNotFound)?;
            break;
        }
        std::thread::sleep(PAUSE);
    }
    if delete.is_async && at.operation(OperationKind::Get).is_none() {
        return Ok(());
    }
    session.send(&request)?.refused(ErrorCode::ResourceNotFound)?;
    Ok(())
}
