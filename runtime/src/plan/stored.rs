//! A row's cells → the neutral values of its fields, which typed structs are made of: the reverse of `bind`.
//!
//! Stored values were valid when they were written, and are not checked again: an enum's value that the model has lost
//! is still that value (§2.4.8).

use super::cell::{Cell, CellRef};
use super::exact_json;
use super::form::{FieldForms, Form};
use restwell_model::Value;
use restwell_model::language::JsonForm;
use restwell_model::scalar::{Currency, Date, Time, Timestamp, amount, decimal, uuid_text};
use restwell_model::tables::{Content, Slot};
use serde_json::Value as Json;

/// The values of a row's fields.
pub(crate) fn values(slots: &[Slot], forms: &[Form], cells: &[Cell]) -> Value {
    Value::Object(slots.iter().zip(forms).map(|(slot, form)| field(slot, form, cells)).collect())
}

fn field(slot: &Slot, form: &Form, cells: &[Cell]) -> Value {
    let at = slot.columns.start;
    let cell = |at: usize| cells.get(at).map_or(CellRef::Null, Cell::borrow);
    match (&slot.content, form) {
        (Content::Object { optional: true, .. }, _) if cell(at).int() != Some(1) => Value::Null,
        (Content::Computed, _) => Value::Null,
        (Content::Object { slots, .. }, Form::Object(fields)) => values(slots, &fields.forms, cells),
        (Content::Price, _) => price(cell(at).int(), text(cell(at + 1)).as_deref()),
        (Content::Map, form) => match text(cell(at)).map(|json| exact_json::parse(&json)) {
            Some(Ok(stored)) => json(form, &stored),
            _ => Value::Map(Vec::new()),
        },
        (Content::Array, Form::Array(items)) => match text(cell(at)).map(|json| exact_json::parse(&json)) {
            Some(Ok(Json::Array(stored))) => Value::List(stored.iter().map(|item| json(items, item)).collect()),
            _ => Value::List(Vec::new()),
        },
        (_, form) => scalar(form, cell(at)),
    }
}

/// A value of one column.
pub(crate) fn scalar(form: &Form, cell: CellRef<'_>) -> Value {
    match cell {
        CellRef::Int(number) if *form == Form::Scalar(JsonForm::Boolean) => Value::Bool(number != 0),
        CellRef::Int(number) if *form == Form::Scalar(JsonForm::Number) => Value::Float(number as f64),
        CellRef::Int(number) => Value::Int(number),
        CellRef::Real(number) => Value::Float(number),
        CellRef::Uuid(id) => Value::Uuid(id),
        cell if *form == Form::Scalar(JsonForm::Any) => text(cell).map_or(Value::Null, Value::Json),
        cell => text(cell).map_or(Value::Null, Value::Text),
    }
}

fn text(cell: CellRef<'_>) -> Option<String> {
    match cell {
        CellRef::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
        _ => None,
    }
}

/// A price of an amount in minor units and a currency.
pub(crate) fn price(minor: Option<i64>, currency: Option<&str>) -> Value {
    match (minor, currency.and_then(Currency::parse)) {
        (Some(minor), Some(currency)) => Value::Price(minor, currency),
        _ => Value::Null,
    }
}

/// A value out of the JSON that its form wrote, parsed by [`exact_json`]: an array's item, a command's input.
pub(crate) fn json(form: &Form, json: &Json) -> Value {
    match (form, json) {
        (Form::Array(items), Json::Array(list)) => {
            Value::List(list.iter().map(|item| self::json(items, item)).collect())
        }
        (Form::Array(_), _) => Value::List(Vec::new()),
        (Form::Map(values), Json::Object(entries)) => {
            Value::Map(entries.iter().map(|(name, value)| (name.clone(), self::json(values, value))).collect())
        }
        (Form::Map(_), _) => Value::Map(Vec::new()),
        (_, Json::Null) => Value::Null,
        (Form::Scalar(form), json) => scalar_of(*form, json),
        (Form::Reference, _) => id(json.get("id")),
        (Form::Object(fields), Json::Object(_)) => object(fields, json),
        (Form::Object(_), _) => Value::Null,
    }
}

