//! The form of a key's value, as a JSON Schema.

use super::{extend, reference};
use crate::interpret::keys::{self, Case, KeyShape};
use restwell_model::changes::ChangeKind;
use restwell_model::{Access, FaultCode, OperationKind};
use serde_json::{Map, Value, json};

/// `yyyy-MM-dd`.
const DATE: &str = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$";
/// `yyyy-MM-ddTHH:mm:ss.SSSZ`.
const TIMESTAMP: &str = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$";
/// Whether the parts add up to something is for the check to say.
const DURATION: &str = r"^P([0-9]+W|([0-9]+Y)?([0-9]+M)?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+(\.[0-9]+)?S)?)?)$";
const DECIMAL: &str = r"^-?([0-9]+\.?[0-9]*|\.[0-9]+)$";
const VERSION: &str = r"^(public\.v1|beta\.v[1-9][0-9]{0,4})$";
/// RFC 6749 §3.3.
const SCOPE: &str = r"^scope:[!#-\[\]-~]+$";
const THROUGH: &str = r"^[^.]+\..+$";
const PATH: &str = "^(/[a-z][a-z0-9]*(-[a-z0-9]+)*)+$";

/// The schema of a shape.
pub(super) fn schema(shape: KeyShape) -> Value {
    match shape {
        KeyShape::Text | KeyShape::Prose => json!({ "type": "string" }),
        KeyShape::Name(case) => name(case),
        KeyShape::Path => text(PATH),
        KeyShape::Through => text(THROUGH),
        KeyShape::Switch => json!({ "type": "boolean" }),
        KeyShape::Integer => json!({ "type": "integer", "minimum": i64::MIN, "maximum": i64::MAX }),
        KeyShape::Count => json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX }),
        KeyShape::Number => json!({ "type": "number" }),
        KeyShape::Decimal => json!({ "type": ["number", "string"], "pattern": DECIMAL }),
        KeyShape::Timestamp => text(TIMESTAMP),
        KeyShape::Date => text(DATE),
        KeyShape::Duration => text(DURATION),
        KeyShape::Format => words(keys::FORMATS),
        KeyShape::Secret => words(keys::SECRETS),
        KeyShape::OnDelete => on_delete(),
        KeyShape::Type => reference("field.type"),
        KeyShape::Texts | KeyShape::Words => list(&json!({ "type": "string" })),
        KeyShape::Names(case, _) => list(&name(case)),
        KeyShape::Combinations => list(&list(&name(Case::Camel))),
        KeyShape::Versions => list(&reference("version")),
        KeyShape::Access => reference("access"),
        KeyShape::Operations => reference("operations"),
        KeyShape::Views => named(Case::Kebab, "view"),
        KeyShape::Commands => named(Case::Kebab, "command"),
        KeyShape::Fields => reference("fields"),
        KeyShape::Items => reference("items"),
        KeyShape::Values => reference("values"),
        KeyShape::Filter => json!({ "anyOf": [
            { "type": "boolean" },
            { "type": "array", "items": words(keys::MATCHES), "minItems": 1, "uniqueItems": true },
        ] }),
        KeyShape::Unique => json!({ "anyOf": [{ "type": "boolean" }, words(keys::UNIQUENESS)] }),
        KeyShape::Search => json!({ "type": ["boolean", "array"], "items": name(Case::Camel) }),
        KeyShape::Contact => reference("contact"),
        KeyShape::License => reference("license"),
        KeyShape::Users => json!({
            "if": { "type": "object" }, "then": reference("users"), "else": name(Case::Pascal),
        }),
        KeyShape::Claims => json!({
            "type": "object", "propertyNames": name(Case::Camel), "additionalProperties": { "type": "string" },
        }),
        KeyShape::Formerly(of) => reference(of.schema()),
        KeyShape::Deprecations => list(&reference("announcement")),
        KeyShape::Roles => json!({
            "type": "object",
            "propertyNames": name(Case::Camel),
            "additionalProperties": { "type": "string", "minLength": 1 },
        }),
        KeyShape::Condition => reference("condition"),
        KeyShape::Required => json!({
            "if": { "type": "object" }, "then": reference("required"), "else": { "type": "boolean" },
        }),
        KeyShape::Rules => list(&reference("rule")),
        KeyShape::Lifecycle => reference("lifecycle"),
        KeyShape::Transitions => named(Case::Kebab, "transition"),
        KeyShape::Conditions | KeyShape::Assignments => json!({
            "type": "object", "propertyNames": name(Case::Camel), "additionalProperties": reference("condition"),
        }),
        KeyShape::States => {
            let states = list(&name(Case::UpperSnake));
            json!({ "if": { "type": "array" }, "then": states, "else": name(Case::UpperSnake) })
        }
        KeyShape::Allow => reference("allow"),
        KeyShape::AllowedChanges => changes(),
        // as the type says
        KeyShape::Default | KeyShape::Example => json!({}),
    }
}

