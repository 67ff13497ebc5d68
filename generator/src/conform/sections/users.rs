//! Users that a service makes of the claims of their first token (`provision`): a run asks with tokens of its own, and
//! looks for the users that these have made.

use super::creation::remember;
use crate::conform::callers::Caller;
use crate::conform::case::{Case, Done, not_applicable};
use crate::conform::section::Section;
use crate::conform::served::served;
use crate::conform::session::Session;
use crate::conform::world::Known;
use restwell_model::UserSubjects;
use restwell_model::api::Api;
use restwell_model::resource::OperationKind;
use restwell_model::routes::Target;
use serde_json::Value;

const MADE: &str = "The first token of a subject makes its user (`provision`; decisions, \"Credentials\").";

/// The newest users among which those of the run are looked for.
const NEWEST: &str = "100";

/// The case of a resource, if it is that of users which tokens make.
pub(super) fn add<'a>(api: &'a Api<'a>, index: usize, cases: &mut Vec<Case<'a>>) {
    let resource = &api.service.resources[index];
    let subjects = api.service.user_subjects.as_ref().filter(|subjects| subjects.provision.is_some());
    let Some(subjects) = subjects.filter(|_| api.service.users.as_ref() == Some(&resource.name)) else { return };
    let title = format!("{}: the users of tokens", resource.name);
    cases.push(Case::new(Section::Creation, title, MADE, move |session| made(session, index, subjects)));
}

/// A list in which each of the two users finds itself.
fn made<'a>(session: &mut Session<'a>, index: usize, subjects: &UserSubjects) -> Done {
    session.may_change()?;
    let api = session.api;
    let lists = served(api).filter(|at| at.index == index && matches!(at.target, Target::Collection { .. }));
    let list = lists.filter_map(|at| Some((at, at.operation(OperationKind::List)?))).next();
    let Some((at, operation)) = list else { return not_applicable("there is no list of users") };
    for caller in [Caller::Master, Caller::Scoped] {
        let number = caller.number().unwrap_or_default();
        let Some(subject) = session.callers.subject(number).map(str::to_owned) else { continue };
        if session.callers.is_known(number) {
            continue;
        }
        let request = session.request(operation, &at.path.pattern)?.by(caller);
        let request = match operation.query.iter().any(|parameter| parameter.name == subjects.subject) {
            true => request.query(&subjects.subject, &subject),
            false => request.query("sort", "-createdAt").query("limit", NEWEST),
        };
        let exchange = session.send(&request)?;
        exchange.is(200)?;
        let users = exchange.json()[&at.path.collection].as_array().cloned().unwrap_or_default();
        let user = users.into_iter().find(|user| user[&subjects.subject].as_str() == Some(&subject));
        let Some((id, body)) = user.and_then(|user| Some((user["id"].as_str()?.to_owned(), user))) else {
            return not_applicable("no list shows the subjects of users");
        };
        session.callers.learn(number, &id);
        remember(session, Known { resource: index, id, body, posted: Value::Null });
    }
    Ok(())
}
