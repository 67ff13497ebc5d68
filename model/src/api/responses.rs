//! The responses of an operation: one for each status (§4.8, §7.2).

use super::headers::{self, ResponseHeader};
use super::operation::{BodyContent, Call};
use super::parameters::{ParameterKind, QueryParameter};
use super::path::{entity_id, entity_id_beside_command};
use super::schemas::{self, SchemaKey};
use super::system::SystemEndpoint;
use super::values::{Property, ValueType};
use crate::check::Checked;
use crate::error::ErrorCode;
use crate::resource::{OperationKind, Version};
use crate::routes::Action;

/// A response of an operation with one status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpResponse {
    /// The HTTP status.
    pub status: u16,
    /// The outcome of the request.
    pub case: ResponseCase,
    /// The body, once for each media type; empty without a body. The response to HEAD has none in any case.
    pub content: Vec<BodyContent>,
    /// Every header, also those that only some responses of this status have.
    pub headers: Vec<ResponseHeader>,
    /// The path in `Location`, after the base URL: `/offers/{offerId}`.
    pub location: Option<String>,
    /// The codes of its errors, in the order of the catalogue. A change may have codes of the service's own rules too,
    /// in the place of one of the [`ErrorCode::REJECTIONS`].
    pub codes: Vec<ErrorCode>,
}

/// The outcome of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResponseCase {
    /// The request is done.
    Done,
    /// It is accepted, and done later (§4.8).
    Accepted,
    /// A dry run found no errors (§4.3).
    Valid,
    /// The client knows the representation already.
    NotModified,
    /// The request is refused, or failed.
    Failed,
}

impl HttpResponse {
    fn success(status: u16, case: ResponseCase, deprecates: bool) -> Self {
        let mut headers = headers::of_every_response(true);
        headers.extend(headers::of_credentials());
        if deprecates {
            headers.extend(headers::of_deprecation());
        }
        Self { status, case, content: Vec::new(), headers, location: None, codes: Vec::new() }
    }

    fn with(mut self, header: ResponseHeader) -> Self {
        self.headers.push(header);
        self
    }

    fn body(mut self, content: Vec<BodyContent>) -> Self {
        self.headers.extend(headers::of_body());
        Self { content, ..self }
    }

    fn at(self, location: String) -> Self {
        Self { location: Some(location), ..self.with(headers::LOCATION) }
    }

    /// The successes of a path of the service itself.
    pub(super) fn of_system(endpoint: SystemEndpoint, content: Vec<BodyContent>) -> Vec<Self> {
        let of = |status, case, content, own: &[ResponseHeader]| {
            let mut headers = headers::of_every_response(!endpoint.is_probe());
            headers.extend(own);
            Self { status, case, content, headers, location: None, codes: Vec::new() }
        };
        let body = [headers::CONTENT_TYPE, headers::CONTENT_ENCODING];
        if endpoint.is_contract() || endpoint.is_page() {
            let tag = [headers::ETAG, headers::REVALIDATED];
            let page: &[_] = if endpoint.is_page() { &headers::OF_PAGE } else { &[] };
            let known = of(304, ResponseCase::NotModified, Vec::new(), &tag);
            return vec![of(200, ResponseCase::Done, content, &[&tag[..], &body, page].concat()), known];
        }
        // a stream is never compressed
        let body = if endpoint == SystemEndpoint::Events { &body[..1] } else { &body[..] };
        vec![of(200, ResponseCase::Done, content, &[&[headers::NO_STORE], body].concat())]
    }

    /// The response to OPTIONS.
    pub(super) fn options(is_counted: bool) -> Self {
        let mut headers = headers::of_every_response(is_counted);
        headers.push(headers::ALLOW);
        let case = ResponseCase::Done;
        Self { status: 204, case, content: Vec::new(), headers, location: None, codes: Vec::new() }
    }

    /// The response to a method that a path does not have: before a version is negotiated.
    pub(super) fn method_not_allowed(service: &Checked, is_counted: bool) -> Self {
        let code = ErrorCode::MethodNotAllowed;
        let content = vec![BodyContent::errors(service, Version::PUBLIC)];
        Self::error(code.status(), vec![code], content, is_counted, false)
    }

    /// An error (§7).
    pub(super) fn error(
        status: u16,
        codes: Vec<ErrorCode>,
        content: Vec<BodyContent>,
        is_counted: bool,
        deprecates: bool,
    ) -> Self {
        let mut headers = headers::of_every_response(is_counted);
        headers.extend(headers::of_credentials());
        headers.extend(headers::of_body());
        headers.push(headers::CONTENT_LANGUAGE);
        match status {
            401 => headers.push(headers::WWW_AUTHENTICATE),
            405 => headers.push(headers::ALLOW),
            429 | 503 => headers.push(headers::RETRY_AFTER),
            _ => {}
        }
        if deprecates {
            headers.extend(headers::of_deprecation());
        }
        Self { status, case: ResponseCase::Failed, content, headers, location: None, codes }
    }
}

