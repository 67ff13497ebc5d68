//! The custom routes of a service, compiled: path → methods, each with what its requests are checked by.

use super::Routes;
use crate::plan::render::Render;
use crate::plan::{Plans, RepresentationId, ResourceIndex};
use axum::Router;
use http::{HeaderValue, StatusCode};
use percent_encoding::percent_decode_str;
use restwell_model::api::{CustomBody, CustomRoute};
use restwell_model::input::Shape;
use std::fmt;
use std::sync::Arc;

/// The custom routes.
#[derive(Debug, Default)]
pub(crate) struct RouteTable {
    /// Words before variables.
    paths: Vec<CustomPath>,
    contracts: Vec<CustomRoute>,
}

/// A path of custom routes.
#[derive(Debug)]
pub(crate) struct CustomPath {
    /// With the names of its variables, as metrics and traces have it.
    pub(crate) pattern: String,
    /// The value of `Allow`.
    pub(crate) allow: String,
    methods: Vec<CustomMethod>,
}

/// A method at a path.
pub(crate) struct CustomMethod {
    pub(crate) contract: CustomRoute,
    /// What `Accept` selects from; nothing if no response has a body.
    pub(crate) produces: Vec<HeaderValue>,
    /// What `Content-Type` must be; nothing without a body.
    pub(crate) consumes: Vec<HeaderValue>,
    /// How the body is read, where a type describes it.
    pub(crate) body: Option<BodyPlan>,
    /// The resource whose filters are parameters.
    pub(crate) filters: Option<(Arc<str>, ResourceIndex)>,
    /// By status, what references show in its responses.
    shown: Vec<(u16, ShownInBody)>,
    pub(crate) handler: Router,
}

impl fmt::Debug for CustomMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.contract.method, self.contract.path)
    }
}

/// What references show in a response, and the resources of which not every caller sees all of that.
pub(crate) type ShownInBody = (Arc<Render>, Vec<ResourceIndex>);

/// How a body is read.
#[derive(Debug, Clone)]
pub(crate) enum BodyPlan {
    /// As the creation of an entity.
    Resource(String, ResourceIndex),
    /// As an object.
    Object(String, Arc<Shape>),
}

impl BodyPlan {
    /// The name of its type.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Resource(name, _) | Self::Object(name, _) => name,
        }
    }

    /// The resource that messages of its fields are for.
    pub(crate) fn resource(&self) -> Option<&str> {
        match self {
            Self::Resource(name, _) => Some(name),
            Self::Object(..) => None,
        }
    }

    /// How it is read.
    pub(crate) fn shape<'a>(&'a self, plans: &'a Plans) -> &'a Shape {
        match self {
            Self::Resource(_, index) => &plans.representation(RepresentationId::canonical(*index)).shape,
            Self::Object(_, shape) => shape,
        }
    }
}

/// A custom route at a path.
pub(crate) struct CustomMatch<'a> {
    /// Of the table's paths.
    pub(crate) index: usize,
    pub(crate) path: &'a CustomPath,
}

impl RouteTable {
    /// Compiles the routes. Their paths have been checked.
    pub(crate) fn compile(routes: Routes, plans: &Plans) -> Self {
        let contracts = routes.contracts();
        let mut paths: Vec<CustomPath> = Vec::new();
        for (route, handler) in routes.entries {
            let handler = Router::new().route(&route.contract.path, handler);
            let method = CustomMethod::compile(route.contract, handler, plans);
            match paths.iter_mut().find(|path| path.methods.iter().any(|it| it.is_beside(&method))) {
                Some(path) => path.methods.push(method),
                None => paths.push(CustomPath {
                    pattern: method.contract.path.clone(),
                    allow: String::new(),
                    methods: vec![method],
                }),
            }
        }
        for path in &mut paths {
            path.allow = allowed(&path.methods);
        }
        paths.sort_by_key(|path| path.methods.first().map(|method| method.contract.precedence()));
        Self { paths, contracts }
    }

