//! How far `count` has to count: where its result is only compared with a value, one more than that value says as much
//! as any greater number. Databases and the evaluation in memory stop there.

use super::expr::Operator;
use super::typed::{FieldPath, Node, StaticType, Typed};
use crate::value::Value;
use std::borrow::Cow;
use uuid::Uuid;

/// How far entities are counted where nothing else says how far.
pub const MAX_COUNTED: u64 = 1_000;

/// Numbers beside a count, at most: no sum or product of a count with one of them overflows.
const LARGEST_BESIDE: i64 = 1 << 30;

/// Entities that `any` and `count` ask for.
#[derive(Debug, Clone, Copy)]
pub struct Counted<'a> {
    /// Their resource.
    pub resource: &'a str,
    /// The field by which they refer.
    pub field: &'a FieldPath,
    /// The entity to which they refer.
    pub to: Uuid,
    /// The condition on each of them, with everything evaluated that does not depend on it.
    pub condition: Option<&'a Typed>,
    /// How far they are counted. None: as far as they go.
    pub limit: Option<u64>,
}

/// The two sides of a comparison, or of `in`, as they were written: a count that is compared with constants has its
/// limit, however far that is.
pub(super) fn bounded(one: Typed, other: Typed) -> (Typed, Typed) {
    match (greatest(&one), greatest(&other)) {
        (None, Some(most)) => (limited(one, most, u64::MAX), other),
        (Some(most), None) => (one, limited(other, most, u64::MAX)),
        _ => (one, other),
    }
}

/// A side whose other one has become known: what has no limit yet is counted no further than it has to be, if that is
/// not further than it may be.
pub(super) fn bounded_by<'a>(counted: &'a Typed, other: &Typed) -> Cow<'a, Typed> {
    match greatest(other).filter(|_| counts(counted)) {
        Some(most) => Cow::Owned(limited(counted.clone(), most, MAX_COUNTED + 1)),
        None => Cow::Borrowed(counted),
    }
}

/// Whether the value of a part is computed from counts.
pub(super) fn counts(typed: &Typed) -> bool {
    match &typed.node {
        Node::Referring { counts, .. } => *counts,
        Node::Arithmetic(_, one, other) | Node::Choose(_, one, other) => counts(one) || counts(other),
        Node::List(items) => items.iter().any(counts),
        _ => false,
    }
}

/// The least whole number that no value of a constant is greater than; null and what is no number are like zero.
fn greatest(typed: &Typed) -> Option<i64> {
    if let Node::List(items) = &typed.node {
        return items.iter().map(greatest).try_fold(0, |most, item| Some(item?.max(most)));
    }
    match typed.value()? {
        Value::Int(units) => {
            let one = 10_i64.checked_pow(typed.ty.scale())?;
            Some(units.div_euclid(one) + i64::from(units.rem_euclid(one) > 0))
        }
        Value::Float(number) => Some(number.ceil() as i64),
        Value::Null => Some(0),
        Value::List(items) => {
            let StaticType::List(ty) = &typed.ty else { return None };
            let item = |item: &Value| greatest(&Typed::constant((**ty).clone(), item.clone()));
            items.iter().map(item).try_fold(0, |most, item| Some(item?.max(most)))
        }
        _ => None,
    }
}

/// A value that is compared with numbers up to `most`, with limits for its counts: none that is above `farthest`.
fn limited(mut typed: Typed, most: i64, farthest: u64) -> Typed {
    limit(&mut typed, most, farthest);
    typed
}

fn limit(typed: &mut Typed, most: i64, farthest: u64) {
    match &mut typed.node {
        Node::Referring { counts: true, limit, .. } if limit.is_none() => {
            let wanted = most.max(0).saturating_add(1).unsigned_abs();
            *limit = Some(wanted).filter(|wanted| *wanted <= farthest);
        }
        Node::List(items) => items.iter_mut().for_each(|item| limit(item, most, farthest)),
        Node::Choose(_, yes, no) => {
            limit(yes, most, farthest);
            limit(no, most, farthest);
        }
        Node::Arithmetic(operator, one, other) => {
            match (*operator, beside(one), beside(other)) {
                (Operator::Add, Some(number), None) => limit(other, most.saturating_sub(number), farthest),
                (Operator::Add, None, Some(number)) => limit(one, most.saturating_sub(number), farthest),
                (Operator::Add, None, None) if is_natural(one) && is_natural(other) => {
                    limit(one, most, farthest);
                    limit(other, most, farthest);
                }
                (Operator::Subtract, None, Some(number)) => limit(one, most.saturating_add(number), farthest),
                (Operator::Subtract, Some(number), None) => limit(other, number.saturating_sub(most), farthest),
                // a whole number of times more is at least as far from zero
                (Operator::Multiply, Some(_), None) => limit(other, most.saturating_abs(), farthest),
                (Operator::Multiply, None, Some(_)) => limit(one, most.saturating_abs(), farthest),
                _ => {}
            }
        }
        _ => {}
    }
}

/// A whole number beside a count, unless it is huge.
fn beside(typed: &Typed) -> Option<i64> {
    match typed.value()? {
        Value::Int(number)
            if typed.ty == StaticType::Integer && (-LARGEST_BESIDE..=LARGEST_BESIDE).contains(number) =>
        {
            Some(*number)
        }
        _ => None,
    }
}

/// Whether a value is a count, or a sum of such: never below zero.
fn is_natural(typed: &Typed) -> bool {
    match &typed.node {
        Node::Referring { counts, .. } => *counts,
        Node::Arithmetic(Operator::Add, one, other) => is_natural(one) && is_natural(other),
        _ => false,
    }
}
