//! Fields and array items: each type has keys of its own, so that `maxLength` on an integer is an error.

use super::{closed_with, described, property, reference, shape};
use crate::interpret::keys::{self, JsonForm, KeyShape, KeySpec, KeyTable};
use serde_json::{Value, json};

/// Fields and items of every type, the keys they share, and the types.
pub(super) fn definitions() -> Vec<(String, Value)> {
    let shared = keys::FIELD.keys.iter().filter(|key| !is_of_type(key));
    let mut definitions: Vec<_> = shared.map(|key| (shared_name(key), property(key))).collect();
    for (owner, common) in [("field", &keys::FIELD), ("items", &keys::ITEMS), ("values", &keys::VALUES)] {
        let types: Vec<&KeyTable> = types_of(owner).collect();
        definitions.push((format!("{owner}.type"), type_word(&types)));
        definitions.push((owner.to_owned(), by_type(owner, common, &types)));
        let each = types.into_iter().chain([&keys::NAMED]);
        definitions.extend(each.map(|table| (of_type(owner, table), closed_as(common, table))));
    }
    definitions
}

/// The types that a field, an array's items or a map's values may have.
fn types_of(owner: &str) -> impl Iterator<Item = &'static KeyTable> {
    keys::TYPES.iter().filter(move |table| match owner {
        "items" => table.what != "array",
        "values" => !["array", "object", "ref", "map"].contains(&table.what),
        _ => true,
    })
}

/// The name of the definition of a field or items of a type.
fn of_type(owner: &str, table: &KeyTable) -> String {
    let word = if *table == keys::NAMED { "shared" } else { table.what };
    format!("{owner}.of.{word}")
}

fn shared_name(key: &KeySpec) -> String {
    format!("field.key.{}", key.name)
}

/// Whether the form of the key's value depends on the type.
fn is_of_type(key: &KeySpec) -> bool {
    matches!(key.shape, KeyShape::Type | KeyShape::Default | KeyShape::Example)
}

/// `type`: a word of the language, or a name.
fn type_word(types: &[&KeyTable]) -> Value {
    let words: Vec<&str> = types.iter().map(|table| table.what).collect();
    let descriptions: Vec<&str> = types.iter().map(|table| table.description).collect();
    let known = json!({ "enum": words, "markdownEnumDescriptions": descriptions });
    let name = json!({ "pattern": "^[A-Z]", "description": keys::NAMED.description });
    json!({ "type": "string", "anyOf": [known, name] })
}

/// A field or items with a `type` must match the schema of that type.
fn by_type(owner: &str, common: &KeyTable, types: &[&KeyTable]) -> Value {
    let is = |word: Value| json!({ "required": ["type"], "properties": { "type": word } });
    let known = types.iter().map(|table| (json!({ "const": table.what }), *table));
    let all = known.chain([(json!({ "type": "string", "pattern": "^[A-Z]" }), &keys::NAMED)]);
    let branches: Vec<Value> =
        all.map(|(word, table)| json!({ "if": is(word), "then": reference(&of_type(owner, table)) })).collect();
    let types = common.key("type").map(|key| described(key, reference(&format!("{owner}.type"))));
    json!({
        "description": common.description,
        "type": "object",
        "required": ["type"],
        "properties": { "type": types },
        "allOf": branches,
    })
}

/// A field or items of one type.
fn closed_as(common: &KeyTable, table: &KeyTable) -> Value {
    let shared = common.keys.iter().map(|key| {
        let schema = match key.shape {
            KeyShape::Type => json!({ "description": table.description }),
            KeyShape::Default => described(key, json!({ "anyOf": [value(table.what), computed()] })),
            KeyShape::Example => described(key, json!({ "anyOf": [value(table.what), { "type": "null" }] })),
            _ => reference(&shared_name(key)),
        };
        (key, schema)
    });
    let own = table.keys.iter().map(|key| (key, property(key)));
    closed_with(table.description, shared.chain(own))
}

/// A default that is computed.
fn computed() -> Value {
    json!({
        "type": "object",
        "required": ["is"],
        "properties": { "is": reference("condition") },
        "additionalProperties": false,
    })
}

/// A default or an example of a type.
fn value(word: &str) -> Value {
    match word {
        "ref" | "object" | "map" => json!({ "type": "object" }),
        "array" => json!({ "type": "array" }),
        _ if *word == *keys::NAMED.what => json!({ "type": ["string", "object"] }),
        // a type without a row is an enum
        _ => scalar(keys::scalar_type(word).map_or(JsonForm::Text, |scalar| scalar.json)),
    }
}

fn scalar(form: JsonForm) -> Value {
    match form {
        JsonForm::Any => json!({}),
        JsonForm::Boolean => json!({ "type": "boolean" }),
        JsonForm::Integer => json!({ "type": "integer" }),
        JsonForm::Number => json!({ "type": "number" }),
        JsonForm::Decimal { .. } => shape::schema(KeyShape::Decimal),
        JsonForm::Price => json!({
            "type": "object",
            "required": ["amount", "currency"],
            "properties": { "amount": shape::schema(KeyShape::Decimal), "currency": { "type": "string" } },
            "additionalProperties": false,
        }),
        JsonForm::Text | JsonForm::Uuid | JsonForm::Timestamp | JsonForm::Date | JsonForm::Time => {
            json!({ "type": "string" })
        }
    }
}
