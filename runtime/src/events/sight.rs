//! Which events a stream shows: those that were asked for, of those that the caller may see.

use super::feed::Ready;
use crate::plan::Plans;
use crate::plan::parameters::unknown_parameter;
use crate::serve::caller::{Caller, Permission};
use crate::store::Permit;
use restwell_model::events::event_types;
use restwell_model::{ErrorCode, OperationKind, Problem};

/// What a caller sees of the events of each resource, in the service's order; `None`: nothing.
#[derive(Debug)]
pub(super) struct Sight(Vec<Option<Permit>>);

impl Sight {
    /// A caller sees the events of what they may get; where nobody gets single entities, of what they may list.
    pub(super) fn of(plans: &Plans, caller: Option<&Caller>) -> Self {
        let permit = |plan: &crate::plan::ResourcePlan| {
            let reading = [OperationKind::Get, OperationKind::List].map(|operation| plan.access(None, operation));
            let access = reading.into_iter().find(|access| !access.is_empty())?;
            Permission::of(access, caller).ok()?.permit().ok()
        };
        Self(plans.resources.iter().map(permit).collect())
    }

    /// Whether an event is shown.
    pub(super) fn covers(&self, event: &Ready) -> bool {
        let permit = event.resource.and_then(|resource| *self.0.get(resource)?);
        permit.is_some_and(|permit| permit.covers(event.owner))
    }
}

/// What a stream was asked for: of these resources, and of these types. Nothing named: all.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Filter {
    resources: Vec<usize>,
    types: Vec<String>,
}

impl Filter {
    /// Reads the parameters of a stream.
    pub(super) fn read(plans: &Plans, query: &[(String, String)]) -> (Self, Vec<Problem>) {
        let (mut filter, mut problems) = (Self::default(), Vec::new());
        for (name, value) in query {
            match name.as_str() {
                "resource" => {
                    match plans.resources.iter().position(|plan| plan.path.strip_prefix('/') == Some(value)) {
                        Some(resource) => filter.resources.push(resource),
                        None => problems.push(unknown(name, value, "resource")),
                    }
                }
                "type" if is_type(plans, value) => filter.types.push(value.clone()),
                "type" => problems.push(unknown(name, value, "type of event")),
                _ => problems.push(unknown_parameter(name, ["resource", "type"])),
            }
        }
        (filter, problems)
    }

    /// Whether an event was asked for.
    pub(super) fn covers(&self, event: &Ready) -> bool {
        let is_of = |resource| event.resource == Some(resource);
        (self.resources.is_empty() || self.resources.iter().copied().any(is_of))
            && (self.types.is_empty() || self.types.contains(&event.kind))
    }
}

fn is_type(plans: &Plans, value: &str) -> bool {
    let service = &plans.service;
    service.resources.iter().any(|resource| event_types(service, resource).iter().any(|known| known == value))
}

fn unknown(name: &str, value: &str, what: &str) -> Problem {
    Problem::at(ErrorCode::InvalidParameter, name).with("reason", format!("`{value}` is no {what} here"))
}
