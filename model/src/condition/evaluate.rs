//! Evaluates a condition on facts in memory. What a fact is missing for stays: so a condition is reduced to what
//! depends on the rest, and only that becomes SQL.

use super::arithmetic::{compute, convert};
use super::claims;
use super::comparing::{compare, contains};
use super::count_bound::{Counted, bounded_by, counts};
use super::typed::{FieldBase, FieldPath, Node, PricePart, StaticType, TextTest, Typed};
use crate::case_folding::fold_case;
use crate::scalar::{Timestamp, Timezone};
use crate::value::Value;
use serde_json::Value as Json;
use uuid::Uuid;

/// What is known when a condition is evaluated. Each answer is `None` where it is not known.
pub trait Facts {
    /// The value of a field of an entity; null where there is no such entity.
    fn field(&self, _of: Subject<'_>, _path: &FieldPath) -> Option<Value> {
        None
    }

    /// The ids of the entities of a resource that refer to an entity by a field.
    fn referring(&self, _resource: &str, _field: &FieldPath, _to: Uuid) -> Option<Vec<Uuid>> {
        None
    }

    /// How many of these entities there are, up to the limit. Where it is not known they are those of
    /// [`referring`](Self::referring), evaluated one after the other.
    fn counted(&self, _counted: &Counted<'_>) -> Option<u64> {
        None
    }

    /// The id of the caller, if there is one.
    fn caller(&self) -> Option<Option<Uuid>> {
        None
    }

    /// The scopes of the caller's token.
    fn scopes(&self) -> Option<&[String]> {
        None
    }

    /// The claim at a path, if there is one.
    fn claim(&self, _path: &str) -> Option<Option<&Json>> {
        None
    }

    /// The time, in milliseconds since 1970.
    fn now(&self) -> Option<i64> {
        None
    }
}

/// An entity that facts are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject<'a> {
    /// The entity that the condition is on.
    This,
    /// The same before the change.
    Old,
    /// Another one.
    Entity {
        /// Its resource.
        resource: &'a str,
        /// Its id.
        id: Uuid,
    },
}

/// The value of an expression; `None` if a fact is missing. A claim that is no value of the type that is wanted is
/// null.
#[must_use]
pub fn evaluate(typed: &Typed, facts: &dyn Facts) -> Option<Value> {
    let reduced = reduce(typed, facts);
    match (reduced.value()?, &typed.ty) {
        (value, StaticType::Object(_) | StaticType::Claim) => Some(value.clone()),
        (Value::Object(_), _) => Some(Value::Null),
        (value, _) => Some(value.clone()),
    }
}

/// Whether a condition holds; `None` if a fact is missing.
#[must_use]
pub fn holds(typed: &Typed, facts: &dyn Facts) -> Option<bool> {
    evaluate(typed, facts).map(|value| is_true(&value))
}

/// The condition with everything evaluated that the facts decide.
#[must_use]
pub fn reduce(typed: &Typed, facts: &dyn Facts) -> Typed {
    Reducer { facts, this: Some(Subject::This), outer: None, items: Vec::new() }.reduce(typed)
}

fn is_true(value: &Value) -> bool {
    *value == Value::Bool(true)
}

/// What parts are evaluated with.
struct Reducer<'a> {
    facts: &'a dyn Facts,
    /// The entity that fields belong to, where it is known.
    this: Option<Subject<'a>>,
    /// The entity outside of the `any` or `count` that is around the part, where it is known.
    outer: Option<Subject<'a>>,
    /// The items that variables stand for, where they are known.
    items: Vec<Option<Value>>,
}

