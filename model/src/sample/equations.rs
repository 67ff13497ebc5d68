//! Rules that are equations between fields of one entity, `total == net + tax`: trying values would hardly ever meet
//! one, so the side that is a plain field gets the value of the other side.

use super::facts::FactReader;
use crate::check::Checked;
use crate::condition::{FieldBase, Node, Operator, PricePart, Scope, StaticType, Typed, evaluate, holds};
use crate::field::Field;
use crate::input::check_field_json;
use crate::language::{Type, json_of};
use crate::resource::Resource;
use crate::scalar::decimal;
use crate::value::Value;
use serde_json::{Map, Value as Json, json};

/// How often a body is gone through: an equation may need the field of another one.
const ROUNDS: usize = 3;

/// An equation whose one side is a field, or a part of a price.
pub(super) struct Equation<'a> {
    /// It is asked for where each of these is what stands beside it: `kind == "FREE" || …` asks where that is false.
    guards: Vec<(Typed, bool)>,
    field: &'a Field,
    part: Option<PricePart>,
    /// The other side.
    value: Typed,
}

/// The equations of a resource's rules for fields that a body can set.
pub(super) fn equations<'a>(service: &Checked, resource: &'a Resource, fields: &[&'a Field]) -> Vec<Equation<'a>> {
    let mut found = Vec::new();
    for rule in &resource.rules {
        let scope = Scope { service, entity: Some(resource), old: true };
        if let Ok(condition) = rule.check.typed(&scope) {
            collect(&condition, &[], fields, &mut found);
        }
    }
    found
}

fn collect<'a>(condition: &Typed, guards: &[(Typed, bool)], fields: &[&'a Field], found: &mut Vec<Equation<'a>>) {
    let with = |guard: &Typed, is_true: bool| [guards, &[(guard.clone(), is_true)]].concat();
    match &condition.node {
        Node::And(one, other) => {
            collect(one, guards, fields, found);
            collect(other, guards, fields, found);
        }
        Node::Or(one, other) => {
            collect(one, &with(other, false), fields, found);
            collect(other, &with(one, false), fields, found);
        }
        Node::Choose(choice, yes, no) => {
            collect(yes, &with(choice, true), fields, found);
            collect(no, &with(choice, false), fields, found);
        }
        Node::Compare(Operator::Equal, one, other, _) => {
            for (side, value) in [(one, other), (other, one)] {
                let Some((name, part)) = plain(side) else { continue };
                let field = fields.iter().copied().find(|field| field.name == name);
                // what follows from the field itself is no value for it
                let Some(field) = field.filter(|_| !reads(value, name)) else { continue };
                found.push(Equation { guards: guards.to_vec(), field, part, value: (**value).clone() });
            }
        }
        _ => {}
    }
}

/// The field that a side is, or the part of it.
fn plain(side: &Typed) -> Option<(&str, Option<PricePart>)> {
    match &side.node {
        Node::Field(FieldBase::This, path) => match path.names.as_slice() {
            [name] if !path.indexes.is_empty() => Some((name, None)),
            _ => None,
        },
        Node::Part(part, inner) => plain(inner).map(|(name, _)| (name, Some(*part))),
        _ => None,
    }
}

fn reads(value: &Typed, name: &str) -> bool {
    value.reads().fields.iter().any(|path| path.split('.').next() == Some(name))
}

/// Gives fields the values that equations ask for.
pub(super) fn solve(equations: &[Equation<'_>], reader: &FactReader<'_>, body: &mut Map<String, Json>) {
    for _ in 0..ROUNDS {
        let mut is_changed = false;
        for equation in equations {
            let Some(facts) = reader.facts(body) else { return };
            if equation.guards.iter().any(|(guard, is_true)| holds(guard, &facts) != Some(*is_true)) {
                continue;
            }
            let Some(value) = evaluate(&equation.value, &facts) else { continue };
            let Some(value) = equation.json(&value, body.get(&equation.field.name)) else { continue };
            let is_valid = check_field_json(reader.service, equation.field, &value).is_empty();
            if is_valid && body.get(&equation.field.name) != Some(&value) {
                body.insert(equation.field.name.clone(), value);
                is_changed = true;
            }
        }
        if !is_changed {
            break;
        }
    }
}

impl Equation<'_> {
    /// The value in the form of the field.
    fn json(&self, value: &Value, present: Option<&Json>) -> Option<Json> {
        let Some(part) = self.part else { return value_of(&self.field.ty, &self.value.ty, value) };
        let name = match part {
            PricePart::Amount => "amount",
            PricePart::Currency => "currency",
        };
        let text = match (part, value) {
            (PricePart::Amount, Value::Int(units)) => digits(*units, &self.value.ty, 2)?,
            (PricePart::Currency, Value::Text(text)) => json!(text),
            _ => return None,
        };
        let mut price = present?.as_object()?.clone();
        price.insert(name.to_owned(), text);
        Some(Json::Object(price))
    }
}

/// A value of an expression in JSON, as a field of a type has it; `None`: it has no such values.
fn value_of(ty: &Type, of: &StaticType, value: &Value) -> Option<Json> {
    match (ty, value) {
        (Type::Decimal { scale, .. }, Value::Int(units)) => digits(*units, of, *scale),
        (Type::Integer { .. } | Type::Number { .. }, Value::Int(_)) if *of != StaticType::Integer => None,
        _ => json_of(ty, value),
    }
}

/// A decimal with `scale` digits after the point; `None` where it needs more.
fn digits(units: i64, of: &StaticType, scale: u32) -> Option<Json> {
    let present = match of {
        StaticType::Integer => 0,
        StaticType::Decimal(scale) => *scale,
        _ => return None,
    };
    let number = decimal::to_decimal(units, present);
    super::decimal_text(number.normalize(), scale)
}
