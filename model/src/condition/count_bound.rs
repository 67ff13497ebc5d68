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
    match (range(&one), range(&other)) {
        (None, Some(range)) => (limited(one, range, u64::MAX), other),
        (Some(range), None) => (one, limited(other, range, u64::MAX)),
        _ => (one, other),
    }
}

/// A side whose other one has become known: what has no limit yet is counted no further than it has to be, if that is
/// not further than it may be.
pub(super) fn bounded_by<'a>(counted: &'a Typed, other: &Typed) -> Cow<'a, Typed> {
    match range(other).filter(|_| counts(counted)) {
        Some(range) => Cow::Owned(limited(counted.clone(), range, MAX_COUNTED + 1)),
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

/// Whole numbers between which all values lie that a part is compared with.
#[derive(Debug, Clone, Copy)]
struct Range {
    least: i64,
    most: i64,
}

/// The numbers between which the values of a constant lie; null and what is no number are like zero.
fn range(typed: &Typed) -> Option<Range> {
    if let Node::List(items) = &typed.node {
        return all(items.iter().map(range));
    }
    match typed.value()? {
        Value::Int(units) => {
            let one = 10_i64.checked_pow(typed.ty.scale())?;
            let least = units.div_euclid(one);
            Some(Range { least, most: least + i64::from(units.rem_euclid(one) > 0) })
        }
        Value::Float(number) => Some(Range { least: number.floor() as i64, most: number.ceil() as i64 }),
        Value::Null => Some(Range { least: 0, most: 0 }),
        Value::List(items) => {
            let StaticType::List(ty) = &typed.ty else { return None };
            all(items.iter().map(|item| range(&Typed::constant((**ty).clone(), item.clone()))))
        }
        _ => None,
    }
}

/// The range of all values of a list, and zero.
fn all(mut ranges: impl Iterator<Item = Option<Range>>) -> Option<Range> {
    ranges.try_fold(Range { least: 0, most: 0 }, |all, range| {
        let range = range?;
        Some(Range { least: range.least.min(all.least), most: range.most.max(all.most) })
    })
}

/// A value that is compared with numbers in a range, with limits for its counts: none that is above `farthest`.
fn limited(mut typed: Typed, range: Range, farthest: u64) -> Typed {
    limit(&mut typed, range, farthest);
    typed
}

fn limit(typed: &mut Typed, range: Range, farthest: u64) {
    let Range { least, most } = range;
    match &mut typed.node {
        Node::Referring { counts: true, limit, .. } if limit.is_none() => {
            let wanted = most.max(0).saturating_add(1).unsigned_abs();
            *limit = Some(wanted).filter(|wanted| *wanted <= farthest);
        }
        Node::List(items) => items.iter_mut().for_each(|item| limit(item, range, farthest)),
        Node::Choose(_, yes, no) => {
            limit(yes, range, farthest);
            limit(no, range, farthest);
        }
        Node::Arithmetic(operator, one, other) => {
            let below = |number: i64| Range { least: least.saturating_sub(number), most: most.saturating_sub(number) };
            let above = |number: i64| Range { least: least.saturating_add(number), most: most.saturating_add(number) };
            // a whole number of times more is at least as far from zero
            let farther = least.saturating_abs().max(most.saturating_abs());
            let around = Range { least: farther.saturating_neg(), most: farther };
            match (*operator, beside(one), beside(other)) {
                (Operator::Add, Some(number), None) => limit(other, below(number), farthest),
                (Operator::Add, None, Some(number)) => limit(one, below(number), farthest),
                (Operator::Add, None, None) if is_natural(one) && is_natural(other) => {
                    limit(one, range, farthest);
                    limit(other, range, farthest);
                }
                (Operator::Subtract, None, Some(number)) => limit(one, above(number), farthest),
                (Operator::Subtract, Some(number), None) => {
                    let (least, most) = (number.saturating_sub(most), number.saturating_sub(least));
                    limit(other, Range { least, most }, farthest);
                }
                (Operator::Multiply, Some(_), None) => limit(other, around, farthest),
                (Operator::Multiply, None, Some(_)) => limit(one, around, farthest),
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
