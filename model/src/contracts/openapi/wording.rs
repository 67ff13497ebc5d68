//! The sentences of the document.

use super::conditions::printed;
use crate::api::PathSubject;
use crate::api::{FilterOperator, HttpOperation, HttpResponse, OperationRole, PathItem, ResponseCase};
use crate::check::Checked;
use crate::contracts::schemas::sentence;
use crate::field::{Match, Type};
use crate::input::Bound;
use crate::resource::{Access, OperationKind};
use crate::routes::{Action, Target};

/// What holds for every operation.
pub(super) fn introduction(service: &Checked) -> String {
    let media_type = crate::resource::Version::PUBLIC.media_type(&service.vendor);
    format!(
        "Every request needs a `User-Agent`: without one it is 400. `Content-Type` names the version of a body and \
         `Accept` that of the response, as in `{media_type}`; `application/json` is refused. GET, PUT and PATCH need \
         `Accept`. With `Accept-Encoding: gzip` bodies are compressed.\n\n\
         HEAD is served wherever GET is. OPTIONS is 204 with `Allow`; a method that a path does not have is 405.\n\n\
         Every error has the body `Problems` with all errors of the request. `code` is stable; services add their own. \
         Values may be added to enums. A response has every property; unknown ones may be added. The service sets the \
         properties that are ignored in requests.\n\n\
         `x-response-headers` lists the headers that all responses have, `x-error-headers` those that errors have \
         beside them, and `x-request-headers` those that every request may have; operations list others. `default` \
         stands for the errors that every operation can have.\n\n\
         Filters are called after a field, as `status`, and may have a suffix, as `status.not`. An entity of a list \
         meets all of them. Those without a suffix and with `.not` can be given more than once, and an empty value \
         stands for null. Without `sort` entities are sorted by `id`; nulls come last.\n\n\
         Tokens are sent as `Authorization: Bearer`. A bad token is 401 everywhere, also where none is needed."
    )
}

pub(super) fn summary(service: &Checked, path: &PathItem<'_>, operation: &HttpOperation<'_>) -> String {
    let (action, resource, target) = match (operation.role, path.subject) {
        (OperationRole::Action(action), PathSubject::Resource { resource, target }) => {
            (action, &service.resources[resource], target)
        }
        (OperationRole::System(_), _) | (_, PathSubject::System(_)) => {
            return operation.description.unwrap_or(&operation.name).trim_end_matches('.').to_owned();
        }
    };
    let one = &resource.name;
    let plural = resource.plural.replace('-', " ");
    let command = |index: usize| &resource.commands[index].name;
    let what = match action {
        Action::Operation(OperationKind::Create) => format!("Create {one}"),
        Action::Operation(OperationKind::List) => format!("List {plural}"),
        Action::Operation(OperationKind::Get) => format!("Get {one}"),
        Action::Operation(OperationKind::Update) => format!("Replace {one}"),
        Action::Operation(OperationKind::Patch) => format!("Change {one}"),
        Action::Operation(OperationKind::Delete) => format!("Delete {one}"),
        Action::CreateSearch => format!("Create search of {plural}"),
        Action::GetSearch => format!("Get search of {plural}"),
        Action::PutCommand(index) => format!("Send command {} to {one}", command(index)),
        Action::GetCommand(index) => format!("Get command {} of {one}", command(index)),
        Action::ListCommands(index) => format!("List commands {} of {one}", command(index)),
    };
    match target {
        Target::Collection { view: Some(view) } | Target::Entity { view: Some(view) } => {
            format!("{what} in the view {}", resource.views[view].name)
        }
        Target::Scoped { field } => match &resource.fields[field].ty {
            Type::Ref { to, .. } => format!("{what} of {to}"),
            _ => what,
        },
        Target::Collection { view: None }
        | Target::Entity { view: None }
        | Target::Searches
        | Target::Search
        | Target::Commands { .. }
        | Target::Command { .. } => what,
    }
}

