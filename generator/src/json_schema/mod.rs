//! The JSON Schema of the documents, for editors: completion, hover texts and errors while one writes.
//!
//! It is built from the tables of keys that the interpreter uses, so that both have the same language. Rules that need
//! more than one document (unknown names, name conflicts) are left to `restwell check`. The schema uses closed mappings
//! and `if`/`then` rather than `unevaluatedProperties` and `oneOf`: every language server supports them, they report
//! one error at the right place, and completion follows the keys that are already there.

mod field;
mod project;
mod shape;
#[cfg(test)]
mod tests;

pub use project::json_schema_for;

use crate::interpret::keys::{self, KeySpec, KeyTable};
use restwell_model::language::Renamed;
use serde_json::{Map, Value, json};

/// The schema of a document, JSON Schema 2020-12.
#[must_use]
pub fn json_schema() -> Value {
    let mut schema = by_kind(&keys::DOCUMENT_TABLES);
    let about = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Restwell document",
        "description": "A document of a Restwell service: the service itself, a resource, an object or an enum.",
        "type": "object",
        "$defs": definitions(),
    });
    extend(&mut schema, about);
    schema
}

/// The first key selects the schema of a document; a document without such a key is offered all of them.
fn by_kind(tables: &[&KeyTable]) -> Value {
    match tables {
        [table, rest @ ..] => {
            let kind = kind(table);
            json!({ "if": { "required": [kind] }, "then": reference(kind), "else": by_kind(rest) })
        }
        [] => {
            let first = keys::DOCUMENT_TABLES.iter().filter_map(|table| table.key(kind(table)));
            let properties: Map<String, Value> = first.map(|key| (key.name.to_owned(), property(key))).collect();
            let any_of: Vec<Value> = keys::DOCUMENTS.iter().map(|kind| json!({ "required": [kind] })).collect();
            json!({ "properties": properties, "anyOf": any_of })
        }
    }
}

/// The key that names the kind of a document.
fn kind(table: &KeyTable) -> &'static str {
    table.keys().next().unwrap_or_default()
}

fn definitions() -> Map<String, Value> {
    let mut definitions: Map<String, Value> =
        keys::DOCUMENT_TABLES.iter().map(|table| (kind(table).to_owned(), closed(table))).collect();
    definitions.insert("operation".to_owned(), or_nothing(closed(&keys::OPERATION)));
    definitions.insert("view".to_owned(), closed(&keys::VIEW));
    definitions.insert("announcement".to_owned(), closed(&keys::ANNOUNCEMENT));
    for renamed in Renamed::ALL {
        definitions.insert(renamed.schema().to_owned(), closed(renamed.keys()));
    }
    definitions.insert("contact".to_owned(), closed(&keys::CONTACT));
    definitions.insert("license".to_owned(), closed(&keys::LICENSE));
    definitions.insert("users".to_owned(), closed(&keys::USERS));
    definitions.insert("required".to_owned(), closed(&keys::REQUIRED));
    definitions.insert("rule".to_owned(), closed(&keys::RULE));
    definitions.insert("lifecycle".to_owned(), closed(&keys::LIFECYCLE));
    definitions.insert("transition".to_owned(), closed(&keys::TRANSITION));
    definitions.insert("command".to_owned(), or_nothing(closed(&keys::COMMAND)));
    definitions.extend(shape::definitions());
    definitions.extend(field::definitions());
    definitions
}

/// A mapping of the keys of a table and no others.
fn closed(table: &KeyTable) -> Value {
    closed_with(table.description, table.keys.iter().map(|key| (key, property(key))))
}

fn closed_with<'k>(description: &str, properties: impl Iterator<Item = (&'k KeySpec, Value)>) -> Value {
    let mut required = Vec::new();
    let mut all = Map::new();
    for (key, property) in properties {
        required.extend(key.is_required.then_some(key.name));
        all.insert(key.name.to_owned(), property);
    }
    json!({
        "description": description,
        "type": "object",
        "required": required,
        "properties": all,
        "additionalProperties": false,
    })
}

/// The schema of a key's value, with its description, default and example.
fn property(key: &KeySpec) -> Value {
    described(key, shape::schema(key.shape))
}

fn described(key: &KeySpec, mut schema: Value) -> Value {
    extend(&mut schema, json!({ "description": key.description }));
    if let Some(default) = key.default {
        extend(&mut schema, json!({ "default": default.json() }));
    }
    if let Some(example) = key.example {
        extend(&mut schema, json!({ "examples": [example.json()] }));
    }
    schema
}

/// A mapping that may be left empty, its key standing alone.
fn or_nothing(mut schema: Value) -> Value {
    extend(&mut schema, json!({ "type": ["object", "null"] }));
    schema
}

fn reference(definition: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{definition}") })
}

/// Adds the keywords of one schema to another.
fn extend(schema: &mut Value, keywords: Value) {
    if let (Value::Object(schema), Value::Object(keywords)) = (schema, keywords) {
        schema.extend(keywords);
    }
}
