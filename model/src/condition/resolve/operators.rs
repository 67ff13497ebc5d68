//! Which operators take which values.

use super::Resolver;
use crate::condition::count_bound::bounded;
use crate::condition::expr::{Expr, Operator};
use crate::condition::mistake::{Mistake, MistakeCode};
use crate::condition::typed::{Node, StaticType, Typed};
use crate::scalar::decimal::MAX_DIGITS;
use crate::value::Value;
use std::ops::Range;

/// Sums of prices within each other: in SQL each needs its operands several times.
const MAX_PRICE_SUMS: usize = 4;

impl Resolver<'_> {
    pub(super) fn binary(&mut self, expr: &Expr, operator: Operator, left: &Expr, right: &Expr) -> Option<Typed> {
        if matches!(operator, Operator::And | Operator::Or) {
            let (one, other) = (self.condition(left), self.condition(right));
            let (one, other) = (one?.into(), other?.into());
            let node = if operator == Operator::And { Node::And(one, other) } else { Node::Or(one, other) };
            return Some(Typed::new(StaticType::Boolean, node));
        }
        let (one, other) = (self.resolve(left), self.resolve(right));
        let ((one, other), span) = ((one?, other?), &expr.span);
        match operator {
            Operator::Add | Operator::Subtract | Operator::Multiply => {
                self.arithmetic(span, operator, (left, one), (right, other))
            }
            Operator::In => self.is_in(span, (left, one), (right, other)),
            Operator::Equal | Operator::NotEqual => {
                let (one, other) = self.alike(span, (left, one), (right, other))?;
                if matches!(one.ty, StaticType::List(_)) && matches!(other.ty, StaticType::List(_)) {
                    return self.wrong(span, "lists cannot be compared");
                }
                if matches!(one.ty, StaticType::Object(_)) && matches!(other.ty, StaticType::Object(_)) {
                    return self.wrong(span, "objects can be compared with null only");
                }
                Some(compared(operator, one, other))
            }
            _ => {
                let (one, other) = self.alike(span, (left, one), (right, other))?;
                if one.ty == StaticType::Null || other.ty == StaticType::Null {
                    return self.wrong(span, format!("`{}` with null never holds", operator.symbol()));
                }
                let of = |ty: &StaticType| without_order(ty).map(|why| (ty.clone(), why));
                let disordered = of(&one.ty).or_else(|| of(&other.ty));
                match disordered {
                    Some((ty, why)) => {
                        let message = format!("`{}` does not compare {ty}", operator.symbol());
                        self.mistake(Mistake::new(span, MistakeCode::WrongType, message).help(why))
                    }
                    None => Some(compared(operator, one, other)),
                }
            }
        }
    }

    /// Two parts whose values can be compared: a text becomes an enum's value, an id or a time, a claim what the other
    /// one is.
    pub(super) fn alike(
        &mut self,
        span: &Range<usize>,
        (left, one): (&Expr, Typed),
        (right, other): (&Expr, Typed),
    ) -> Option<(Typed, Typed)> {
        use StaticType::{Claim, Decimal, Enum, Integer, Null, Number, Reference, Text, Uuid};
        let is_constant = |typed: &Typed| typed.value().is_some();
        match (&one.ty, &other.ty) {
            (Claim, Claim) => {
                let text = |typed: Typed| Typed { ty: Text, ..typed };
                Some((text(one), text(other)))
            }
            (Null, _) | (_, Null) => Some((one, other)),
            (Claim, ty) => Some((Typed { ty: ty.clone(), ..one }, other)),
            (ty, Claim) => {
                let ty = ty.clone();
                Some((one, Typed { ty, ..other }))
            }
            (one_type, other_type) if one_type == other_type => Some((one, other)),
            (Integer | Decimal(_), Integer | Decimal(_)) => Some((one, other)),
            (Number, Integer) | (Integer, Number) if !is_constant(&one) && !is_constant(&other) => Some((one, other)),
            (Number, Integer | Decimal(_)) if is_constant(&other) => {
                let other = self.fitting(right, other, &Number)?;
                Some((one, other))
            }
            (Integer | Decimal(_), Number) if is_constant(&one) => {
                let one = self.fitting(left, one, &Number)?;
                Some((one, other))
            }
            (Number, Integer) | (Integer, Number) => Some((one, other)),
            (Uuid, Reference(_)) | (Reference(_), Uuid) | (Enum(_), Text) | (Text, Enum(_))
                if !is_constant(&one) && !is_constant(&other) =>
            {
                Some((one, other))
            }
            (ty, Text) if is_constant(&other) && *ty != Text => {
                let ty = ty.clone();
                let other = self.text_as(span, right, other, &ty)?;
                Some((one, other))
            }
            (Text, ty) if is_constant(&one) => {
                let ty = ty.clone();
                let one = self.text_as(span, left, one, &ty)?;
                Some((one, other))
            }
            (Uuid, Reference(_)) | (Reference(_), Uuid) => Some((one, other)),
            (Reference(one), Reference(other)) => {
                let message = format!("a reference to `{one}` is never one to `{other}`");
                self.wrong(span, message);
                None
            }
            (one, other) => {
                let mut mistake =
                    Mistake::new(span, MistakeCode::WrongType, format!("{one} and {other} cannot be compared"));
                if matches!((one, other), (StaticType::Price, _) | (_, StaticType::Price)) {
                    mistake = mistake.help("compare the `amount` of the price");
                }
                self.mistakes.push(mistake);
                None
            }
        }
    }

    /// A text that is compared with something else.
    fn text_as(&mut self, span: &Range<usize>, expr: &Expr, text: Typed, ty: &StaticType) -> Option<Typed> {
        if matches!(ty, StaticType::Enum(_)) || super::is_written_as_text(ty) {
            return self.fitting(expr, text, ty);
        }
        self.wrong(span, format!("{ty} and a text cannot be compared"))
    }

    fn is_in(&mut self, span: &Range<usize>, left: (&Expr, Typed), right: (&Expr, Typed)) -> Option<Typed> {
        let ((left, one), (right, other)) = (left, right);
        let (one, other) = match (&one.ty, &other.ty) {
            (ty, StaticType::Claim) => {
                let item = if matches!(ty, StaticType::Claim | StaticType::Null) { &StaticType::Text } else { ty };
                let list = Typed { ty: StaticType::List(Box::new(item.clone())), ..other };
                let ty = item.clone();
                (if one.ty == StaticType::Claim { Typed { ty, ..one } } else { one }, list)
            }
            (_, StaticType::List(item)) => {
                let item = (**item).clone();
                match other.node {
                    // each value is compared with what is sought
                    Node::List(values) => {
                        let mut one = one;
                        let mut fitted = Vec::with_capacity(values.len());
                        for value in values {
                            let pair = self.alike(span, (left, one), (right, value))?;
                            one = pair.0;
                            fitted.push(pair.1);
                        }
                        let ty =
                            StaticType::List(Box::new(if item == StaticType::Text { one.ty.clone() } else { item }));
                        (one, Typed::new(ty, Node::List(fitted)))
                    }
                    node => {
                        if matches!(item, StaticType::Object(_)) {
                            let mistake = Mistake::new(span, MistakeCode::WrongType, "`in` does not compare objects");
                            return self.mistake(mistake.help("write `list.exists(o, …)`"));
                        }
                        let sample = Typed::new(item, Node::Now);
                        let (one, _) = self.alike(span, (left, one), (right, sample))?;
                        (one, Typed { ty: other.ty, node })
                    }
                }
            }
            (_, ty) => {
                let mistake =
                    Mistake::new(&right.span, MistakeCode::WrongType, format!("`in` needs a list, this is {ty}"));
                let is_text = matches!(ty, StaticType::Text | StaticType::Enum(_));
                return self.mistake(if is_text { mistake.help("write `x.contains(y)` for texts") } else { mistake });
            }
        };
        let (one, other) = bounded(one, other);
        Some(Typed::new(StaticType::Boolean, Node::In(one.into(), other.into())))
    }

    fn arithmetic(
        &mut self,
        span: &Range<usize>,
        operator: Operator,
        (left, one): (&Expr, Typed),
        (right, other): (&Expr, Typed),
    ) -> Option<Typed> {
        use StaticType::{Date, Duration, Integer, Number, Price, Timestamp};
        let is_product = operator == Operator::Multiply;
        let node =
            |ty, one: Typed, other: Typed| Some(Typed::new(ty, Node::Arithmetic(operator, one.into(), other.into())));
        if one.ty == Price && other.ty == Price && price_operations(&one) + price_operations(&other) >= MAX_PRICE_SUMS {
            let message = format!("more than {MAX_PRICE_SUMS} sums of prices within each other");
            return self.mistake(Mistake::new(span, MistakeCode::TooLarge, message));
        }
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
            (Price, Integer) | (Integer, Price) if is_product => node(Price, one, other),
            (Timestamp | Date, Duration) if !is_product => node(one.ty.clone(), one, other),
            (Duration, Timestamp | Date) if operator == Operator::Add => node(other.ty.clone(), other, one),
            (one, other) => {
                let message = format!("`{}` does not take {one} and {other}", operator.symbol());
                let mistake = Mistake::new(span, MistakeCode::WrongType, message);
                self.mistake(match (one, other) {
                    (Timestamp | Date, Timestamp | Date) => mistake.help("compare `start + duration(\"P3D\") < end`"),
                    (Price, _) | (_, Price) => mistake.help("take the `amount` of the price"),
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
}

/// How many operations a price is the result of.
fn price_operations(typed: &Typed) -> usize {
    match &typed.node {
        Node::Arithmetic(_, one, other) => 1 + price_operations(one) + price_operations(other),
        Node::Choose(_, yes, no) => 1 + price_operations(yes) + price_operations(no),
        _ => 0,
    }
}

fn compared(operator: Operator, one: Typed, other: Typed) -> Typed {
    let (one, other) = bounded(one, other);
    Typed::new(StaticType::Boolean, Node::Compare(operator, one.into(), other.into()))
}

/// Why values of a type cannot be compared by `<`.
fn without_order(ty: &StaticType) -> Option<&'static str> {
    Some(match ty {
        StaticType::Price => "compare the `amount` of the price",
        StaticType::Boolean | StaticType::Enum(_) | StaticType::Uuid | StaticType::Reference(_) => {
            "compare by `==`, `!=` or `in`"
        }
        StaticType::Duration => "durations have no order: a month can be longer or shorter than 30 days",
        StaticType::List(_) => "compare the `size` of the list",
        StaticType::Object(_) | StaticType::Claim | StaticType::Null => "compare one of its values",
        StaticType::Integer
        | StaticType::Decimal(_)
        | StaticType::Number
        | StaticType::Text
        | StaticType::Timestamp
        | StaticType::Date
        | StaticType::Time => return None,
    })
}