/// The shapes that other schemas refer to.
pub(super) fn definitions() -> [(String, Value); 7] {
    [
        (
            "condition",
            described(
                "An expression over the entity, in a subset of the Common Expression Language.",
                json!({ "type": ["string", "number", "boolean", "null"], "pattern": "\\S" }),
            ),
        ),
        ("version", described("`public.v1`, the only public version, or a beta version.", text(VERSION))),
        ("who", who()),
        ("access", json!({ "if": { "type": "array" }, "then": access_list(), "else": reference("who") })),
        ("operations", operations()),
        ("fields", named(Case::Camel, "field")),
        ("allow", allow()),
    ]
    .map(|(name, schema)| (name.to_owned(), schema))
}

fn text(pattern: &str) -> Value {
    json!({ "type": "string", "pattern": pattern })
}

fn name(case: Case) -> Value {
    text(match case {
        Case::Pascal => "^[A-Z][A-Za-z0-9]*$",
        Case::Camel => "^[a-z][a-z0-9]*([A-Z][a-z0-9]+)*[A-Z]?$",
        Case::Kebab => "^[a-z][a-z0-9]*(-[a-z0-9]+)*$",
        Case::DottedKebab => r"^[a-z][a-z0-9]*(-[a-z0-9]+)*(\.[a-z][a-z0-9]*(-[a-z0-9]+)*)*$",
        Case::UpperSnake => "^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$",
    })
}

fn words<T>(words: &[(&str, T)]) -> Value {
    json!({ "enum": words.iter().map(|(word, _)| *word).collect::<Vec<_>>() })
}

/// `onDelete: null` is the null of YAML, and it is intended.
fn on_delete() -> Value {
    let words = keys::ON_DELETE.iter().map(|(word, _)| json!(word));
    json!({ "enum": words.chain([Value::Null]).collect::<Vec<_>>() })
}

fn list(items: &Value) -> Value {
    json!({ "type": "array", "items": items })
}

/// A mapping whose keys are names that the team gives.
fn named(case: Case, definition: &str) -> Value {
    json!({ "type": "object", "propertyNames": name(case), "additionalProperties": reference(definition) })
}

fn who() -> Value {
    let words = json!({ "enum": Access::WORDS });
    let when = json!({
        "type": "object",
        "properties": { "when": schema(KeyShape::Condition) },
        "required": ["when"],
        "additionalProperties": false,
    });
    json!({ "anyOf": [words, text(SCOPE), name(Case::Camel), when] })
}

fn access_list() -> Value {
    json!({ "type": "array", "items": reference("who"), "minItems": 1 })
}

/// A list of operations, or a mapping from operations to their access.
fn operations() -> Value {
    let all = OperationKind::ALL;
    let operation = |kind: OperationKind| {
        let place = if kind.on_collection() { "the collection" } else { "an entity" };
        let schema = described(&format!("{} on {place}.", kind.method()), reference("operation"));
        (kind.word().to_owned(), schema)
    };
    let properties: Map<String, Value> = all.map(operation).into_iter().collect();
    json!({
        "type": ["object", "array"],
        "items": { "enum": all.map(OperationKind::word) },
        "properties": properties,
        "additionalProperties": false,
    })
}

/// The rules that may be switched off, each with its page's own words, and the kinds of changes that may be allowed.
fn allow() -> Value {
    let rule = |code: &FaultCode| {
        let description = format!("{}. {}", code.title(), code.explanation());
        (code.code().to_owned(), reason(&description))
    };
    let change = |kind: &ChangeKind| (kind.to_string(), reason("Allows this change in `restwell diff`."));
    let rules = FaultCode::ALL.iter().filter(|code| code.allowable()).map(rule);
    let rules: Map<String, Value> = rules.chain(ChangeKind::ALL.iter().map(change)).collect();
    json!({ "type": "object", "properties": rules, "additionalProperties": false })
}

/// The kinds of changes that the service may allow, and the removal of a resource by its name.
fn changes() -> Value {
    let change = |kind: &ChangeKind| (kind.to_string(), reason("Allows this change in `restwell diff`."));
    let kinds: Map<String, Value> = ChangeKind::ALL.iter().map(change).collect();
    let removed = format!(r"^[A-Z][A-Za-z0-9]*\.{}$", ChangeKind::ResourceDropped);
    let removed = json!({ removed: reason("Allows the removal of this resource in `restwell diff`.") });
    json!({ "type": "object", "properties": kinds, "patternProperties": removed, "additionalProperties": false })
}

fn reason(description: &str) -> Value {
    json!({ "description": description, "type": "string", "pattern": r"\S" })
}

fn described(description: &str, mut schema: Value) -> Value {
    extend(&mut schema, json!({ "description": description }));
    schema
}