fn scalar_of(form: JsonForm, json: &Json) -> Value {
    let text = json.as_str();
    let int = |number: Option<i64>| number.map_or(Value::Null, Value::Int);
    match form {
        JsonForm::Any => Value::Json(exact_json::text(json)),
        JsonForm::Text => text.map_or(Value::Null, |text| Value::Text(text.to_owned())),
        JsonForm::Uuid => id(Some(json)),
        JsonForm::Integer => int(json.as_i64()),
        JsonForm::Number => json.as_f64().map_or(Value::Null, Value::Float),
        JsonForm::Boolean => json.as_bool().map_or(Value::Null, Value::Bool),
        JsonForm::Timestamp => int(text.and_then(|text| Timestamp::parse(text).ok()).map(Timestamp::millis)),
        JsonForm::Date => int(text.and_then(Date::parse).map(Date::days)),
        JsonForm::Time => int(text.and_then(Time::parse).map(Time::millis)),
        JsonForm::Decimal { scale } => int(text.and_then(|text| decimal::parse(text, scale).ok())),
        JsonForm::Price => price(
            json.get("amount").and_then(Json::as_str).and_then(amount::parse),
            json.get("currency").and_then(Json::as_str),
        ),
    }
}

/// An object's fields; one that it lacks is null.
pub(crate) fn object(fields: &FieldForms, object: &Json) -> Value {
    let values = fields.names().zip(&fields.forms);
    Value::Object(values.map(|(name, form)| json(form, object.get(name).unwrap_or(&Json::Null))).collect())
}

/// An object's fields; one that it lacks was not given.
pub(crate) fn given(fields: &FieldForms, object: &Json) -> Value {
    let values = fields.names().zip(&fields.forms).map(|(name, form)| match (form, object.get(name)) {
        (_, None) => Value::Absent,
        (Form::Object(fields), Some(inner @ Json::Object(_))) => given(fields, inner),
        (form, Some(value)) => json(form, value),
    });
    Value::Object(values.collect())
}

fn id(json: Option<&Json>) -> Value {
    json.and_then(Json::as_str).and_then(uuid_text::parse).map_or(Value::Null, Value::Uuid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use restwell_model::{Checked, Field, Object, Resource, Service, Type};

    #[test]
    fn what_a_form_writes_is_read_back() {
        let mut service = Service::new("shop");
        let mut inner = Object::new("Inner", Vec::new());
        inner.fields = vec![Field::new("flag", Type::Boolean), Field::new("at", Type::Time)];
        service.objects.push(inner);
        let mut resource = Resource::new("Thing");
        let named = Type::Named { name: "Inner".into() };
        let list =
            Type::Array { items: Box::new(named.clone()), min_items: None, max_items: None, unique_items: false };
        let decimal = Type::Decimal { minimum: None, maximum: None, scale: 3 };
        let price = Type::Price { minimum: None, maximum: None, currencies: Vec::new() };
        let types = [
            ("name", Type::string()),
            ("weight", decimal),
            ("price", price),
            ("day", Type::Date { minimum: None, maximum: None }),
            ("inner", named),
            ("inners", list),
        ];
        resource.fields = types.into_iter().map(|(name, ty)| Field::new(name, ty)).collect();
        service.resources.push(resource);
        let service = Checked::new(service).unwrap();
        let fields = FieldForms::of(&service, &service.resources[0].fields);
        let inner = Value::Object(vec![Value::Bool(true), Value::Int(1000)]);
        let value = Value::Object(vec![
            Value::Text("a \"quoted\" name".into()),
            Value::Int(-1_500),
            Value::Price(1_999, Currency::parse("PLN").unwrap()),
            Value::Int(20_000),
            Value::Null,
            Value::List(vec![inner]),
        ]);
        let mut written = Vec::new();
        Form::Object(fields.clone()).write(&value, &mut written);
        assert_eq!(object(&fields, &serde_json::from_slice(&written).unwrap()), value);
    }
}