impl Call<'_> {
    /// The responses of requests that succeed, sorted by status. `deprecates`: a request may use something deprecated.
    pub(super) fn successes(&self, deprecates: bool) -> Vec<HttpResponse> {
        let done = |status| HttpResponse::success(status, ResponseCase::Done, deprecates);
        let valid = HttpResponse::success(204, ResponseCase::Valid, deprecates);
        if self.is_async() {
            let accepted = HttpResponse::success(202, ResponseCase::Accepted, deprecates);
            let is_creation = self.action == Action::Operation(OperationKind::Create);
            let accepted = if is_creation { accepted.with(headers::IGNORED_PROPERTIES) } else { accepted };
            return vec![accepted.at(self.entity_path()), valid];
        }
        match self.action {
            Action::Operation(OperationKind::List) => vec![done(200).body(self.result())],
            Action::ListCommands(_) => vec![done(200).body(self.result()).with(headers::COMMAND_LANGUAGE)],
            Action::Operation(OperationKind::Get) | Action::GetSearch => self.found(done(200), deprecates),
            Action::GetCommand(_) => self.found(done(200).with(headers::COMMAND_LANGUAGE), deprecates),
            Action::Operation(OperationKind::Create) => {
                vec![self.rendered(done(201)).with(headers::IGNORED_PROPERTIES).at(self.entity_path()), valid]
            }
            Action::Operation(OperationKind::Update | OperationKind::Patch) => vec![self.rendered(done(200)), valid],
            // a dry run of a deletion is 204, too
            Action::Operation(OperationKind::Delete) => vec![done(204)],
            Action::CreateSearch => {
                let location = format!("/{}-searches/{{searchId}}", self.resource.singular());
                vec![self.rendered(done(201)).at(location), valid]
            }
            // a command that is not ready refuses valid requests, dry runs included
            Action::PutCommand(command) if !self.resource.commands[command].ready => Vec::new(),
            Action::PutCommand(command) => vec![self.sent(command, deprecates), valid],
        }
    }

    /// What a command that is announced will respond with once it is ready.
    pub(super) fn success_to_come(&self, query: &[QueryParameter<'_>]) -> Option<HttpResponse> {
        match self.action {
            Action::PutCommand(command) if !self.is_ready() => {
                Some(self.sent(command, self.uses_deprecated(query, &self.request_schemas())))
            }
            _ => None,
        }
    }

    /// The response to a command.
    fn sent(&self, command: usize, deprecates: bool) -> HttpResponse {
        let name = &self.resource.commands[command].name;
        let entity = entity_id_beside_command(&self.resource.name);
        let location = format!("/{}/{{{entity}}}/{name}-commands/{{commandId}}", self.resource.plural);
        let done = HttpResponse::success(201, ResponseCase::Done, deprecates);
        self.rendered(done).with(headers::COMMAND_LANGUAGE).at(location)
    }

    /// A representation with its tag.
    fn rendered(&self, response: HttpResponse) -> HttpResponse {
        response.body(self.result()).with(headers::ETAG)
    }

    /// A GET of one representation.
    fn found(&self, response: HttpResponse, deprecates: bool) -> Vec<HttpResponse> {
        let known = HttpResponse::success(304, ResponseCase::NotModified, deprecates);
        vec![self.rendered(response), known.with(headers::ETAG)]
    }

    /// The path of an entity of the resource itself.
    fn root_path(&self) -> String {
        format!("/{}/{{{}}}", self.resource.plural, entity_id(&self.resource.name))
    }

    /// Where an entity that was created here is found: in the view, if that shows single ones.
    fn entity_path(&self) -> String {
        let shows_one = |kind: &OperationKind| *kind == OperationKind::Get;
        match self.view().filter(|view| view.operations.iter().any(|operation| shows_one(&operation.kind))) {
            Some(view) => format!("{}/{{{}}}", view.path, entity_id(&self.resource.name)),
            None => self.root_path(),
        }
    }

    /// Whether a request may use something deprecated, which its response then announces.
    pub(super) fn uses_deprecated(&self, query: &[QueryParameter<'_>], bodies: &[ValueType<'_>]) -> bool {
        self.deprecation().is_some()
            || !self.resource.notices.versions.is_empty() && self.negotiates()
            || query.iter().any(uses_deprecated_name)
            || bodies.iter().any(has_deprecated)
    }

    /// How the bodies of requests are read: the result of a PATCH is read as a replacement.
    pub(super) fn request_schemas(&self) -> Vec<ValueType<'_>> {
        let key = |content: BodyContent| match (content.schema?, content.version?) {
            (SchemaKey::Patch, version) => Some(SchemaKey::Replacement(self.representation(version))),
            (key, _) => Some(key),
        };
        self.request().into_iter().filter_map(key).map(|key| schemas::build(self.service, key)).collect()
    }
}

fn uses_deprecated_name(parameter: &QueryParameter<'_>) -> bool {
    let of_sort =
        matches!(&parameter.kind, ParameterKind::Sort(names) if names.iter().any(|name| name.deprecation.is_some()));
    let of_value = matches!(&parameter.kind, ParameterKind::Filter { value, .. } if has_deprecated(value));
    parameter.deprecation.is_some() || of_sort || of_value
}

/// Whether something in a value is deprecated.
fn has_deprecated(value: &ValueType<'_>) -> bool {
    let any = |properties: &[Property<'_>]| {
        properties.iter().any(|property| property.deprecation.is_some() || has_deprecated(&property.value))
    };
    match value {
        ValueType::Object { properties, .. } | ValueType::Reference { properties, .. } => any(properties),
        ValueType::Array { items, .. } => has_deprecated(items),
        ValueType::Map { values, .. } => has_deprecated(values),
        ValueType::Criterion { value, .. } => has_deprecated(value),
        ValueType::Enum(values) => !values.notices.is_empty(),
        ValueType::Scalar(_)
        | ValueType::Words(_)
        | ValueType::Amount
        | ValueType::Price(_)
        | ValueType::Schema(_)
        | ValueType::Any => false,
    }
}
