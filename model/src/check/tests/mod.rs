//! Each rule at work: a description that breaks it, and one beside it that does not.
//!
//! Descriptions are written as the JSON of the model, shortened: fields are a map by name, and what is left out is at
//! its default. A fault is written as its code and place.

#![allow(clippy::needless_pass_by_value)] // JSON is written where it is used up

mod allowing;
mod anything;
mod keys;
mod names;
mod nouns;
mod ownership;
mod page;
mod paths;
mod references;
mod scale;
mod types;
mod values;
mod versions;

use super::{Checked, Fault};
use crate::field::Field;
use crate::resource::{Command, Operation, OperationKind, Resource};
use crate::service::{Enum, Object, Service};
use serde_json::{Map, Value, json};

/// A service with these definitions, and users that have a name.
fn shop(resources: impl IntoIterator<Item = Resource>) -> Service {
    let user = resource("User", json!({ "fields": { "name": { "type": "string" } } }));
    let resources = resources.into_iter().chain([user]).collect();
    Service { users: Some("User".to_owned()), resources, ..Service::new("shop") }
}

/// A shop whose offers are like this.
fn shop_with(offer: Value) -> Service {
    shop([resource("Offer", offer)])
}

/// A shop whose offers have these fields.
fn shop_with_fields(fields: Value) -> Service {
    shop_with(Value::Object([("fields".to_owned(), fields)].into_iter().collect()))
}

/// A shop whose offers have this command.
fn shop_with_command(name: &str, keys: Value) -> Service {
    let mut offer = resource("Offer", json!({ "fields": { "name": { "type": "string" } } }));
    offer.commands.push(command(name, keys));
    shop([offer])
}

fn resource(name: &str, keys: Value) -> Resource {
    let operations = OperationKind::DEFAULT.map(Operation::open).to_vec();
    let base = Resource { operations, ..Resource::new(name) };
    let base = serde_json::to_value(base).expect("a resource is JSON");
    serde_json::from_value(overlay(base, keys)).expect("a resource")
}

fn command(name: &str, keys: Value) -> Command {
    let base = Command { open_by_default: false, ..Command::new(name) };
    let base = serde_json::to_value(base).expect("a command is JSON");
    serde_json::from_value(overlay(base, keys)).expect("a command")
}

fn object(name: &str, fields: Value) -> Object {
    let fields: Vec<Field> = serde_json::from_value(listed(fields)).expect("fields");
    Object::new(name, fields)
}

fn enumeration(name: &str, values: &[&str]) -> Enum {
    let values = values.iter().map(|value| (*value).to_owned()).collect();
    Enum::new(name, values)
}

fn overlay(mut base: Value, keys: Value) -> Value {
    for (key, value) in as_map(keys) {
        let is_fields = matches!(key.as_str(), "fields" | "input" | "output");
        base[key] = if is_fields { listed(value) } else { value };
    }
    base
}

/// `{"name": {…}}` as the model has it: `[{"name": "name", …}]`.
fn listed(fields: Value) -> Value {
    let named = as_map(fields).into_iter().map(|(name, mut field)| {
        field["name"] = Value::String(name);
        field
    });
    named.collect()
}

fn as_map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("not a map: {other}"),
    }
}

/// All that is wrong, warnings included.
fn faults(service: Service) -> Vec<Fault> {
    match Checked::new(service) {
        Ok(checked) => checked.warnings().to_vec(),
        Err(faults) => faults,
    }
}

#[track_caller]
fn assert_faults(service: Service, expected: &[&str]) {
    let shown: Vec<String> = faults(service).iter().map(|fault| format!("{} {}", fault.code, fault.at)).collect();
    assert_eq!(shown, expected);
}

#[track_caller]
fn assert_fine(service: Service) {
    assert_faults(service, &[]);
}