pub(super) fn description(operation: &HttpOperation<'_>) -> String {
    let mut sentences: Vec<String> = operation.description.iter().map(|text| sentence(text)).collect();
    sentences.push(access(operation));
    if operation.is_async {
        sentences.push("It is done after the response.".to_owned());
    }
    if !operation.is_ready {
        sentences.push("Announced: not ready yet.".to_owned());
    }
    if let Some(sunset) = operation.deprecation.and_then(|deprecation| deprecation.sunset) {
        sentences.push(format!("Goes away on {sunset}."));
    }
    sentences.join(" ")
}

/// The success of a command that is announced.
pub(super) const TO_COME: &str = "Created, once the command is ready; until then valid requests are 501.";

/// Who may call it.
fn access(operation: &HttpOperation<'_>) -> String {
    let rule = &operation.access;
    format!("For {}.", callers(&rule.any_of, rule.requires_credentials))
}

/// The callers that an access list names.
pub(super) fn callers(any_of: &[Access], requires_credentials: bool) -> String {
    let who = |access: &Access| match access {
        Access::Anyone if requires_credentials => "any caller with a token".to_owned(),
        Access::Anyone => "anyone".to_owned(),
        Access::User => "any caller with a token".to_owned(),
        Access::Owner => "the owner".to_owned(),
        Access::Scope(scope) => format!("callers with the scope `{scope}`"),
        Access::Role(role) => format!("callers with the role `{role}`"),
        Access::Named(name) => format!("callers for whom the condition `{name}` holds"),
        Access::When(condition) => format!("callers for whom the entity meets `{}`", printed(condition)),
    };
    any_of.iter().map(who).collect::<Vec<_>>().join(" and ")
}

/// What a response means, in a sentence.
pub(super) fn outcome(response: &HttpResponse) -> String {
    match response.case {
        ResponseCase::Done if response.status == 201 => "Created.".to_owned(),
        ResponseCase::Done => "Done.".to_owned(),
        ResponseCase::Accepted => "Accepted: it is done later.".to_owned(),
        ResponseCase::Valid => "The dry run found no errors.".to_owned(),
        ResponseCase::NotModified => "The client has this representation already.".to_owned(),
        ResponseCase::Failed => format!("{}.", reason(response.status)),
    }
}

/// The errors that every operation can have.
pub(super) const COMMON_ERRORS: &str =
    "Errors that every operation can have: `x-statuses` has the response for each status.";

/// The name of a shared response: `NotFound`.
pub(super) fn status_name(status: u16) -> String {
    match status {
        204 => "Valid".to_owned(),
        other => reason(other).split(' ').collect(),
    }
}

/// What HTTP calls a status.
fn reason(status: u16) -> &'static str {
    match status {
        304 => "Not Modified",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        406 => "Not Acceptable",
        409 => "Conflict",
        410 => "Gone",
        412 => "Precondition Failed",
        413 => "Content Too Large",
        414 => "URI Too Long",
        415 => "Unsupported Media Type",
        422 => "Unprocessable Content",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "Error",
    }
}

/// What a filter compares the field with that it is called after.
pub(super) fn filter(operator: FilterOperator) -> &'static str {
    match operator {
        FilterOperator::Equal => "Any of these; empty: null.",
        FilterOperator::Bound(Bound::Gt) => "Greater than this.",
        FilterOperator::Bound(Bound::Gte) => "Greater than or equal to this.",
        FilterOperator::Bound(Bound::Lt) => "Less than this.",
        FilterOperator::Bound(Bound::Lte) => "Less than or equal to this.",
        FilterOperator::Match(Match::Not) => "None of these, or null; empty: not null.",
        FilterOperator::Match(Match::StartsWith) => "Begins with this, in exact case.",
        FilterOperator::Match(Match::Contains) => "Contains this, in exact case.",
        FilterOperator::Match(Match::StartsWithIgnoreCase) => "Begins with this, in any case.",
        FilterOperator::Match(Match::ContainsIgnoreCase) => "Contains this, in any case.",
    }
}
