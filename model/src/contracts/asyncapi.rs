//! AsyncAPI 3.1: the events of a service, on the bus and on `GET /events`, with the schemas of its responses.

use super::about::{Contract, info};
use super::components::Components;
use super::json_tree::{JsonTree, object, texts};
use super::schemas::{Schemas, goes_away};
use crate::api::{Api, EventSchema, Events, SystemEndpoint};
use crate::events::MEDIA_TYPE;
use crate::names;

/// The events of a service in the form of AsyncAPI 3.1.
#[must_use]
pub fn asyncapi(api: &Api<'_>) -> JsonTree {
    let mut emitter = EventEmitter {
        api,
        schemas: Schemas::new(api),
        messages: Components::new("#/components/messages/"),
        channels: Vec::new(),
        operations: Vec::new(),
    };
    let envelope = emitter.envelope(&api.events);
    for event in &api.events.kinds {
        emitter.event(event, &envelope);
    }
    emitter.stream();
    let title = api.service.title.clone().unwrap_or_else(|| api.service.name.clone());
    let info = info(api.service, format!("{title}: events"), introduction(&api.events), Contract::AsyncApi);
    object([
        ("asyncapi", "3.1.0".into()),
        ("id", format!("urn:restwell:{}", api.service.name).into()),
        ("info", info),
        ("defaultContentType", MEDIA_TYPE.into()),
        ("channels", JsonTree::Object(emitter.channels)),
        ("operations", JsonTree::Object(emitter.operations)),
        (
            "components",
            object([("messages", emitter.messages.into_tree()), ("schemas", emitter.schemas.parts.into_tree())]),
        ),
    ])
}

fn introduction(events: &Events<'_>) -> String {
    format!(
        "Every event is a CloudEvent 1.0. It is published at least once: consumers drop repeats by `id`. Those of one \
         entity come in their order. On NATS JetStream the subject is the type (all: `{}`) and the message id is the \
         event's; `GET {}` sends the same events as server-sent events to callers who may see them.",
        events.subjects,
        SystemEndpoint::Events.path()
    )
}

/// The parts of a document while it is made.
struct EventEmitter<'e, 'a> {
    api: &'e Api<'a>,
    schemas: Schemas<'e, 'a>,
    messages: Components,
    channels: Vec<(String, JsonTree)>,
    operations: Vec<(String, JsonTree)>,
}

impl EventEmitter<'_, '_> {
    /// The attributes that every event has.
    fn envelope(&mut self, events: &Events<'_>) -> JsonTree {
        let members = events.attributes.iter().map(|attribute| {
            let schema = self.schemas.attribute(attribute.name, &attribute.value);
            let described = match &schema {
                // here nothing can stand beside a reference
                reference if reference.get("$ref").is_some() => object([("allOf", JsonTree::List(vec![schema]))]),
                _ => schema,
            };
            (attribute.name.to_owned(), described.with("description", attribute.meaning))
        });
        let properties = JsonTree::Object(members.collect());
        let required = events.attributes.iter().filter(|attribute| attribute.is_required).map(|it| it.name);
        let schema = object([("type", "object".into()), ("properties", properties), ("required", texts(required))]);
        self.schemas.parts.share(&["CloudEvent".to_owned()], schema)
    }

    fn event(&mut self, event: &EventSchema<'_>, envelope: &JsonTree) {
        let data = self.schemas.body(event.data.schema());
        let own = object([
            ("type", "object".into()),
            ("properties", object([("type", object([("const", event.event_type.as_str().into())])), ("data", data)])),
            ("required", texts(["data"])),
        ]);
        let resource = &self.api.service.resources[event.resource];
        let subject = match event.name.deprecation {
            None => resource.name.clone(),
            Some(_) => names::pascal(&event.name.resource),
        };
        let name = names::pascal(&format!("{subject}-{}", event.name.kind).replace('.', "-"));
        let going = event.name.deprecation.map(|deprecation| format!(" {}", goes_away(&event.event_type, deprecation)));
        let message = object([
            ("name", event.event_type.as_str().into()),
            ("title", format!("{subject}: {}", event.name.kind).into()),
            ("contentType", MEDIA_TYPE.into()),
            ("payload", object([("allOf", JsonTree::List(vec![envelope.clone(), own]))])),
        ]);
        let message = self.messages.share(std::slice::from_ref(&name), message);
        let channel = object([
            ("address", event.event_type.as_str().into()),
            ("description", format!("A subject of NATS JetStream.{}", going.unwrap_or_default()).into()),
            ("messages", object([(name.as_str(), message)])),
        ]);
        self.channels.push((name.clone(), channel));
        self.operations.push((format!("publish{name}"), send(&name, [name.as_str()])));
    }

    /// All events as one stream over HTTP.
    fn stream(&mut self) {
        let names: Vec<_> = self.channels.iter().map(|(name, _)| name.clone()).collect();
        let messages = names.iter().map(|name| (name.clone(), self.messages.reference(name))).collect();
        let channel = object([
            ("address", SystemEndpoint::Events.path().into()),
            ("description", "Server-sent events over HTTP.".into()),
            ("messages", JsonTree::Object(messages)),
        ]);
        let text = || object([("type", "string".into())]);
        let query =
            object([("type", "object".into()), ("properties", object([("resource", text()), ("type", text())]))]);
        let http = object([("method", "GET".into()), ("query", query), ("bindingVersion", "0.3.0".into())]);
        let operation = send(STREAM, names.iter().map(String::as_str)).with("bindings", object([("http", http)]));
        self.channels.push((STREAM.to_owned(), channel));
        self.operations.push(("streamEvents".to_owned(), operation));
    }
}

/// The name of the channel with all events.
const STREAM: &str = "events";

/// The service sends these messages on a channel.
fn send<'n>(channel: &str, messages: impl IntoIterator<Item = &'n str>) -> JsonTree {
    let reference = |path: String| object([("$ref", path.into())]);
    let messages = messages.into_iter().map(|name| reference(format!("#/channels/{channel}/messages/{name}")));
    object([
        ("action", "send".into()),
        ("channel", reference(format!("#/channels/{channel}"))),
        ("messages", JsonTree::List(messages.collect())),
    ])
}
