//! The default values of columns, as SQL literals.
//!
//! On PostgreSQL they are the `DEFAULT` of the columns: during a rollout an older version of the program does not name
//! the columns that it does not know, and its rows get the defaults, as if a creation had omitted the fields. A field
//! of an object gets its default even if the row does not have the object, because a column default cannot look at
//! another column; readers ignore the fields of an absent object. SQLite runs one version at a time and needs no column
//! defaults.

use super::{ColumnKind, Dialect, is_never_null};
use crate::check::{Checked, Kind};
use crate::field::{Field, Type};
use crate::input::{Read, check_json};
use crate::language::json_of;
use crate::value::Value;
use serde_json::Value as Json;

/// What each column of a field holds.
pub(super) fn defaults(service: &Checked, field: &Field) -> Vec<Value> {
    let is_fitting = |json: &&Json| check_json(service, &field.ty, json).is_empty();
    let mut found = Vec::new();
    of_field(service, field, field.default.as_ref().filter(is_fitting), &mut found);
    found
}

fn of_field(service: &Checked, field: &Field, json: Option<&Json>, found: &mut Vec<Value>) {
    match service.kind(&field.ty) {
        Kind::Array(_) | Kind::Map(_) => {
            found.push(Value::Text(stored(service, &field.ty, json.unwrap_or(&Json::Null))));
        }
        Kind::Object(object) => {
            let members = json.and_then(Json::as_object);
            if !is_never_null(field) {
                found.push(members.map_or(Value::Null, |_| Value::Bool(true)));
            }
            for field in &object.fields {
                let json = members.and_then(|members| members.get(&field.name)).or(field.default.as_ref());
                of_field(service, field, json, found);
            }
        }
        Kind::Scalar(ty) => {
            let read = json.and_then(|json| Some(Read::compile(service, ty)?.default_value(&json.to_string())));
            match read.unwrap_or_default() {
                Value::Price(minor, currency) => {
                    found.extend([Value::Int(minor), Value::Text(currency.as_str().to_owned())]);
                }
                value if matches!(ty, Type::Price { .. }) => found.extend([value, Value::Null]),
                Value::Json(text) => found.push(Value::Text(text)),
                value => found.push(value),
            }
        }
        Kind::Enum(_) => {
            let value = json.and_then(Json::as_str);
            found.push(value.map_or(Value::Null, |value| Value::Text(value.to_owned())));
        }
    }
}

/// The JSON of an array or a map as it is stored: without blanks, the fields of its items in the model's order.
fn stored(service: &Checked, ty: &Type, json: &Json) -> String {
    match (service.kind(ty), json) {
        (Kind::Array(items), Json::Array(list)) => {
            let list: Vec<_> = list.iter().map(|item| stored(service, items, item)).collect();
            format!("[{}]", list.join(","))
        }
        (Kind::Array(_), _) => "[]".to_owned(),
        (Kind::Map(values), Json::Object(entries)) => {
            let entry = |(name, value)| format!("{}:{}", Json::String(name), stored(service, values, value));
            let entries: Vec<_> = entries.iter().map(|(name, value)| entry((name.clone(), value))).collect();
            format!("{{{}}}", entries.join(","))
        }
        (Kind::Map(_), _) => "{}".to_owned(),
        (Kind::Object(object), Json::Object(values)) => {
            let member = |field: &Field| {
                let value = values.get(&field.name).or(field.default.as_ref()).unwrap_or(&Json::Null);
                format!("{}:{}", Json::from(field.name.as_str()), stored(service, &field.ty, value))
            };
            format!("{{{}}}", object.fields.iter().map(member).collect::<Vec<_>>().join(","))
        }
        (Kind::Scalar(ty), json) => {
            let read = Read::compile(service, ty).map(|read| read.default_value(&json.to_string()));
            match read {
                Some(Value::Json(text)) => text,
                // a creation stores it in the same form
                Some(value) => json_of(ty, &value).unwrap_or(Json::Null).to_string(),
                None => json.to_string(),
            }
        }
        (_, json) => json.to_string(),
    }
}

impl Dialect {
    /// What a column can hold, as SQL writes it; `None` is null.
    pub(crate) fn literal(self, value: &Value) -> Option<String> {
        Some(match value {
            Value::Bool(value) => self.boolean(*value).to_owned(),
            Value::Int(number) => number.to_string(),
            Value::Float(number) => format!("{number:?}"),
            Value::Text(value) => text(value),
            Value::Uuid(id) => match self {
                Self::Sqlite => format!("X'{}'", id.simple()),
                Self::Postgres => format!("'{id}'::uuid"),
            },
            _ => return None,
        })
    }

    /// A value as one of a kind of column.
    #[must_use]
    pub fn cast(self, value: &str, kind: ColumnKind) -> String {
        match self.column(kind).split_once(" COLLATE ") {
            Some((ty, collation)) => format!("CAST({value} AS {ty}) COLLATE {collation}"),
            None => format!("CAST({value} AS {})", self.column(kind)),
        }
    }

    /// true or false.
    pub(crate) fn boolean(self, value: bool) -> &'static str {
        match (self, value) {
            (Self::Sqlite, true) => "1",
            (Self::Sqlite, false) => "0",
            (Self::Postgres, true) => "true",
            (Self::Postgres, false) => "false",
        }
    }
}

/// A text as an SQL literal.
pub(crate) fn text(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''"))
}
