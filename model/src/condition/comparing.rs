//! Comparisons whose operands are reduced: decided, or left for a database in a form that it can decide.

use super::arithmetic::{is_equal, order};
use super::claims::{equal_value, ordered_value};
use super::expr::Operator;
use super::typed::{Node, Nulls, StaticType, Typed};
use crate::value::Value;
use std::cmp::Ordering;

/// `==`, `!=`, `<`, `<=`, `>`, `>=`.
pub(super) fn compare(operator: Operator, one: Typed, other: Typed, nulls: Nulls) -> Typed {
    let types = (one.ty.clone(), other.ty.clone());
    let of_one_type = (fitted(one, &types.1, operator), fitted(other, &types.0, operator));
    let (Some(one), Some(other)) = of_one_type else { return Typed::flag(operator == Operator::NotEqual) };
    if nulls == Nulls::Unequal && (is_null(&one) || is_null(&other)) {
        return Typed::flag(operator == Operator::NotEqual);
    }
    match (one.value(), other.value()) {
        (Some(a), Some(b)) => Typed::flag(holds(operator, (&one.ty, a), (&other.ty, b))),
        (value, None) | (None, value) => {
            // a value that is not null equals no null, whatever the rule
            let nulls = if value.is_some() { Nulls::Equal } else { nulls };
            Typed::new(StaticType::Boolean, Node::Compare(operator, one.into(), other.into(), nulls))
        }
    }
}

/// `in`.
pub(super) fn contains(one: Typed, list: Typed, nulls: Nulls) -> Typed {
    let items = match (list.node, list.ty) {
        (Node::List(items), _) => items,
        (Node::Constant(Value::List(values)), ty) => {
            let item = if let StaticType::List(item) = ty { *item } else { ty };
            values.into_iter().map(|value| Typed::constant(item.clone(), value)).collect()
        }
        (Node::Constant(_), _) => return Typed::flag(false),
        (node, ty) => {
            let item = if let StaticType::List(item) = &ty { (**item).clone() } else { ty.clone() };
            let found = fitted(one, &item, Operator::Equal);
            let found = found.filter(|one| nulls == Nulls::Equal || !is_null(one));
            return found.map_or_else(|| Typed::flag(false), |one| among(one, Typed::new(ty, node), nulls));
        }
    };
    let mut open = Vec::with_capacity(items.len());
    for item in items {
        if one.value().is_some() {
            let compared = compare(Operator::Equal, one.clone(), item.clone(), nulls);
            match compared.value() {
                Some(Value::Bool(true)) => return compared,
                Some(_) => {}
                None => open.push(item),
            }
        } else if let Some(item) = fitted(item, &one.ty, Operator::Equal)
            && (nulls == Nulls::Equal || !is_null(&item))
        {
            open.push(item);
        }
    }
    if open.is_empty() {
        return Typed::flag(false);
    }
    // a claim as a value of the type that it is compared with
    let one = match open.first() {
        Some(item) if one.value().is_some() => fitted(one.clone(), &item.ty, Operator::Equal).unwrap_or(one),
        _ => one,
    };
    let ty = StaticType::List(one.ty.clone().into());
    among(one, Typed::new(ty, Node::List(open)), nulls)
}

fn among(one: Typed, list: Typed, nulls: Nulls) -> Typed {
    Typed::new(StaticType::Boolean, Node::In(one.into(), list.into(), nulls))
}

/// A claim that is known, as a value of the type that it is compared with; anything else as it is. `None` if it is of
/// another type, and so is equal to nothing and has no order.
fn fitted(typed: Typed, ty: &StaticType, operator: Operator) -> Option<Typed> {
    let Some(value) = typed.value().filter(|value| !value.is_null()) else { return Some(typed) };
    match (&typed.ty, ty) {
        (StaticType::Claim, StaticType::Claim | StaticType::Null) | (StaticType::Object(_), _) => Some(typed),
        (StaticType::Claim, ty) if is_equality(operator) => {
            equal_value(value, ty).map(|value| Typed::constant(ty.clone(), value))
        }
        (StaticType::Claim, ty) => ordered_value(value, ty),
        _ if matches!(value, Value::Object(_)) => None,
        _ => Some(typed),
    }
}

fn is_null(typed: &Typed) -> bool {
    typed.value() == Some(&Value::Null)
}

fn is_equality(operator: Operator) -> bool {
    matches!(operator, Operator::Equal | Operator::NotEqual)
}

fn holds(operator: Operator, one: (&StaticType, &Value), other: (&StaticType, &Value)) -> bool {
    match operator {
        Operator::Equal => is_equal(one, other),
        Operator::NotEqual => !is_equal(one, other),
        // a claim that is true or false
        _ if matches!(one.1, Value::Bool(_)) => false,
        _ => order(one, other).is_some_and(|order| match operator {
            Operator::Less => order == Ordering::Less,
            Operator::LessOrEqual => order != Ordering::Greater,
            Operator::Greater => order == Ordering::Greater,
            _ => order != Ordering::Less,
        }),
    }
}