impl<'a> Reducer<'a> {
    fn reduce(&mut self, typed: &Typed) -> Typed {
        let known = |value: Option<Value>| match value {
            Some(value) => Typed::constant(typed.ty.clone(), value),
            None => typed.clone(),
        };
        match &typed.node {
            Node::Constant(_) => typed.clone(),
            Node::Field(base, path) => known(self.field(*base, path)),
            Node::Follow(reference, resource, path) => {
                let reference = self.reduce(reference);
                let found = match reference.value() {
                    Some(Value::Uuid(id)) => self.facts.field(Subject::Entity { resource, id: *id }, path),
                    Some(_) => Some(Value::Null),
                    None => None,
                };
                match found {
                    Some(value) => Typed::constant(typed.ty.clone(), value),
                    None => {
                        let node = Node::Follow(reference.into(), resource.clone(), path.clone());
                        Typed::new(typed.ty.clone(), node)
                    }
                }
            }
            Node::Caller => known(self.facts.caller().map(|caller| caller.map_or(Value::Null, Value::Uuid))),
            Node::Scopes => {
                let list = |scopes: &[String]| Value::List(scopes.iter().cloned().map(Value::Text).collect());
                known(self.facts.scopes().map(list))
            }
            Node::Claim(path) => match self.facts.claim(path) {
                Some(claim) => claims::of_type(&claim.map_or(Value::Null, claims::from_json), &typed.ty),
                None => typed.clone(),
            },
            Node::Now => known(self.facts.now().map(Value::Int)),
            Node::Today(zone) => known(self.facts.now().map(|now| today(now, *zone))),
            Node::List(items) => {
                let items: Vec<_> = items.iter().map(|item| self.reduce(item)).collect();
                Typed::new(typed.ty.clone(), Node::List(items))
            }
            Node::Not(inner) => {
                let inner = self.reduce(inner);
                match inner.value() {
                    Some(value) => Typed::flag(!is_true(value)),
                    None => Typed::new(StaticType::Boolean, Node::Not(inner.into())),
                }
            }
            Node::And(one, other) => self.junction(one, other, true),
            Node::Or(one, other) => self.junction(one, other, false),
            Node::Choose(condition, yes, no) => {
                let condition = self.reduce(condition);
                match condition.value() {
                    Some(value) => Typed { ty: typed.ty.clone(), ..self.reduce(if is_true(value) { yes } else { no }) },
                    None => {
                        let (yes, no) = (self.reduce(yes).into(), self.reduce(no).into());
                        Typed::new(typed.ty.clone(), Node::Choose(condition.into(), yes, no))
                    }
                }
            }
            Node::Compare(operator, one, other, nulls) => {
                let (one, other) = self.compared(one, other);
                compare(*operator, one, other, *nulls)
            }
            Node::In(one, list, nulls) => {
                let (one, list) = self.compared(one, list);
                contains(one, list, *nulls)
            }
            Node::Arithmetic(operator, one, other) => {
                let (one, other) = (self.reduce(one), self.reduce(other));
                match (one.value(), other.value()) {
                    (Some(a), Some(b)) => {
                        let result = compute(*operator, &typed.ty, (&one.ty, a), (&other.ty, b));
                        Typed::constant(typed.ty.clone(), result)
                    }
                    _ => Typed::new(typed.ty.clone(), Node::Arithmetic(*operator, one.into(), other.into())),
                }
            }
            Node::Size(inner) => {
                let inner = self.reduce(inner);
                let size = match (inner.value(), &inner.node) {
                    (Some(value), _) => size(value),
                    (None, Node::List(items)) => Value::Int(items.len() as i64),
                    (None, _) => return Typed::new(StaticType::Integer, Node::Size(inner.into())),
                };
                Typed::constant(StaticType::Integer, size)
            }
            Node::Lower(inner) => {
                let inner = self.reduce(inner);
                match inner.value() {
                    Some(Value::Text(text)) => Typed::constant(StaticType::Text, Value::Text(fold_case(text))),
                    Some(_) => Typed::constant(StaticType::Text, Value::Null),
                    None => Typed::new(StaticType::Text, Node::Lower(inner.into())),
                }
            }
            Node::Converted(inner) => {
                let inner = self.reduce(inner);
                match inner.value() {
                    Some(value) => Typed::constant(typed.ty.clone(), convert(value, &inner.ty, &typed.ty)),
                    None => Typed::new(typed.ty.clone(), Node::Converted(inner.into())),
                }
            }
            Node::Text(test, one, other) => {
                let (one, other) = (self.reduce(one), self.reduce(other));
                match (one.value(), other.value()) {
                    (Some(a), Some(b)) => Typed::flag(meets(*test, a, b)),
                    _ => Typed::new(StaticType::Boolean, Node::Text(*test, one.into(), other.into())),
                }
            }
            Node::Part(part, inner) => {
                let inner = self.reduce(inner);
                match inner.value() {
                    Some(Value::Price(units, currency)) => {
                        let value = match part {
                            PricePart::Amount => Value::Int(*units),
                            PricePart::Currency => Value::Text(currency.as_str().to_owned()),
                        };
                        Typed::constant(typed.ty.clone(), value)
                    }
                    Some(_) => Typed::constant(typed.ty.clone(), Value::Null),
                    None => Typed::new(typed.ty.clone(), Node::Part(*part, inner.into())),
                }
            }
            Node::Quantifier { is_all, list, variable, body } => self.quantifier(*is_all, list, *variable, body),
            Node::Referring { .. } => self.referring(typed),
        }
    }

    fn field(&self, base: FieldBase, path: &FieldPath) -> Option<Value> {
        match base {
            FieldBase::This => self.facts.field(self.this?, path),
            FieldBase::Outer => self.facts.field(self.outer?, path),
            FieldBase::Old => self.facts.field(Subject::Old, path),
            FieldBase::Item(variable) => path.within(self.items.get(variable)?.as_ref()?),
        }
    }

    /// `&&` (neutral is true) and `||` (neutral is false), both of which need one side only if it decides.
    fn junction(&mut self, one: &Typed, other: &Typed, neutral: bool) -> Typed {
        let one = self.reduce(one);
        if one.value().is_some_and(|value| is_true(value) != neutral) {
            return Typed::flag(!neutral);
        }
        let other = self.reduce(other);
        if other.value().is_some_and(|value| is_true(value) != neutral) {
            return Typed::flag(!neutral);
        }
        match (one.value().is_some(), other.value().is_some()) {
            (true, true) => Typed::flag(neutral),
            (true, false) if other.is_two_valued() => other,
            (false, true) if one.is_two_valued() => one,
            _ => {
                let (one, other) = (one.into(), other.into());
                let node = if neutral { Node::And(one, other) } else { Node::Or(one, other) };
                Typed::new(StaticType::Boolean, node)
            }
        }
    }

