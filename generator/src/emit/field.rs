//! Fields as members of a struct.

use super::attribute::{Attribute, literal};
use super::names::ident;
use super::scope::Scope;
use super::view::{MemberView, docs};
use restwell_model::field::DEFAULT_SCALE;
use restwell_model::{Field, Format, OnDelete, Secret, Type, names};
use serde_json::Value;

/// Fields in the order of the model.
pub(super) fn members(fields: &[Field], scope: &mut Scope<'_>) -> Vec<MemberView> {
    fields.iter().map(|field| member(field, scope)).collect()
}

fn member(field: &Field, scope: &mut Scope<'_>) -> MemberView {
    MemberView {
        docs: docs(field.description.as_deref()),
        attribute: attribute(field),
        name: ident(&field.name),
        ty: ty(field, scope),
    }
}

/// An array is never null; what else is not required is an `Option`.
fn ty(field: &Field, scope: &mut Scope<'_>) -> String {
    let ty = type_name(&field.ty, scope);
    if field.required || is_array(field) { ty } else { format!("Option<{ty}>") }
}

fn type_name(ty: &Type, scope: &mut Scope<'_>) -> String {
    let library = match ty {
        Type::String { .. } => return "String".to_owned(),
        Type::Integer { .. } => return "i64".to_owned(),
        Type::Number { .. } => return "f64".to_owned(),
        Type::Boolean => return "bool".to_owned(),
        Type::Named { name } => return scope.definition(name),
        Type::Array { items, .. } => return format!("Vec<{}>", type_name(items, scope)),
        Type::Ref { to, .. } => return format!("{}<{}>", scope.library("Ref"), scope.definition(to)),
        Type::Decimal { .. } => "Decimal",
        Type::Uuid => "Uuid",
        Type::Timestamp { .. } => "Timestamp",
        Type::Date { .. } => "Date",
        Type::Time => "Time",
        Type::Duration => "IsoDuration",
        Type::Country => "Country",
        Type::Language => "Language",
        Type::Currency => "Currency",
        Type::Price { .. } => "Price",
    };
    scope.library(library).to_owned()
}

fn attribute(field: &Field) -> Option<String> {
    let mut attribute = Attribute::default();
    let snake = names::snake(&field.name);
    attribute.text("name", Some(&field.name).filter(|name| names::camel(&snake) != **name));
    attribute.flag("required", field.required && is_array(field));
    constraints(&field.ty, &mut attribute);
    attribute.value("default", field.default.as_ref().map(json));
    attribute.flag("immutable", field.immutable);
    attribute.flag("read_only", field.read_only);
    attribute.flag("write_only", field.write_only);
    attribute.value("secret", field.secret.map(|Secret::Argon2| "argon2"));
    attribute.flag("filter", field.filter);
    attribute.flag("sort", field.sort);
    attribute.flag("unique", field.unique);
    attribute.words("views", field.views.as_deref().unwrap_or_default());
    attribute.versions("versions", field.versions.as_deref().unwrap_or_default());
    attribute.deprecation(field.deprecated, field.sunset);
    attribute.text("renamed_from", field.renamed_from.as_ref());
    attribute.value("example", field.example.as_ref().map(json));
    attribute.allow(&field.allow);
    attribute.finish()
}

fn constraints(ty: &Type, attribute: &mut Attribute) {
    match ty {
        Type::String { min_length, max_length, pattern, format } => {
            attribute.value("min_length", *min_length);
            attribute.value("max_length", *max_length);
            attribute.text("pattern", pattern.as_ref());
            attribute.text("format", format.map(format_word));
        }
        Type::Integer { minimum, maximum } => {
            attribute.value("minimum", *minimum);
            attribute.value("maximum", *maximum);
        }
        Type::Number { minimum, maximum } => {
            attribute.value("minimum", minimum.map(float));
            attribute.value("maximum", maximum.map(float));
        }
        Type::Decimal { minimum, maximum, scale } => {
            attribute.text("minimum", *minimum);
            attribute.text("maximum", *maximum);
            attribute.value("scale", Some(scale).filter(|scale| **scale != DEFAULT_SCALE));
        }
        Type::Timestamp { minimum, maximum } => {
            attribute.text("minimum", *minimum);
            attribute.text("maximum", *maximum);
        }
        Type::Date { minimum, maximum } => {
            attribute.text("minimum", *minimum);
            attribute.text("maximum", *maximum);
        }
        Type::Price { minimum, maximum, currencies } => {
            attribute.text("minimum", *minimum);
            attribute.text("maximum", *maximum);
            attribute.texts("currencies", currencies);
        }
        Type::Ref { to: _, show, on_delete } => {
            attribute.fields("show", show);
            attribute.value("on_delete", on_delete_word(*on_delete));
        }
        Type::Array { items, min_items, max_items, unique_items } => {
            constraints(items, attribute);
            attribute.value("min_items", *min_items);
            attribute.value("max_items", *max_items);
            attribute.flag("unique_items", *unique_items);
        }
        Type::Boolean
        | Type::Uuid
        | Type::Time
        | Type::Duration
        | Type::Country
        | Type::Language
        | Type::Currency
        | Type::Named { .. } => {}
    }
}

fn format_word(format: Format) -> &'static str {
    match format {
        Format::Email => "email",
        Format::Uri => "uri",
    }
}

fn on_delete_word(on_delete: OnDelete) -> Option<&'static str> {
    match on_delete {
        OnDelete::Restrict => None,
        OnDelete::Cascade => Some("cascade"),
        OnDelete::Null => Some("null"),
    }
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

fn is_array(field: &Field) -> bool {
    matches!(field.ty, Type::Array { .. })
}
