//! Values as SQL writes them: what rows get that know nothing of a field.

use crate::check::{Checked, Kind};
use crate::field::{Field, Type};
use crate::input::Shape;
use crate::tables::Dialect;
use crate::value::Value;
use serde_json::Value as Json;

/// What each column of a field holds where nobody says anything; `None` is null. For an object see its fields.
pub(super) fn of_default(service: &Checked, field: &Field, dialect: Dialect) -> Vec<Option<String>> {
    if matches!(service.kind(&field.ty), Kind::Array(_)) {
        let items = field.default.clone().unwrap_or_else(|| Json::Array(Vec::new()));
        return vec![Some(text(&stored(service, &field.ty, &items)))];
    }
    let shape = Shape::compile(service, std::slice::from_ref(field), &[], &|_| true);
    let value = shape.members().first().map(|member| member.default_value().clone()).unwrap_or_default();
    match (service.kind(&field.ty), value) {
        (_, Value::Price(minor, currency)) => vec![Some(minor.to_string()), Some(text(currency.as_str()))],
        (Kind::Scalar(Type::Price { .. }), _) => vec![None, None],
        (_, value) => vec![scalar(&value, dialect)],
    }
}

fn scalar(value: &Value, dialect: Dialect) -> Option<String> {
    Some(match value {
        Value::Bool(value) => boolean(*value, dialect).to_owned(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::Text(value) => text(value),
        Value::Uuid(id) => match dialect {
            Dialect::Sqlite => format!("X'{}'", id.simple()),
            Dialect::Postgres => format!("'{id}'::uuid"),
        },
        _ => return None,
    })
}

/// true or false.
pub(super) fn boolean(value: bool, dialect: Dialect) -> &'static str {
    match (dialect, value) {
        (Dialect::Sqlite, true) => "1",
        (Dialect::Sqlite, false) => "0",
        (Dialect::Postgres, true) => "true",
        (Dialect::Postgres, false) => "false",
    }
}

/// A text, quoted.
pub(super) fn text(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''"))
}

/// The JSON of an array as it is stored: without blanks, the fields of its items in the model's order.
fn stored(service: &Checked, ty: &Type, json: &Json) -> String {
    match (service.kind(ty), json) {
        (Kind::Array(items), Json::Array(list)) => {
            let list: Vec<_> = list.iter().map(|item| stored(service, items, item)).collect();
            format!("[{}]", list.join(","))
        }
        (Kind::Array(_), _) => "[]".to_owned(),
        (Kind::Object(object), Json::Object(values)) => {
            let member = |field: &Field| {
                let value = values.get(&field.name).or(field.default.as_ref()).unwrap_or(&Json::Null);
                format!("{}:{}", Json::from(field.name.as_str()), stored(service, &field.ty, value))
            };
            format!("{{{}}}", object.fields.iter().map(member).collect::<Vec<_>>().join(","))
        }
        (_, json) => json.to_string(),
    }
}

/// The id of a row as text, in the form that a `uuid` is rendered in.
pub(super) fn uuid_as_text(column: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Postgres => format!("{column}::text"),
        Dialect::Sqlite => {
            let part = |from: usize, length: usize| format!("substr(hex({column}), {from}, {length})");
            let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map(|(from, length)| part(from, length));
            // of nothing, `hex` makes an empty text
            format!("CASE WHEN {column} IS NOT NULL THEN lower({}) END", parts.join(" || '-' || "))
        }
    }
}
