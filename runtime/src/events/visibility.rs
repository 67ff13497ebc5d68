//! Which events a stream shows: those that were asked for, of those that the caller may see.
//!
//! It is decided once per stream, by type. The store selects by it what is read, and a stream what it takes from what
//! all streams share.

use crate::auth::caller::Caller;
use crate::plan::list_parameters::unknown_parameter;
use crate::plan::permission::{Permission, Permit};
use crate::plan::{IndexedBy, Plans, ResourceIndex};
use crate::store::outbox::Selection;
use restwell_model::events::{event_kinds, event_type, event_types, visible_to};
use restwell_model::{ErrorCode, Problem};
use std::collections::HashMap;
use std::sync::Arc;
use uuid::Uuid;

/// What a stream shows to its caller.
#[derive(Debug)]
pub(crate) struct Visibility {
    /// By type of event; a type that is not in it is not shown.
    permits: HashMap<String, Permit>,
    selection: Arc<Selection>,
}

impl Visibility {
    /// A caller sees the events of what they may get, and of commands that they may get. Where no caller gets single
    /// entities, it is what they may list.
    pub(crate) fn of(plans: &Plans, filter: &EventFilter, caller: Option<&Caller>) -> Self {
        let mut permits = HashMap::new();
        let (mut everybodys, mut own) = (Vec::new(), Vec::new());
        let resources = plans.resources.indexed().zip(&plans.service.resources);
        for ((_, plan), resource) in resources.filter(|((index, _), _)| filter.takes_resource(*index)) {
            for kind in event_kinds(resource) {
                let event_type = event_type(&plans.service, &plan.singular, &kind.to_string());
                let permission = Permission::of(visible_to(resource, kind), caller);
                let permit = permission.and_then(|permission| permission.permit());
                let Some(permit) = permit.filter(|_| filter.takes_type(&event_type)) else { continue };
                let name = format!("{}.{kind}", plan.singular);
                let names = if permit == Permit::All { &mut everybodys } else { &mut own };
                names.push(name);
                permits.insert(event_type, permit);
            }
        }
        let json = |names: Vec<String>| serde_json::Value::from(names).to_string();
        let owner = caller.map(|caller| caller.id);
        Self { permits, selection: Arc::new(Selection { everybodys: json(everybodys), own: json(own), owner }) }
    }

    /// Whether there is nothing that could be shown.
    pub(crate) fn is_empty(&self) -> bool {
        self.permits.is_empty()
    }

    /// Whether an event of a type and an owner is shown.
    pub(crate) fn covers(&self, event_type: &str, owner: Option<Uuid>) -> bool {
        self.permits.get(event_type).is_some_and(|permit| permit.covers(owner))
    }

    /// The same for the store.
    pub(crate) fn selection(&self) -> Arc<Selection> {
        Arc::clone(&self.selection)
    }
}

/// What a stream was asked for: of these resources, and of these types. Nothing named: all.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct EventFilter {
    resources: Vec<ResourceIndex>,
    types: Vec<String>,
}

impl EventFilter {
    /// Reads the parameters of a stream.
    pub(crate) fn read(plans: &Plans, query: &[(String, String)]) -> (Self, Vec<Problem>) {
        let (mut filter, mut problems) = (Self::default(), Vec::new());
        for (name, value) in query {
            match name.as_str() {
                "resource" => {
                    match plans.resources.indexed().find(|(_, plan)| plan.path.strip_prefix('/') == Some(value)) {
                        Some((resource, _)) => filter.resources.push(resource),
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

    fn takes_resource(&self, resource: ResourceIndex) -> bool {
        self.resources.is_empty() || self.resources.contains(&resource)
    }

    fn takes_type(&self, event_type: &str) -> bool {
        self.types.is_empty() || self.types.iter().any(|known| known == event_type)
    }
}

fn is_type(plans: &Plans, value: &str) -> bool {
    let service = &plans.service;
    service.resources.iter().any(|resource| event_types(service, resource).iter().any(|known| known == value))
}

fn unknown(name: &str, value: &str, what: &str) -> Problem {
    Problem::at(ErrorCode::InvalidParameter, name).with("reason", format!("`{value}` is not a {what} here"))
}
