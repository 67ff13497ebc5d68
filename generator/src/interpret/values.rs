//! Defaults and examples: YAML values as the JSON of the field's type.
//!
//! They are read after all types are known, because only the type decides that `9.50` is the decimal `"9.50"` and not
//! the number 9.5. The rules of the model check whether a value fits its type; this module only converts it.

use super::source_map::SourceMap;
use crate::yaml::scalar::{Scalar, resolve};
use crate::yaml::{Entry, Node, NodeKind};
use restwell_model::condition::Condition;
use restwell_model::field::DEFAULT_SCALE;
use restwell_model::{Field, ModelPath, Object, Service, Type};
use serde_json::{Number, Value};
use std::collections::HashMap;

/// Sets `default` and `example` of all fields.
pub(super) fn fill(service: &mut Service, places: &SourceMap<'_>) {
    let objects = service.objects.clone();
    let objects: Objects<'_> = objects.iter().map(|object| (object.name.as_str(), object)).collect();
    let fill = |fields: &mut [Field], path: &ModelPath| {
        if let Some(node) = places.resolve(path).and_then(|target| target.node) {
            fields.iter_mut().for_each(|field| fill_field(field, node, &objects));
        }
    };
    for object in &mut service.objects {
        fill(&mut object.fields, &ModelPath::definition(&object.name).key("fields"));
    }
    for resource in &mut service.resources {
        let definition = ModelPath::definition(&resource.name);
        fill(&mut resource.fields, &definition.key("fields"));
        for command in &mut resource.commands {
            let path = definition.key("commands").key(&command.name);
            fill(&mut command.input, &path.key("input"));
            fill(&mut command.output, &path.key("output"));
        }
    }
}

type Objects<'s> = HashMap<&'s str, &'s Object>;

fn fill_field(field: &mut Field, fields: &Node, objects: &Objects<'_>) {
    let Some(entry) = fields.entry(&field.name) else { return };
    let value = |key| entry.value.entry(key).map(|entry| json(&entry.value, Some(&field.ty), objects));
    let (default, example) = (value("default"), value("example"));
    (field.default, field.example) = (default, example);
    let computed = entry.value.entry("default").and_then(|entry| computed(&entry.value, &field.ty, objects));
    if computed.is_some() {
        (field.default, field.default_is) = (None, computed);
    }
}

/// The expression of `default: { is: now }`. An object has members, of which one may be called `is`.
fn computed(node: &Node, ty: &Type, objects: &Objects<'_>) -> Option<Condition> {
    let is_object = matches!(ty, Type::Named { name } if objects.contains_key(name.as_str()));
    match &node.kind {
        NodeKind::Mapping(entries) if !is_object => match entries.as_slice() {
            [entry] if entry.key.text == "is" => entry.value.text().map(Condition::new),
            _ => None,
        },
        _ => None,
    }
}

/// A value as the JSON of a type; without a type, as the core schema resolves it.
fn json(node: &Node, ty: Option<&Type>, objects: &Objects<'_>) -> Value {
    match &node.kind {
        NodeKind::Sequence(items) => items.iter().map(|item| json(item, ty.map(Type::element), objects)).collect(),
        NodeKind::Mapping(entries) => {
            let member = |entry: &Entry| json(&entry.value, member_type(ty, &entry.key.text, objects), objects);
            Value::Object(entries.iter().map(|entry| (entry.key.text.clone(), member(entry))).collect())
        }
        NodeKind::Scalar { .. } | NodeKind::Refused => {
            resolve(node).map_or(Value::Null, |value| scalar(value, matches!(ty, Some(Type::Decimal { .. }))))
        }
    }
}

/// The type of an object's field, or of a part of a price.
fn member_type<'t>(ty: Option<&Type>, key: &str, objects: &Objects<'t>) -> Option<&'t Type> {
    const AMOUNT: &Type = &Type::Decimal { minimum: None, maximum: None, scale: DEFAULT_SCALE };
    match ty? {
        Type::Named { name } => objects.get(name.as_str())?.fields.iter().find(|f| f.name == key).map(|f| &f.ty),
        Type::Price { .. } if key == "amount" => Some(AMOUNT),
        _ => None,
    }
}

fn scalar(scalar: Scalar<'_>, is_decimal: bool) -> Value {
    match scalar {
        Scalar::Null => Value::Null,
        Scalar::Bool(value) => Value::Bool(value),
        Scalar::String(text) => Value::String(text.to_owned()),
        Scalar::Integer(text) | Scalar::Float(text) => {
            let integer = || scalar.integer().map(Number::from);
            let number = || integer().or_else(|| scalar.number().and_then(Number::from_f64));
            // a decimal, or a number that is not finite, stays as written
            if is_decimal { None } else { number() }.map_or_else(|| Value::String(text.to_owned()), Value::Number)
        }
    }
}
