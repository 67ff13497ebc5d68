//! Which events a stream shows: those that were asked for, of those that the caller may see.
//!
//! It is decided once per stream, by type. The store selects by it what is read, and a stream what it takes from what
//! all streams share.

use super::tail::SharedEvent;
use crate::auth::caller::Caller;
use crate::clock::Clock;
use crate::plan::field_access::{CallersPlan, FieldAccess};
use crate::plan::form::write_text;
use crate::plan::list_parameters::unknown_parameter;
use crate::plan::permission::{Permission, Permit};
use crate::plan::{IndexedBy, Plans, ResourceIndex, ResourcePlan, stored};
use crate::store::facts::{KnownEntity, KnownFacts};
use crate::store::outbox::{Selection, StoredEvent};
use crate::store::{Store, StoreError};
use restwell_model::events::{EventKind, EventName, event_kinds, event_names, event_type, event_types, visible_to};
use restwell_model::input::members;
use restwell_model::scalar::Timestamp;
use restwell_model::{ErrorCode, Problem, Value};
use serde_json::Value as Json;
use std::collections::HashMap;
use std::sync::Arc;
use uuid::Uuid;

/// What a stream shows to its caller.
#[derive(Debug)]
pub(crate) struct Visibility {
    /// By type of event; a type that is not in it is not shown.
    permits: HashMap<String, Permit>,
    selection: Arc<Selection>,
    /// Who asks.
    caller: Option<Caller>,
    /// By type of event: the resources whose entities the caller may not all see.
    restricted: HashMap<String, ResourceIndex>,
    /// By type of event that shows a state: the resources of whose fields the caller may not see all.
    hiding: HashMap<String, ResourceIndex>,
}

impl Visibility {
    /// A caller sees the events of what they may get, and of commands that they may get. Where no caller gets single
    /// entities, it is what they may list.
    pub(crate) fn of(plans: &Plans, filter: &EventFilter, caller: Option<&Caller>) -> Self {
        let (mut permits, mut restricted, mut hiding) = (HashMap::new(), HashMap::new(), HashMap::new());
        let (mut everybodys, mut own) = (Vec::new(), Vec::new());
        let resources = plans.resources.indexed().zip(&plans.service.resources);
        for ((index, plan), resource) in resources.filter(|((index, _), _)| filter.takes_resource(*index)) {
            let sees_all = plan
                .visible
                .as_ref()
                .is_none_or(|visible| Permission::of(&visible.callers.access, caller) == Some(Permission::Granted));
            let is_seen = |callers: &CallersPlan| Permission::of(&callers.access, caller) == Some(Permission::Granted);
            let sees_fields = plan.fields.visible.iter().all(is_seen);
            for kind in event_kinds(resource) {
                let permission = Permission::of(visible_to(resource, kind), caller);
                let Some(permit) = permission.and_then(|permission| permission.permit()) else { continue };
                for EventName { resource, kind, .. } in event_names(resource, kind) {
                    let event_type = event_type(&plans.service, &resource, &kind);
                    if !filter.takes_type(&event_type) {
                        continue;
                    }
                    let names = if permit == Permit::All { &mut everybodys } else { &mut own };
                    names.push(format!("{resource}.{kind}"));
                    if !sees_all {
                        restricted.insert(event_type.clone(), index);
                    }
                    if !sees_fields && shows_state(&kind) {
                        hiding.insert(event_type.clone(), index);
                    }
                    permits.insert(event_type, permit.clone());
                }
            }
        }
        let json = |names: Vec<String>| serde_json::Value::from(names).to_string();
        let owner = caller.map(|caller| caller.id);
        let selection = Arc::new(Selection { everybodys: json(everybodys), own: json(own), owner });
        Self { permits, selection, caller: caller.cloned(), restricted, hiding }
    }

