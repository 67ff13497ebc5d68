//! The checked model for tools, as `GET /model.json` shows it.

use crate::api::{CustomBody, CustomParameter, CustomRoute};
use crate::check::Checked;
use crate::field::{Allow, Field, is_false};
use crate::resource::Access;
use crate::service::Service;
use serde::Serialize;

/// The model, and what the routes of the service's own code say of themselves. These are no part of the model: they
/// are known to the running program alone.
#[derive(Debug, Serialize)]
pub struct ModelDocument<'a> {
    #[serde(flatten)]
    service: Service,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    routes: Vec<RouteDocument<'a>>,
}

/// A route.
#[derive(Debug, Serialize)]
struct RouteDocument<'a> {
    method: &'a str,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "<[Access]>::is_empty")]
    access: &'a [Access],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parameters: Vec<ParameterDocument<'a>>,
    /// The resource whose filters are parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    filters: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    takes: Option<BodyDocument<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    returns: Vec<ResponseDocument<'a>>,
}

#[derive(Debug, Serialize)]
struct ParameterDocument<'a> {
    name: &'a str,
    description: &'a str,
    /// Where it is not, the parameter may be omitted.
    #[serde(skip_serializing_if = "is_false")]
    required: bool,
}

/// A body: a type of the model by its name, or another media type; neither is JSON of any form.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct BodyDocument<'a> {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    ty: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    media_type: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct ResponseDocument<'a> {
    status: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<BodyDocument<'a>>,
}

impl<'a> RouteDocument<'a> {
    fn of(route: &'a CustomRoute) -> Self {
        let parameter = |it: &'a CustomParameter| ParameterDocument {
            name: &it.name,
            description: &it.meaning,
            required: it.is_required,
        };
        let response = |(status, body): &'a (u16, Option<CustomBody>)| ResponseDocument {
            status: *status,
            body: body.as_ref().map(BodyDocument::of),
        };
        Self {
            method: route.method,
            path: &route.path,
            summary: route.summary.as_deref(),
            description: route.description.as_deref(),
            access: &route.access,
            parameters: route.parameters.iter().map(parameter).collect(),
            filters: route.filters.as_deref(),
            takes: route.request.as_ref().map(BodyDocument::of),
            returns: route.responses.iter().map(response).collect(),
        }
    }
}

impl<'a> BodyDocument<'a> {
    fn of(body: &'a CustomBody) -> Self {
        let (ty, media_type) = match body {
            CustomBody::Described(name) => (Some(name.as_str()), None),
            CustomBody::Json => (None, None),
            CustomBody::Media(media_type) => (None, Some(media_type.as_str())),
        };
        Self { ty, media_type }
    }
}

/// The model with the routes, without what concerns the team alone: how secrets are stored, and which rules it has
/// switched off, with its reasons.
#[must_use]
pub fn model_document<'a>(service: &Checked, routes: &'a [CustomRoute]) -> ModelDocument<'a> {
    ModelDocument { service: shown(service), routes: routes.iter().map(RouteDocument::of).collect() }
}

fn shown(service: &Checked) -> Service {
    let mut shown = Service::clone(service);
    shown.enums.iter_mut().for_each(|definition| definition.allow = Allow::new());
    for object in &mut shown.objects {
        object.allow = Allow::new();
        object.fields.iter_mut().for_each(clear);
    }
    for resource in &mut shown.resources {
        resource.allow = Allow::new();
        resource.views.iter_mut().for_each(|view| view.allow = Allow::new());
        resource.fields.iter_mut().for_each(clear);
        for command in &mut resource.commands {
            command.allow = Allow::new();
            command.input.iter_mut().chain(&mut command.output).for_each(clear);
        }
    }
    shown
}

fn clear(field: &mut Field) {
    field.secret = None;
    field.allow = Allow::new();
}
