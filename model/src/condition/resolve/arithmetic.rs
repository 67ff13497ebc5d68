//! Which values `+`, `-` and `*` take, and how durations become lengths, which have an order.

use super::Resolver;
use crate::condition::arithmetic::length;
use crate::condition::expr::{Expr, Operator};
use crate::condition::mistake::{Mistake, MistakeCode};
use crate::condition::typed::{LengthForm, Node, StaticType, Typed};
use crate::scalar::MILLIS_A_DAY;
use crate::scalar::decimal::MAX_DIGITS;
use crate::value::Value;
use std::ops::Range;

impl Resolver<'_> {
    pub(super) fn arithmetic(
        &mut self,
        span: &Range<usize>,
        operator: Operator,
        (left, one): (&Expr, Typed),
        (right, other): (&Expr, Typed),
    ) -> Option<Typed> {
        use StaticType::{Claim, Date, Decimal, Duration, Enum, Integer, Length, Number, Price, Text, Timestamp};
        let is_product = operator == Operator::Multiply;
        let node =
            |ty, one: Typed, other: Typed| Some(Typed::new(ty, Node::Arithmetic(operator, one.into(), other.into())));
        match (&one.ty, &other.ty) {
            (Integer, Integer) => node(Integer, one, other),
            (a, b) if a.is_exact() && b.is_exact() => {
                let scale = if is_product { a.scale() + b.scale() } else { a.scale().max(b.scale()) };
                if scale > MAX_DIGITS {
                    let message = format!("the product has more than {MAX_DIGITS} digits after the point");
                    return self.wrong(span, message);
                }
                node(StaticType::Decimal(scale), one, other)
            }
            (Number, b) if *b == Number || *b == Integer || (b.is_exact() && other.value().is_some()) => {
                let other = if other.value().is_some() { self.fitting(right, other, &Number)? } else { other };
                node(Number, one, other)
            }
            (a, Number) if *a == Integer || (a.is_exact() && one.value().is_some()) => {
                let one = if one.value().is_some() { self.fitting(left, one, &Number)? } else { one };
                node(Number, one, other)
            }
            (Price, Price) if !is_product => node(Price, one, other),
            (Price, Integer | Decimal(_) | Number) | (Integer | Decimal(_) | Number, Price) if is_product => {
                node(Price, one, other)
            }
            (Timestamp | Date, Duration | Length(_)) if !is_product => node(one.ty.clone(), one, other),
            (Duration | Length(_), Timestamp | Date) if operator == Operator::Add => node(other.ty.clone(), other, one),
            (Date, Date) if operator == Operator::Subtract => Some(between_dates(other, one)),
            (Timestamp, Timestamp) if operator == Operator::Subtract => node(Length(LengthForm::Seconds), one, other),
            (Text | Enum(_), Text | Enum(_) | Claim) | (Claim, Text | Enum(_)) if operator == Operator::Add => {
                let text = |typed: Typed| if typed.ty == Claim { typed.claim_as(&Text) } else { typed };
                node(Text, text(one), text(other))
            }
            (one, other) => {
                let message = format!("`{}` does not take {one} and {other}", operator.symbol());
                let mistake = Mistake::new(span, MistakeCode::WrongType, message);
                self.mistake(match (one, other) {
                    (Price, _) | (_, Price) => mistake.help("take the `amount` of the price"),
                    (Date, Text) | (Text, Date) => mistake.help("write `days(\"2026-12-01\", day)`"),
                    _ => mistake,
                })
            }
        }
    }

    pub(super) fn negate(&mut self, inner: &Expr) -> Option<Typed> {
        let typed = self.resolve(inner)?;
        if !typed.ty.is_exact() && typed.ty != StaticType::Number {
            let message = format!("`-` does not take {}", typed.ty);
            return self.wrong(&inner.span, message);
        }
        let ty = typed.ty.clone();
        let zero = match ty {
            StaticType::Number => Value::Float(0.0),
            _ => Value::Int(0),
        };
        let zero = Typed::constant(ty.clone(), zero);
        Some(Typed::new(ty, Node::Arithmetic(Operator::Subtract, zero.into(), typed.into())))
    }

    /// A duration that is compared by `<` as its length; anything else as it is.
    pub(super) fn with_order(&mut self, expr: &Expr, typed: Typed) -> Option<Typed> {
        if typed.ty == StaticType::Duration { self.as_length(expr, typed) } else { Some(typed) }
    }

    /// A duration as a length. Of one that is written here it is known whether it has one.
    pub(super) fn as_length(&mut self, expr: &Expr, typed: Typed) -> Option<Typed> {
        let ty = StaticType::Length(LengthForm::Seconds);
        match (&typed.ty, typed.value()) {
            (StaticType::Length(_), _) => Some(Typed { ty, ..typed }),
            (_, Some(Value::Text(text))) => match length(text) {
                Some(length) => Some(Typed::constant(ty, Value::Int(length))),
                None => {
                    let message = format!("`{text}` has no length, since months have not, and so no order");
                    let mistake = Mistake::new(&expr.span, MistakeCode::ImpossibleValue, message);
                    self.mistake(mistake.help("write it in days: `P30D`, or add it to a time: `start + period < end`"))
                }
            },
            (_, Some(_)) => Some(Typed::null(ty)),
            (_, None) => Some(Typed::new(ty, Node::Converted(typed.into()))),
        }
    }

    /// `days(a, b)`.
    pub(super) fn days(&mut self, from: &Expr, to: &Expr) -> Option<Typed> {
        let (one, other) = (self.resolve(from), self.resolve(to));
        let (one, other) = (self.date(from, one?), self.date(to, other?));
        Some(days_between(one?, other?))
    }

    fn date(&mut self, expr: &Expr, typed: Typed) -> Option<Typed> {
        if typed.ty == StaticType::Timestamp {
            let mistake = Mistake::new(&expr.span, MistakeCode::WrongType, "expected a date, found a timestamp");
            return self.mistake(mistake.help("write `end - start`, or `today(\"Europe/Warsaw\")`, which is a date"));
        }
        self.fitting(expr, typed, &StaticType::Date)
    }
}

/// The days from a date to another.
fn days_between(from: Typed, to: Typed) -> Typed {
    Typed::new(StaticType::Integer, Node::Arithmetic(Operator::Subtract, to.into(), from.into()))
}

/// The length of the time from a date to another.
fn between_dates(from: Typed, to: Typed) -> Typed {
    let day = Typed::constant(StaticType::Integer, Value::Int(MILLIS_A_DAY));
    let node = Node::Arithmetic(Operator::Multiply, days_between(from, to).into(), day.into());
    Typed::new(StaticType::Length(LengthForm::Days), node)
}
