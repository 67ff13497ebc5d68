//! Values that break the constraints of a field, each with what a service must say of it. What that is comes from the
//! model's own reader of requests; here values are only proposed.

use restwell_model::input::{MAX_MAP_NAME, check_field_json};
use restwell_model::{Checked, ErrorCode, Field, Kind, Type};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Objects inside objects that are spoilt.
const MAX_DEPTH: usize = 3;
/// Spoilt values of one field.
const MAX_SPOILT: usize = 60;
/// Characters of a text that is too long; a longer limit is not tried.
const MAX_TEXT: u32 = 20_000;
/// Items of an array that has too many; a longer limit is not tried.
const MAX_ITEMS: u32 = 200;

/// A value of a field that a request must not have, and the errors that it causes, in their order.
pub(super) struct Spoilt {
    pub(super) value: Value,
    /// Codes, with the dotted paths.
    pub(super) errors: Vec<(ErrorCode, String)>,
}

/// One value for each set of errors that a value of the field can cause. `valid`: a value that causes none.
pub(super) fn spoilt(service: &Checked, field: &Field, valid: &Value) -> Vec<Spoilt> {
    let mut proposed = Vec::new();
    propose(service, &field.ty, valid, 0, &mut proposed);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for value in proposed {
        let problems = check_field_json(service, field, &value);
        // numbers beyond 64 bits and the like: a JSON parser between may change them
        if problems.is_empty() || problems.iter().any(|problem| problem.code == ErrorCode::MalformedJson) {
            continue;
        }
        let at = |path: Option<String>| match path.filter(|path| !path.is_empty()) {
            Some(path) => format!("{}.{path}", field.name),
            None => field.name.clone(),
        };
        let errors: Vec<_> = problems.into_iter().map(|problem| (problem.code, at(problem.path))).collect();
        let key: Vec<_> = errors.iter().map(|(code, path)| (code.name(), path.clone())).collect();
        if seen.insert(key) && found.len() < MAX_SPOILT {
            found.push(Spoilt { value, errors });
        }
    }
    found
}

fn propose(service: &Checked, ty: &Type, valid: &Value, depth: usize, out: &mut Vec<Value>) {
    out.push(Value::Null);
    out.extend([json!(true), json!(12), json!("x"), json!("\u{0}"), json!([]), json!({})]);
    match service.kind(ty) {
        Kind::Enum(_) => out.push(json!("UNHEARD_OF")),
        Kind::Object(object) => {
            if depth < MAX_DEPTH {
                of_object(service, &object.fields, valid, depth, out);
            }
        }
        Kind::Array(items) => of_array(service, ty, items, valid, depth, out),
        Kind::Map(values) => of_map(service, values, valid, depth, out),
        Kind::Scalar(scalar) => of_scalar(scalar, out),
    }
}

fn of_object(service: &Checked, fields: &[Field], valid: &Value, depth: usize, out: &mut Vec<Value>) {
    let Some(valid) = valid.as_object() else { return };
    let with = |name: &str, value: Option<Value>| {
        let mut object: Map<String, Value> = valid.clone();
        match value {
            Some(value) => drop(object.insert(name.to_owned(), value)),
            None => drop(object.remove(name)),
        }
        Value::Object(object)
    };
    out.push(with("unheardOf", Some(json!(1))));
    for field in fields.iter().filter(|field| !field.is_ignored_in_requests()) {
        out.push(with(&field.name, None));
        let mut inner = Vec::new();
        propose(service, &field.ty, valid.get(&field.name).unwrap_or(&Value::Null), depth + 1, &mut inner);
        out.extend(inner.into_iter().map(|value| with(&field.name, Some(value))));
    }
}

fn of_array(service: &Checked, ty: &Type, items: &Type, valid: &Value, depth: usize, out: &mut Vec<Value>) {
    let Type::Array { min_items, max_items, .. } = ty else { return };
    let first = valid.as_array().and_then(|list| list.first());
    out.push(json!([null]));
    if let Some(first) = first {
        out.push(json!([first, first]));
        if let Some(most) = max_items.filter(|most| *most <= MAX_ITEMS) {
            out.push(Value::Array(vec![first.clone(); most as usize + 1]));
        }
        if min_items.is_some_and(|least| least > 1) {
            out.push(json!([first]));
        }
        if depth < MAX_DEPTH {
            let mut inner = Vec::new();
            propose(service, items, first, depth + 1, &mut inner);
            // the others stay: an array may have a least number
            let rest = valid.as_array().map(|list| &list[1..]).unwrap_or_default();
            out.extend(
                inner
                    .into_iter()
                    .map(|value| Value::Array(std::iter::once(value).chain(rest.iter().cloned()).collect())),
            );
        }
    }
}

