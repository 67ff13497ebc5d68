//! Fields as members of a struct.

use super::attribute::{Attribute, literal};
use super::scope::Scope;
use super::view::{MemberView, docs};
use restwell_model::language::{self, InRust, KeyShape, KeySpec, RustType, TypeClass};
use restwell_model::names::rust::ident;
use restwell_model::{Field, Type, names};
use serde::Serialize;
use serde_json::Value;

/// Fields in the order of the model. Those that may be null are an `Option`.
pub(super) fn members(
    fields: &[Field],
    may_be_null: impl Fn(&Field) -> bool,
    scope: &mut Scope<'_>,
) -> Vec<MemberView> {
    fields.iter().map(|field| member(field, may_be_null(field), scope)).collect()
}

fn member(field: &Field, is_optional: bool, scope: &mut Scope<'_>) -> MemberView {
    let ty = type_name(&field.ty, scope);
    MemberView {
        docs: docs(field.description.as_deref()),
        attribute: attribute(field, is_optional),
        name: ident(&field.name),
        ty: if is_optional { format!("{}<{ty}>", scope.prelude("Option")) } else { ty },
    }
}

fn type_name(ty: &Type, scope: &mut Scope<'_>) -> String {
    match ty.class() {
        TypeClass::Scalar(scalar) => match scalar.rust {
            RustType::Prelude(name) => scope.prelude(name),
            RustType::Library(name) => scope.library(name),
            RustType::OfCrate(of, name) => format!("restwell::{of}::{name}"),
        },
        TypeClass::Ref(to) => format!("{}<{}>", scope.library("Ref"), scope.definition(to)),
        TypeClass::Array(items) => format!("{}<{}>", scope.prelude("Vec"), type_name(items, scope)),
        TypeClass::Map(values) => {
            let text = scope.prelude("String");
            format!("std::collections::BTreeMap<{text}, {}>", type_name(values, scope))
        }
        TypeClass::Named(name) => scope.definition(name),
    }
}

fn attribute(field: &Field, is_optional: bool) -> Option<String> {
    let mut attribute = Attribute::default();
    let snake = names::snake(&field.name);
    attribute.text("name", Some(&field.name).filter(|name| names::camel(&snake) != **name));
    attribute.flag("required", field.required && (is_optional || field.ty.is_never_null()));
    attribute.condition("required", "when", field.required_when.as_ref());
    attribute.condition("default", "is", field.default_is.as_ref());
    constraints(&field.ty, &mut attribute);
    let values = json_of(field);
    for key in language::FIELD.keys.iter().filter(|key| key.name != "required") {
        argument(key, &values, &mut attribute);
    }
    attribute.finish()
}

/// The keys of a type, those of an array's items and of a map's values first. Keys of these that the type around them
/// has as well are under a word of their own: `values(pattern = "…")`. A key with a default is the least important one.
fn constraints(ty: &Type, attribute: &mut Attribute) {
    let inner = match ty {
        Type::Array { items, .. } => Some(("items", items)),
        Type::Map { values, .. } => Some(("values", values)),
        _ => None,
    };
    if let Some((word, inner)) = inner {
        let taken: Vec<_> = ty.key_table().keys().collect();
        constraints_but(inner, &taken, attribute);
        let mut nested = Attribute::default();
        own_keys(inner, |key| taken.contains(&key), &mut nested);
        attribute.list(word, &nested.into_items());
    }
    own_keys(ty, |_| true, attribute);
}

/// The same without the keys that a type around it takes.
fn constraints_but(ty: &Type, taken: &[&str], attribute: &mut Attribute) {
    if let Type::Map { values, .. } = ty {
        let mut nested = Attribute::default();
        let of_map: Vec<_> = ty.key_table().keys().collect();
        let is_hidden = |key: &str| of_map.contains(&key) || taken.contains(&key);
        own_keys(values, |key| !is_hidden(key), attribute);
        own_keys(values, is_hidden, &mut nested);
        attribute.list("values", &nested.into_items());
    }
    own_keys(ty, |key| !taken.contains(&key), attribute);
}

