//! An event as the world sees it: a CloudEvent 1.0 in JSON, structured mode.

use crate::plan::form::write_text;
use crate::store::outbox::StoredEvent;
use restwell_model::Service;
use restwell_model::events::{event_type, source};
use restwell_model::scalar::{Timestamp, uuid_text};
use uuid::Uuid;

pub(crate) use restwell_model::events::MEDIA_TYPE;

/// The type of a stored event.
pub(crate) fn type_of(service: &Service, event: &StoredEvent) -> String {
    event_type(service, &event.resource, &event.kind)
}

/// Writes an event on one line. `traceid` and `traceparent` are extensions: the `Trace-Id` of the answer to the request
/// that it came from, and what that request continued. So is `actor`, the id of the caller who sent it.
pub(crate) fn write(service: &Service, event: &StoredEvent, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"specversion\":\"1.0\",\"id\":");
    write_uuid(event.mark.id, out);
    member("source", out, |out| write_text(source(service).as_bytes(), out));
    member("type", out, |out| write_text(type_of(service, event).as_bytes(), out));
    member("subject", out, |out| write_uuid(event.entity, out));
    // a time that is none, which nothing writes, is left out: the attribute is optional
    if let Some(time) = Timestamp::from_millis(event.time) {
        member("time", out, |out| {
            out.push(b'"');
            time.write(out);
            out.push(b'"');
        });
    }
    member("datacontenttype", out, |out| out.extend_from_slice(b"\"application/json\""));
    member("traceid", out, |out| write_uuid(event.trace.id, out));
    if let Some(parent) = &event.trace.parent {
        member("traceparent", out, |out| write_text(parent.as_bytes(), out));
    }
    if let Some(actor) = event.trace.actor {
        member("actor", out, |out| write_uuid(actor, out));
    }
    member("data", out, |out| out.extend_from_slice(event.data.as_bytes()));
    out.push(b'}');
}

fn member(name: &str, out: &mut Vec<u8>, value: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\":");
    value(out);
}

fn write_uuid(id: Uuid, out: &mut Vec<u8>) {
    out.push(b'"');
    uuid_text::write(&id, out);
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::trace::Trace;
    use crate::store::outbox::EventPosition;
    use serde_json::Value;

    fn event(parent: Option<&str>) -> StoredEvent {
        StoredEvent {
            mark: EventPosition { position: 7, id: Uuid::now_v7() },
            resource: "offer".to_owned(),
            kind: "renew-command.running".to_owned(),
            entity: Uuid::now_v7(),
            owner: None,
            time: 1_795_219_200_123,
            data: "{\"name\":\"Lamp\"}".to_owned(),
            trace: Trace { id: Uuid::new_v4(), parent: parent.map(str::to_owned), actor: Some(Uuid::now_v7()) },
        }
    }

    fn written(event: &StoredEvent) -> Value {
        let mut out = Vec::new();
        write(&Service::new("market"), event, &mut out);
        assert!(!out.contains(&b'\n'), "one line");
        serde_json::from_slice(&out).unwrap()
    }

    /// CloudEvents 1.0, §3: the required attributes are texts that are not empty, names are lower-case letters and
    /// digits.
    #[test]
    fn it_is_a_cloud_event() {
        let event = event(Some("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
        let json = written(&event);
        for (name, value) in json.as_object().unwrap() {
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()), "{name}");
            assert!(name.len() <= 20, "{name}");
            assert!(name == "data" || value.as_str().is_some_and(|text| !text.is_empty()), "{name}: {value}");
        }
        assert_eq!(json["specversion"], "1.0");
        assert_eq!(json["id"], event.mark.id.to_string());
        assert_eq!(json["source"], "/market");
        assert_eq!(json["type"], "market.offer.renew-command.running");
        assert_eq!(json["subject"], event.entity.to_string());
        assert_eq!(json["time"], "2026-11-21T00:00:00.123Z");
        assert_eq!(json["datacontenttype"], "application/json");
        assert_eq!(json["traceid"], event.trace.id.to_string());
        assert_eq!(json["traceparent"], "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        assert_eq!(json["actor"], event.trace.actor.map(|id| id.to_string()).unwrap_or_default());
        assert_eq!(json["data"]["name"], "Lamp");
    }

    #[test]
    fn without_a_traceparent_there_is_none() {
        assert_eq!(written(&event(None)).get("traceparent"), None);
    }
}