    /// The two sides of a comparison: a count comes second, since the other side may say how far to count.
    fn compared(&mut self, one: &Typed, other: &Typed) -> (Typed, Typed) {
        if counts(one) {
            let other = self.reduce(other);
            return (self.reduce(&bounded_by(one, &other)), other);
        }
        let one = self.reduce(one);
        let other = self.reduce(&bounded_by(other, &one));
        (one, other)
    }

    fn quantifier(&mut self, is_all: bool, list: &Typed, variable: usize, body: &Typed) -> Typed {
        let list = self.reduce(list);
        self.items.truncate(variable);
        let Some(value) = list.value() else {
            self.items.push(None);
            let body = self.reduce(body);
            self.items.pop();
            let node = Node::Quantifier { is_all, list: list.into(), variable, body: body.into() };
            return Typed::new(StaticType::Boolean, node);
        };
        let items = match value {
            Value::List(items) => &items[..],
            _ => &[],
        };
        // what the items leave open is one condition for each of them
        let mut rest = Typed::flag(is_all);
        for item in items {
            self.items.push(Some(item.clone()));
            let reduced = self.reduce(body);
            self.items.pop();
            if reduced.value().is_some_and(|value| is_true(value) != is_all) {
                return Typed::flag(!is_all);
            }
            if reduced.value().is_none() {
                let (one, other) = (rest.into(), reduced.into());
                let node = if is_all { Node::And(one, other) } else { Node::Or(one, other) };
                rest = Typed::new(StaticType::Boolean, node);
            }
        }
        rest
    }

    fn referring(&mut self, typed: &Typed) -> Typed {
        let Node::Referring { to, resource, field, condition, counts, limit } = &typed.node else {
            return typed.clone();
        };
        let to = self.reduce(to);
        // what does not depend on the entities that refer is decided, nothing else
        let condition = condition.as_ref().map(|condition| self.within(None).reduce(condition));
        let found = match (&condition, to.value()) {
            (Some(condition), _) if condition.is_never() => Some(0),
            (Some(condition), Some(Value::Uuid(_))) if condition.reads_outer() => None,
            (condition, Some(Value::Uuid(to))) => {
                let condition = condition.as_ref().filter(|condition| !condition.is_true());
                self.count(&Counted { resource, field, to: *to, condition, limit: *limit })
            }
            (_, Some(_)) => Some(0),
            (_, None) => None,
        };
        match (found, counts) {
            (Some(found), true) => {
                Typed::constant(StaticType::Integer, Value::Int(i64::try_from(found).unwrap_or(i64::MAX)))
            }
            (Some(found), false) => Typed::flag(found > 0),
            (None, _) => {
                let (resource, field, condition) = (resource.clone(), field.clone(), condition.map(Box::new));
                let (to, counts, limit) = (to.into(), *counts, *limit);
                let node = Node::Referring { to, resource, field, condition, counts, limit };
                Typed::new(typed.ty.clone(), node)
            }
        }
    }

    /// For the condition of an `any` or `count`, on this entity.
    fn within<'s>(&self, this: Option<Subject<'s>>) -> Reducer<'s>
    where
        'a: 's,
    {
        Reducer { facts: self.facts, this, outer: self.this, items: Vec::new() }
    }

    fn count(&self, counted: &Counted<'_>) -> Option<u64> {
        let Counted { resource, field, to, condition, limit } = *counted;
        if let Some(found) = self.facts.counted(counted) {
            return Some(found);
        }
        let mut count = 0;
        for id in self.facts.referring(resource, field, to)? {
            if limit.is_some_and(|limit| count >= limit) {
                break;
            }
            let mut within = self.within(Some(Subject::Entity { resource, id }));
            let meets = condition.map(|condition| within.reduce(condition).value().map(is_true));
            count += u64::from(meets.unwrap_or(Some(true))?);
        }
        Some(count)
    }
}

/// The date in a time zone at a time; null outside the years that a date can have.
fn today(now: i64, zone: Timezone) -> Value {
    let date = Timestamp::from_millis(now).and_then(|now| now.date_in(zone));
    date.map_or(Value::Null, |date| Value::Int(date.days()))
}

fn size(value: &Value) -> Value {
    match value {
        Value::Text(text) => Value::Int(text.chars().count() as i64),
        Value::List(items) => Value::Int(items.len() as i64),
        _ => Value::Null,
    }
}

fn meets(test: TextTest, one: &Value, other: &Value) -> bool {
    let (Value::Text(text), Value::Text(part)) = (one, other) else { return false };
    match test {
        TextTest::StartsWith => text.starts_with(part.as_str()),
        TextTest::EndsWith => text.ends_with(part.as_str()),
        TextTest::Contains => text.contains(part.as_str()),
    }
}