fn own_keys(ty: &Type, has: impl Fn(&str) -> bool, attribute: &mut Attribute) {
    let values = json_of(ty);
    let mut keys: Vec<_> = ty.key_table().keys.iter().filter(|key| has(key.name)).collect();
    keys.sort_by_key(|key| key.default.is_some());
    keys.into_iter().for_each(|key| argument(key, &values, attribute));
}

/// A part of the model as the keys of the language with their values. A key that has its default is not among them.
fn json_of(part: &impl Serialize) -> Value {
    serde_json::to_value(part).unwrap_or_default()
}

/// The argument for a key, if it has a value.
fn argument(key: &KeySpec, values: &Value, attribute: &mut Attribute) {
    let (InRust::Argument, Some(value)) = (key.in_rust, values.get(key.name)) else { return };
    let name = names::snake(key.name);
    match key.shape {
        KeyShape::Switch => attribute.flag(&name, *value == Value::Bool(true)),
        // `filter`, or `filter(not, starts_with)`
        KeyShape::Filter => match value {
            Value::Array(_) => attribute.fields(&name, &texts(value)),
            _ => attribute.flag(&name, *value == Value::Bool(true)),
        },
        // `unique`, or `unique = ignore_case`
        KeyShape::Unique => match value.as_str() {
            Some(word) => attribute.value(&name, Some(names::snake(word))),
            None => attribute.flag(&name, *value == Value::Bool(true)),
        },
        KeyShape::Names(..) => attribute.fields(&name, &texts(value)),
        KeyShape::Words => attribute.words(&name, &texts(value)),
        KeyShape::Texts | KeyShape::Versions => attribute.texts(&name, &texts(value)),
        // `visible = [owner, moderator]`
        KeyShape::Access => {
            let callers: Vec<_> = serde_json::from_value(value.clone()).unwrap_or_default();
            attribute.callers(&name, &callers);
        }
        KeyShape::Allow => attribute.allow(&serde_json::from_value(value.clone()).unwrap_or_default()),
        KeyShape::Formerly(_) => attribute.formerly(serde_json::from_value(value.clone()).ok().as_ref()),
        KeyShape::Condition => attribute.text(&name, value.as_str()),
        KeyShape::Secret | KeyShape::OnDelete => attribute.value(&name, value.as_str()),
        KeyShape::Count
        | KeyShape::Integer
        | KeyShape::Number
        | KeyShape::Decimal
        | KeyShape::Timestamp
        | KeyShape::Date
        | KeyShape::Duration
        | KeyShape::Text
        | KeyShape::Prose
        | KeyShape::Name(_)
        | KeyShape::Path
        | KeyShape::Through
        | KeyShape::Format
        | KeyShape::Default
        | KeyShape::Example => attribute.value(&name, Some(json(value))),
        // not keys of fields and types
        KeyShape::Type
        | KeyShape::Combinations
        | KeyShape::Operations
        | KeyShape::Views
        | KeyShape::Commands
        | KeyShape::Fields
        | KeyShape::Items
        | KeyShape::Values
        | KeyShape::Search
        | KeyShape::Contact
        | KeyShape::License
        | KeyShape::Users
        | KeyShape::Claims
        | KeyShape::Deprecations
        | KeyShape::Roles
        | KeyShape::Conditions
        | KeyShape::Required
        | KeyShape::Rules
        | KeyShape::Lifecycle
        | KeyShape::Transitions
        | KeyShape::Assignments
        | KeyShape::States
        | KeyShape::AllowedChanges => {}
    }
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// A JSON value as a Rust literal, or as `json(…)` if Rust has no literal for it.
fn json(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::String(text) => literal(text),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(integer), _) => integer.to_string(),
            (None, Some(number)) => float(number),
            (None, None) => format!("json({})", raw_literal(&number.to_string())),
        },
        Value::Null | Value::Array(_) | Value::Object(_) => format!("json({})", raw_literal(&value.to_string())),
    }
}

/// A text without escapes, where that can be.
fn raw_literal(text: &str) -> String {
    match (text.contains('"'), text.contains("\"#")) {
        (true, false) => format!("r#\"{text}\"#"),
        _ => literal(text),
    }
}

/// A float literal always has a point or an exponent, so that Rust does not read it as an integer.
fn float(number: f64) -> String {
    format!("{number:?}")
}