    /// Whether the entity of an event that is [covered](Self::covers) was seen by the caller: in the state that the
    /// event shows, with what it refers to as it is now. Where the event shows no state, it is decided by words, scopes
    /// and roles; and who made it may know.
    pub(super) async fn sees(
        &self,
        plans: &Plans,
        reading: Option<&EventReading>,
        event: &SharedEvent,
    ) -> Result<bool, StoreError> {
        let Some(resource) = self.restricted.get(&event.event_type) else { return Ok(true) };
        let Some(reading) = reading else { return Ok(false) };
        let (plan, stored, caller) = (&plans.resources[*resource], event.stored(), self.caller.as_ref());
        let Some(visible) = &plan.visible else { return Ok(true) };
        let (mut facts, has_state) = self.facts(plans, plan, stored, reading);
        let read = |read| reading.store.look(read, Vec::new());
        if facts.is_among(&visible.callers, stored.owner, read).await? {
            return Ok(true);
        }
        Ok(!has_state && caller.is_some_and(|caller| stored.trace.actor == Some(caller.id)))
    }

    /// The data of an event without the fields that the caller did not see in the state that it shows; `None`: all of
    /// them were seen.
    pub(super) async fn without_hidden(
        &self,
        plans: &Plans,
        reading: Option<&EventReading>,
        event: &SharedEvent,
    ) -> Result<Option<String>, StoreError> {
        let Some(resource) = self.hiding.get(&event.event_type) else { return Ok(None) };
        let (plan, stored) = (&plans.resources[*resource], event.stored());
        let mut seen = Vec::with_capacity(plan.fields.visible.len());
        if let Some(reading) = reading {
            let (mut facts, _) = self.facts(plans, plan, stored, reading);
            let read = |read| reading.store.look(read, Vec::new());
            for callers in &plan.fields.visible {
                seen.push(facts.is_among(callers, stored.owner, read).await?);
            }
        }
        let is_hidden = |field: &&FieldAccess| field.visible.is_some_and(|callers| seen.get(callers) != Some(&true));
        let hidden: Vec<_> = plan.fields.fields.iter().filter(is_hidden).collect();
        Ok((!hidden.is_empty()).then(|| without(&stored.data, &hidden)))
    }

    /// What is known of the entity of an event, and whether the event shows its state.
    fn facts<'a>(
        &'a self,
        plans: &'a Plans,
        plan: &ResourcePlan,
        stored: &StoredEvent,
        reading: &EventReading,
    ) -> (KnownFacts<'a>, bool) {
        let (caller, now) = (self.caller.as_ref(), reading.clock.now().millis());
        match state(plan, stored) {
            Some(state) => (KnownFacts::new(plans, state, caller, now), true),
            None => (KnownFacts::of_caller(plans, caller, now), false),
        }
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

/// What it takes to decide which events of restricted resources a stream shows.
pub(crate) struct EventReading {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Clock,
}

/// Whether events of a kind show the state of an entity.
fn shows_state(kind: &str) -> bool {
    [EventKind::Created, EventKind::Updated].iter().any(|known| known.to_string() == kind)
}

/// The JSON of an entity without the values of some fields.
fn without(json: &str, hidden: &[&FieldAccess]) -> String {
    let mut out = b"{".to_vec();
    let read = members(json, |name, value| {
        if out.len() > 1 {
            out.push(b',');
        }
        write_text(&name, &mut out);
        out.push(b':');
        let field = hidden.iter().find(|field| field.is_named(&name));
        out.extend_from_slice(field.map_or(value, |field| field.blank()).as_bytes());
        Ok(())
    });
    // the service wrote it; what cannot be read shows nothing
    if read.is_err() {
        out.truncate(1);
    }
    out.push(b'}');
    String::from_utf8_lossy(&out).into_owned()
}

/// The state of an entity that an event shows; `None`: it shows none. What it does not have is not known.
fn state(plan: &ResourcePlan, event: &StoredEvent) -> Option<KnownEntity> {
    let data: Json = serde_json::from_str(&event.data).ok().filter(|_| shows_state(&event.kind))?;
    let time = |name: &str| {
        let time = data.get(name).and_then(Json::as_str).and_then(|text| Timestamp::parse(text).ok());
        time.map_or(Value::Absent, |time| Value::Int(time.millis()))
    };
    let fields = stored::given(plan.repository.fields(), &data);
    Some(KnownEntity::known(event.entity, [time("createdAt"), time("updatedAt")], fields))
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
                    let resources = plans.service.resources.iter();
                    match resources.enumerate().find(|(_, it)| it.plurals().any(|plural| plural == *value)) {
                        Some((index, _)) => filter.resources.push(index.into()),
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