    /// The custom route at a path of a request.
    pub(crate) fn find(&self, path: &str) -> Option<CustomMatch<'_>> {
        let matches = |candidate: &CustomPath| candidate.methods.iter().any(|method| method.contract.matches(path));
        let index = self.paths.iter().position(matches)?;
        Some(CustomMatch { index, path: &self.paths[index] })
    }

    /// The patterns, in the order of their indexes.
    pub(crate) fn patterns(&self) -> impl Iterator<Item = String> {
        self.paths.iter().map(|path| path.pattern.clone())
    }

    /// What the routes say of themselves, in the team's order.
    pub(crate) fn contracts(&self) -> &[CustomRoute] {
        &self.contracts
    }
}

impl CustomPath {
    /// What a method does; HEAD is GET.
    pub(crate) fn method(&self, method: &str) -> Option<&CustomMethod> {
        let method = if method == "HEAD" { "GET" } else { method };
        self.methods.iter().find(|known| known.contract.method == method)
    }
}

impl CustomMethod {
    fn compile(contract: CustomRoute, handler: Router, plans: &Plans) -> Self {
        let media_type = |text: &str| HeaderValue::try_from(text).unwrap_or_else(|_| plans.public.clone());
        let of_body = |body: &CustomBody| match body {
            CustomBody::Described(_) | CustomBody::Json => plans.public.clone(),
            CustomBody::Media(text) => media_type(text),
        };
        let mut produces: Vec<_> = Vec::new();
        for produced in contract.responses.iter().filter_map(|(_, body)| body.as_ref()).map(of_body) {
            if !produces.contains(&produced) {
                produces.push(produced);
            }
        }
        let consumes = contract.request.iter().map(of_body).collect();
        let body = match &contract.request {
            Some(CustomBody::Described(name)) => body_plan(plans, name),
            Some(CustomBody::Json | CustomBody::Media(_)) | None => None,
        };
        let filters = contract.filters.as_deref().and_then(|name| plans.resource(name));
        let filters = filters.map(|(index, plan)| (Arc::from(plan.name.as_str()), index));
        let of_response = |(status, body): &(u16, Option<CustomBody>)| match body {
            Some(CustomBody::Described(name)) => Some((*status, plans.shown_in_body(name)?)),
            Some(CustomBody::Json | CustomBody::Media(_)) | None => None,
        };
        let shown = contract.responses.iter().filter_map(of_response).collect();
        Self { contract, produces, consumes, body, filters, shown, handler }
    }

    /// What references show in a response of this status; `None`: nothing.
    pub(crate) fn shown(&self, status: StatusCode) -> Option<&ShownInBody> {
        self.shown.iter().find(|(known, _)| *known == status.as_u16()).map(|(_, shown)| shown)
    }

    fn is_beside(&self, other: &Self) -> bool {
        self.contract.pattern() == other.contract.pattern()
    }

    /// Whether `Accept` is needed, as for the methods of resources (§4.1).
    pub(crate) fn requires_accept(&self) -> bool {
        !self.produces.is_empty() && matches!(self.contract.method, "GET" | "PUT" | "PATCH")
    }

    /// The variables of a path that it matches.
    pub(crate) fn variables(&self, path: &str) -> Vec<(String, String)> {
        let names = self.contract.path.split('/').zip(path.split('/'));
        let values = names.filter(|(name, _)| name.starts_with('{'));
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        self.contract.variables().map(str::to_owned).zip(values.map(|(_, value)| decoded(value))).collect()
    }
}

fn body_plan(plans: &Plans, name: &str) -> Option<BodyPlan> {
    if let Some((index, plan)) = plans.resource(name) {
        return Some(BodyPlan::Resource(plan.name.clone(), index));
    }
    let object = plans.service.objects.iter().find(|object| object.name == name)?;
    let shape = Shape::compile(&plans.service, &object.fields, &[], &|_| true);
    Some(BodyPlan::Object(name.to_owned(), Arc::new(shape)))
}

/// The methods, as `Allow` lists them: GET includes HEAD, and every path has OPTIONS.
fn allowed(methods: &[CustomMethod]) -> String {
    let mut names: Vec<_> = methods.iter().map(|method| method.contract.method).chain(["OPTIONS"]).collect();
    if names.contains(&"GET") {
        names.push("HEAD");
    }
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}
