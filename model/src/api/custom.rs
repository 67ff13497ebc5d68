//! Routes that a service's own code adds beside those of its resources: what they say of themselves, and where they
//! collide with others.

use super::SystemEndpoint;
use super::codes::{EDGE_CODES, by_status};
use super::operation::BodyContent;
use super::responses::HttpResponse;
use super::schemas::{Representation, SchemaKey};
use super::values::{Direction, Selection, ValueType};
use crate::check::Checked;
use crate::error::ErrorCode;
use crate::input::Reading;
use crate::names;
use crate::resource::{Access, Version};
use crate::routes::{Endpoint, VARIABLE, endpoints};

/// A method at a path of a service's own code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomRoute {
    /// The HTTP method: `GET`.
    pub method: &'static str,
    /// The path with the names of its variables: `/offers/{offerId}/quotes`.
    pub path: String,
    /// What it does, in a line.
    pub summary: Option<String>,
    /// What it does, in sentences.
    pub description: Option<String>,
    /// Who may call it; empty: anyone.
    pub access: Vec<Access>,
    /// Query parameters.
    pub parameters: Vec<CustomParameter>,
    /// The resource whose filters, order and page are query parameters, too.
    pub filters: Option<String>,
    /// The body of a request.
    pub request: Option<CustomBody>,
    /// The successful responses: the status, and the body.
    pub responses: Vec<(u16, Option<CustomBody>)>,
}

/// A query parameter of a custom route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomParameter {
    /// Its name.
    pub name: String,
    /// What it means.
    pub meaning: String,
    /// Whether a request without it is refused.
    pub is_required: bool,
}

/// The body of a custom route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CustomBody {
    /// The type of this name in the model, in JSON.
    Described(String),
    /// JSON of any form.
    Json,
    /// Anything else, with its media type.
    Media(String),
}

/// A variable at the end that stands for the rest of a path: `/reports/{*rest}`.
const REST: &str = "{*";

/// The parts of a path between slashes.
fn segments(path: &str) -> Vec<&str> {
    path.split('/').skip(1).collect()
}

/// Whether a part of a path is a variable.
fn is_variable(segment: &str) -> bool {
    segment.starts_with('{')
}

impl CustomRoute {
    /// One that says nothing of itself.
    #[must_use]
    pub fn new(method: &'static str, path: &str) -> Self {
        Self {
            method,
            path: path.to_owned(),
            summary: None,
            description: None,
            access: Vec::new(),
            parameters: Vec::new(),
            filters: None,
            request: None,
            responses: Vec::new(),
        }
    }

    /// The names of the variables, in their order.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        let variables = self.path.split('/').filter(|segment| is_variable(segment));
        variables.map(|segment| segment.trim_start_matches(['{', '*']).trim_end_matches('}'))
    }

    /// The path without the names of its variables, as the table of routes writes paths.
    #[must_use]
    pub fn pattern(&self) -> String {
        let words = self.path.split('/').map(|segment| if is_variable(segment) { VARIABLE } else { segment });
        words.collect::<Vec<_>>().join("/")
    }

    /// Whether a path is this one.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        let (own, given) = (segments(&self.path), segments(path));
        let is_open = own.last().is_some_and(|last| last.starts_with(REST));
        let is_long_enough = if is_open { given.len() >= own.len() } else { given.len() == own.len() };
        let is_met = |(own, given): (&&str, &&str)| if is_variable(own) { !given.is_empty() } else { own == given };
        path.starts_with('/') && is_long_enough && own.iter().zip(&given).all(is_met)
    }

    /// Words before variables, as routers prefer them: the key by which routes are tried.
    #[must_use]
    pub fn precedence(&self) -> Vec<u8> {
        let rank = |segment: &&str| match (segment.starts_with(REST), is_variable(segment)) {
            (true, _) => 2,
            (false, is_variable) => u8::from(is_variable),
        };
        segments(&self.path).iter().map(rank).collect()
    }

    /// The errors that it may respond with, beside those of the service's own code.
    pub(crate) fn failures(&self, service: &Checked) -> Vec<HttpResponse> {
        let mut codes = EDGE_CODES.to_vec();
        codes.extend([ErrorCode::Unauthenticated, ErrorCode::UnknownParameter, ErrorCode::Rejected]);
        if self.access.iter().any(|access| matches!(access, Access::Scope(_))) {
            codes.push(ErrorCode::Forbidden);
        }
        if !self.responses.iter().all(|(_, body)| body.is_none()) {
            codes.push(ErrorCode::NotAcceptable);
        }
        if self.request.is_some() {
            codes.extend([ErrorCode::UnsupportedMediaType, ErrorCode::UnsupportedEncoding, ErrorCode::BodyTooLarge]);
        }
        if matches!(self.request, Some(CustomBody::Described(_))) {
            codes.extend([ErrorCode::MalformedJson, ErrorCode::Required, ErrorCode::WrongType]);
            codes.push(ErrorCode::UnknownProperty);
        }
        if self.parameters.iter().any(|parameter| parameter.is_required) {
            codes.push(ErrorCode::Required);
        }
        if self.path.contains('{') {
            codes.push(ErrorCode::ResourceNotFound);
        }
        let content = || vec![BodyContent::errors(service, Version::PUBLIC)];
        codes.sort_unstable();
        codes.dedup();
        by_status(codes).map(|(status, codes)| HttpResponse::error(status, codes, content(), true, false)).collect()
    }
}

