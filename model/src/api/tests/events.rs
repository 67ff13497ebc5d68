//! Events (§6; decisions, "Events").

use super::{both, marketplace, operation, specimens};
use crate::api::{Api, EventData, EventSchema, ParameterKind, Representation, SchemaKey};
use crate::events::{STREAM_MEDIA_TYPE, event_types};
use crate::resource::{Access, Version};

fn kind<'b, 'a>(api: &'b Api<'a>, event_type: &str) -> &'b EventSchema<'a> {
    api.events.kinds.iter().find(|kind| kind.event_type == event_type).unwrap_or_else(|| panic!("no {event_type}"))
}

#[test]
fn every_type_is_there_once_6() {
    for service in both() {
        let api = Api::of(&service);
        let described: Vec<_> = api.events.kinds.iter().map(|kind| kind.event_type.clone()).collect();
        let expected: Vec<_> = service.resources.iter().flat_map(|it| event_types(&service, it)).collect();
        assert_eq!(described, expected);
    }
}

#[test]
fn data_is_the_entity_its_id_or_the_status_of_a_command() {
    let service = marketplace();
    let api = Api::of(&service);
    let created = kind(&api, "marketplace.offer.created");
    let entity = Representation { resource: created.resource, view: None, version: Version::Public };
    assert_eq!(created.data, EventData::Entity(entity));
    assert_eq!(created.data.schema(), SchemaKey::Entity(entity));
    assert_eq!(kind(&api, "marketplace.offer.updated").data, created.data);
    assert_eq!(kind(&api, "marketplace.offer.deleted").data, EventData::DeletedEntity);
    assert_eq!(kind(&api, "marketplace.offer.renew-command.failed").data, EventData::CommandChange);
    assert_eq!((api.events.source.as_str(), api.events.subjects.as_str()), ("/marketplace", "marketplace.>"));
}

#[test]
fn events_are_visible_to_those_who_may_read() {
    let service = marketplace();
    let api = Api::of(&service);
    assert_eq!(kind(&api, "marketplace.offer.created").visible_to, [Access::Anyone]);
    let scope = Access::Scope("payments.read".to_owned());
    assert_eq!(kind(&api, "marketplace.payment.created").visible_to, [Access::Owner, scope]);
    assert_eq!(kind(&api, "marketplace.offer.renew-command.running").visible_to, [Access::Owner]);
}

/// CloudEvents 1.0, section 3: these attributes are required.
#[test]
fn the_envelope_is_a_cloud_event() {
    let service = specimens();
    let attributes = Api::of(&service).events.attributes;
    for name in ["specversion", "id", "source", "type"] {
        assert!(attributes.iter().any(|attribute| attribute.name == name && attribute.is_required), "{name}");
    }
    let optional: Vec<_> = attributes.iter().filter(|it| !it.is_required).map(|it| it.name).collect();
    assert_eq!(optional, ["traceparent", "actor"]);
}

#[test]
fn the_stream_is_filtered_and_resumed() {
    let service = marketplace();
    let api = Api::of(&service);
    let stream = operation(&api, "events");
    assert!(stream.headers.iter().any(|header| header.name == "Last-Event-ID" && !header.is_required));
    assert_eq!(stream.responses[0].content[0].media_type, STREAM_MEDIA_TYPE);
    let [resource, event_type] = stream.query.as_slice() else { panic!("two parameters") };
    let ParameterKind::EventResource(words) = &resource.kind else { panic!("resources") };
    assert!(words.contains(&"general-deliveries".to_owned()));
    let ParameterKind::EventType(types) = &event_type.kind else { panic!("types") };
    assert_eq!(types.len(), api.events.kinds.len());
}