fn of_map(service: &Checked, values: &Type, valid: &Value, depth: usize, out: &mut Vec<Value>) {
    out.push(json!({ "colour": null }));
    let Some((name, value)) = valid.as_object().and_then(|map| map.iter().next()) else { return };
    for wrong in [String::new(), "x".repeat(MAX_MAP_NAME + 1), "neither this nor that".to_owned()] {
        out.push(Value::Object(Map::from_iter([(wrong, value.clone())])));
    }
    let mut inner = Vec::new();
    propose(service, values, value, depth + 1, &mut inner);
    out.extend(inner.into_iter().map(|value| Value::Object(Map::from_iter([(name.clone(), value)]))));
}

fn of_scalar(ty: &Type, out: &mut Vec<Value>) {
    match ty {
        Type::String { min_length, max_length, .. } => {
            if let Some(least) = min_length.filter(|least| *least > 1 && *least <= MAX_TEXT) {
                out.push(json!("x".repeat(least as usize - 1)));
            }
            if let Some(most) = max_length.filter(|most| *most < MAX_TEXT) {
                out.push(json!("x".repeat(most as usize + 1)));
            }
            out.push(json!("neither this nor that"));
        }
        Type::Integer { minimum, maximum } => {
            out.extend(minimum.and_then(|least| least.checked_sub(1)).map(Value::from));
            out.extend(maximum.and_then(|most| most.checked_add(1)).map(Value::from));
            out.push(json!(1.5));
        }
        Type::Number { minimum, maximum } => {
            out.extend(minimum.map(|least| json!(least - least.abs() - 1.0)));
            out.extend(maximum.map(|most| json!(most + most.abs() + 1.0)));
        }
        Type::Decimal { minimum, maximum, .. } => {
            out.extend(minimum.map(|least| json!((least - rust_decimal::Decimal::ONE).to_string())));
            out.extend(maximum.map(|most| json!((most + rust_decimal::Decimal::ONE).to_string())));
            out.push(json!("1.1234567"));
        }
        Type::Timestamp { minimum, maximum } => {
            out.extend([
                json!("2026-12-01T08:00:00.000+01:00"),
                json!("2026-12-01"),
                json!("2026-13-01T08:00:00.000Z"),
            ]);
            out.extend(minimum.map(|_| json!("0001-01-01T00:00:00.000Z")));
            out.extend(maximum.map(|_| json!("9999-12-31T23:59:59.999Z")));
        }
        Type::Date { minimum, maximum } => {
            out.extend([json!("2026-02-30"), json!("01.12.2026")]);
            out.extend(minimum.map(|_| json!("0001-01-01")));
            out.extend(maximum.map(|_| json!("9999-12-31")));
        }
        Type::Time => out.push(json!("24:00:00.000")),
        Type::Uuid => out.push(json!("0189D5C2-0000-7000-8000-000000000000")),
        Type::Price { minimum, maximum, currencies } => {
            let currency = currencies.first().map_or("EUR", String::as_str);
            let price = |amount: String| json!({ "amount": amount, "currency": currency });
            out.extend(["1.234", "1,50", "", "-1.00"].map(|amount| price(amount.to_owned())));
            out.extend(minimum.map(|_| price("0.00".to_owned())));
            out.extend(maximum.map(|most| price((most + rust_decimal::Decimal::ONE).round_dp(2).to_string())));
            let middle = minimum.or(*maximum).map_or("1.00".to_owned(), |amount| amount.round_dp(2).to_string());
            out.extend(["XXY", "eur", "CHF"].map(|currency| json!({ "amount": middle, "currency": currency })));
            out.extend([json!({ "amount": middle }), json!({ "currency": currency })]);
            out.push(json!({ "amount": middle, "currency": currency, "unheardOf": 1 }));
        }
        Type::Ref { .. } => out.extend([json!({ "id": "not-an-id" }), json!({ "id": null })]),
        _ => {}
    }
}