/// The schema of a type of the model in a body of a custom route: by its key where resources have such bodies, and the
/// value itself.
pub(crate) fn value_of<'a>(
    service: &'a Checked,
    name: &str,
    is_request: bool,
) -> Option<(Option<SchemaKey>, ValueType<'a>)> {
    if let Some(resource) = service.resources.iter().position(|resource| resource.name == name) {
        let version = *service.resources[resource].versions_by_preference().first()?;
        let representation = Representation { resource, view: None, version };
        let key = match is_request {
            true => SchemaKey::Creation { representation, scope: None },
            false => SchemaKey::Entity(representation),
        };
        return Some((Some(key), super::schemas::build(service, key)));
    }
    if let Some(values) = service.enums.iter().find(|values| values.name == name) {
        return Some((None, ValueType::Enum(values)));
    }
    let object = service.objects.iter().find(|object| object.name == name)?;
    let direction = if is_request { Direction::Request(Reading::Create) } else { Direction::Response { shows: true } };
    let properties = Selection::all(service).properties(&object.fields, direction);
    Some((None, ValueType::Object { name: Some(&object.name), properties }))
}

/// What is wrong with the paths of custom routes, and with what they name: a line for each.
#[must_use]
pub fn custom_route_faults(service: &Checked, routes: &[CustomRoute]) -> Vec<String> {
    let endpoints = endpoints(service);
    let mut faults = Vec::new();
    for (index, route) in routes.iter().enumerate() {
        let name = format!("the route {} {}", route.method, route.path);
        if let Some(fault) = fault_of_path(&route.path) {
            faults.push(format!("{name}: {fault}"));
            continue;
        }
        if let Some(system) =
            SystemEndpoint::ALL.iter().find(|system| may_be_both(&segments(&route.path), system.path()))
        {
            faults.push(format!("{name} collides with {}, a system endpoint", system.path()));
        }
        if let Some(endpoint) = endpoints.iter().find(|endpoint| may_be_both(&segments(&route.path), &endpoint.pattern))
        {
            faults.push(format!("{name} collides with {}", described(service, endpoint)));
        }
        let is_same = |other: &&CustomRoute| other.method == route.method && other.pattern() == route.pattern();
        if let Some(other) = routes[..index].iter().find(is_same) {
            faults.push(format!("{name} collides with the route {} {}", other.method, other.path));
        }
        faults.extend(
            unknown_types(service, route)
                .into_iter()
                .map(|unknown| format!("{name} names `{unknown}`, which is not a part of the service")),
        );
        if route.access.contains(&Access::Owner) {
            faults
                .push(format!("{name}: `owner` is for resources; a route names `user` and asks for the owner itself"));
        }
    }
    faults
}

fn described(service: &Checked, endpoint: &Endpoint) -> String {
    let path = endpoint.pattern.replace(VARIABLE, "{id}");
    format!("{path} of the resource {}", service.resources[endpoint.resource].name)
}

fn unknown_types<'r>(service: &Checked, route: &'r CustomRoute) -> Vec<&'r str> {
    let named = |body: &'r CustomBody| match body {
        CustomBody::Described(name) => Some(name.as_str()),
        CustomBody::Json | CustomBody::Media(_) => None,
    };
    let bodies = route.request.iter().chain(route.responses.iter().filter_map(|(_, body)| body.as_ref()));
    let mut unknown: Vec<_> = bodies.filter_map(named).filter(|name| value_of(service, name, true).is_none()).collect();
    let filters = route.filters.as_deref();
    unknown.extend(filters.filter(|name| service.resource(name).is_none()));
    unknown
}

/// Whether one path may be that of a route and of an endpoint. A variable of a route is any text, an endpoint's a UUID.
fn may_be_both(route: &[&str], pattern: &str) -> bool {
    let pattern = segments(pattern);
    let is_open = route.last().is_some_and(|last| last.starts_with(REST));
    let is_as_long = if is_open { pattern.len() >= route.len() } else { pattern.len() == route.len() };
    is_as_long && route.iter().zip(&pattern).all(|(own, other)| is_variable(own) || own == other)
}

/// Why a path cannot be served.
fn fault_of_path(path: &str) -> Option<String> {
    let Some(rest) = path.strip_prefix('/') else { return Some("a path begins with `/`".to_owned()) };
    let mut variables = Vec::new();
    for (index, segment) in rest.split('/').enumerate() {
        let is_last = index + 1 == rest.split('/').count();
        let Some(variable) = segment.strip_prefix('{') else {
            if segment.is_empty() || !segment.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~".contains(&b)) {
                return Some(format!("`{segment}` is not a part of a path: use letters, digits and dashes"));
            }
            continue;
        };
        let name = variable.strip_suffix('}').unwrap_or_default();
        let name = if is_last { name.strip_prefix('*').unwrap_or(name) } else { name };
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Some(format!("`{segment}` is not a variable: write one as `{{offerId}}`"));
        }
        if variables.contains(&name) {
            return Some(format!("`{segment}` appears twice"));
        }
        variables.push(name);
    }
    None
}

/// The name of the operation: `getOffersOfferIdQuotes`.
pub(crate) fn operation_name(route: &CustomRoute) -> String {
    let words = route.path.split('/').map(|segment| names::pascal(segment.trim_matches(['{', '}', '*'])));
    format!("{}{}", route.method.to_ascii_lowercase(), words.collect::<String>())
}
