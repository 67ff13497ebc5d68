//! The interface of two services: the marketplace, and a service with every type and key of the schema language.
//!
//! Their models are those that the services have recorded beside their migrations; tests of the services keep them
//! current.

mod access;
mod bodies;
mod codes;
mod events;
mod former_names;
mod parameters;
mod paths;
mod responses;
mod schemas;
mod unusual;

use super::{Api, HttpOperation, Property, ValueType};
use crate::check::Checked;
use crate::service::Service;
use std::path::Path;

fn recorded(folder: &str) -> Checked {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder).join("migrations/model.json");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let service: Service = serde_json::from_str(&text).unwrap();
    Checked::new(service).unwrap()
}

fn marketplace() -> Checked {
    recorded("generated-example")
}

/// The service of `tests/schemas`.
fn specimens() -> Checked {
    recorded("tests")
}

fn both() -> [Checked; 2] {
    [marketplace(), specimens()]
}

/// The operation with an id.
#[track_caller]
fn operation<'b, 'a>(api: &'b Api<'a>, id: &str) -> &'b HttpOperation<'a> {
    let found = api.operations().find(|(_, operation)| operation.id == id);
    found.map(|(_, operation)| operation).unwrap_or_else(|| {
        panic!("no {id}; there are {:?}", api.operations().map(|(_, it)| it.id.as_str()).collect::<Vec<_>>())
    })
}

/// The statuses of an operation's successes.
fn successes(operation: &HttpOperation<'_>) -> Vec<u16> {
    operation.responses.iter().map(|response| response.status).filter(|status| *status < 400).collect()
}

/// The statuses of an operation's errors.
fn failures(operation: &HttpOperation<'_>) -> Vec<u16> {
    operation.responses.iter().map(|response| response.status).filter(|status| *status >= 400).collect()
}

/// The properties of an object.
#[track_caller]
fn properties<'b, 'a>(value: &'b ValueType<'a>) -> &'b [Property<'a>] {
    match value {
        ValueType::Object { properties, .. } => properties,
        other => panic!("not an object: {other:?}"),
    }
}

/// The names of properties.
fn names<'b>(properties: &'b [Property<'_>]) -> Vec<&'b str> {
    properties.iter().map(|property| &*property.name).collect()
}

/// A property, by its name.
#[track_caller]
fn property<'b, 'a>(properties: &'b [Property<'a>], name: &str) -> &'b Property<'a> {
    let found = properties.iter().find(|property| property.name == name);
    found.unwrap_or_else(|| panic!("no `{name}` among {:?}", names(properties)))
}
