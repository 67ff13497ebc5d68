//! The events that a service publishes: their envelope and their kinds (§6).
//!
//! An event is a CloudEvent 1.0 in JSON, in structured mode. `GET /events` sends each as a server-sent event: `id:` is
//! a cursor for `Last-Event-ID`, `event:` the type, `data:` the event on one line. On the bus, NATS JetStream, the
//! subject is the type, and the message id is the event's.

use super::schemas::{Representation, SchemaKey};
use super::values::{TEXT, TIMESTAMP, UUID, ValueType};
use crate::check::Checked;
use crate::events::{EventKind, EventName, event_kinds, event_names, event_type, source, visible_to};
use crate::resource::{Access, Resource, Version};

/// The events of a service.
#[derive(Debug, Clone)]
pub struct Events<'a> {
    /// The `source` of every event: `/marketplace`.
    pub source: String,
    /// The subjects of all events on the bus: `marketplace.>`.
    pub subjects: String,
    /// The attributes of the envelope, in the order in which they are written; then comes `data`.
    pub attributes: Vec<EventAttribute>,
    /// Every kind of event, in the order of the resources.
    pub kinds: Vec<EventSchema<'a>>,
}

/// An attribute of an event's envelope.
#[derive(Debug, Clone, PartialEq)]
pub struct EventAttribute {
    /// As in JSON.
    pub name: &'static str,
    /// What it holds.
    pub value: ValueType<'static>,
    /// Whether every event has it.
    pub is_required: bool,
    /// One sentence for documentation.
    pub meaning: &'static str,
}

/// A kind of event.
#[derive(Debug, Clone, PartialEq)]
pub struct EventSchema<'a> {
    /// The `type`, and the subject on the bus: `marketplace.offer.created`.
    pub event_type: String,
    /// The resource, as an index into the service's.
    pub resource: usize,
    /// What happened.
    pub kind: EventKind<'a>,
    /// What `data` holds.
    pub data: EventData,
    /// The words of the type. Where one is a former name, events of this type end.
    pub name: EventName,
    /// Who sees it on an event stream: an owner sees those of their own entities. Empty: no caller sees it; it is only
    /// on the bus.
    pub visible_to: &'a [Access],
}

/// What the `data` of an event holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventData {
    /// The entity, as GET shows it in the preferred version of the resource itself.
    Entity(Representation),
    /// The id of an entity that was deleted.
    DeletedEntity,
    /// The id of a command and its status.
    CommandChange,
}

impl EventData {
    /// The schema of the data.
    #[must_use]
    pub const fn schema(self) -> SchemaKey {
        match self {
            Self::Entity(representation) => SchemaKey::Entity(representation),
            Self::DeletedEntity => SchemaKey::DeletedEntity,
            Self::CommandChange => SchemaKey::CommandChange,
        }
    }
}

impl<'a> Events<'a> {
    pub(super) fn of(service: &'a Checked) -> Self {
        let of_resource = |(index, resource): (usize, &'a Resource)| {
            let named = move |kind| event_names(resource, kind).into_iter().map(move |name| (kind, name));
            event_kinds(resource).flat_map(named).map(move |(kind, name)| EventSchema {
                event_type: event_type(service, &name.resource, &name.kind),
                resource: index,
                kind,
                data: data(index, resource, kind),
                name,
                visible_to: visible_to(resource, kind),
            })
        };
        Self {
            source: source(service),
            subjects: format!("{}.>", service.name),
            attributes: attributes(),
            kinds: service.resources.iter().enumerate().flat_map(of_resource).collect(),
        }
    }
}

fn data(index: usize, resource: &Resource, kind: EventKind<'_>) -> EventData {
    match kind {
        EventKind::Created | EventKind::Updated => {
            let version = resource.versions_by_preference().first().copied().unwrap_or(Version::PUBLIC);
            EventData::Entity(Representation { resource: index, view: None, version })
        }
        EventKind::Deleted => EventData::DeletedEntity,
        EventKind::Command { .. } => EventData::CommandChange,
    }
}

fn attributes() -> Vec<EventAttribute> {
    let attribute = |name, value, meaning| EventAttribute { name, value, is_required: true, meaning };
    let (uuid, text) = (|| ValueType::Scalar(&UUID), || ValueType::Scalar(&TEXT));
    let traceparent = attribute("traceparent", text(), "The W3C trace that the causing request was part of, if any.");
    let actor = attribute("actor", uuid(), "The id of the caller who sent the causing request, if it had credentials.");
    vec![
        attribute("specversion", ValueType::Words(vec!["1.0"]), "The version of CloudEvents."),
        attribute("id", uuid(), "The same on every channel: consumers drop repeats by it."),
        attribute("source", text(), "The service."),
        attribute("type", text(), "What happened."),
        attribute("subject", uuid(), "The id of the entity."),
        attribute("time", ValueType::Scalar(&TIMESTAMP), "When it happened: the entity's `updatedAt`."),
        attribute("datacontenttype", ValueType::Words(vec!["application/json"]), "The type of `data`."),
        attribute("traceid", uuid(), "The `Trace-Id` of the response to the causing request."),
        EventAttribute { is_required: false, ..traceparent },
        EventAttribute { is_required: false, ..actor },
    ]
}
