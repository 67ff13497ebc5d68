//! Which operators take which values.

use super::Resolver;
use crate::condition::MAX_RESOLVED_NODES;
use crate::condition::arithmetic::exact_double;
use crate::condition::count_bound::bounded;
use crate::condition::expr::{Expr, Operator};
use crate::condition::mistake::{Mistake, MistakeCode};
use crate::condition::typed::{LengthForm, Node, Nulls, StaticType, Typed};
use crate::value::Value;
use std::ops::Range;

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
                let is_null = [&one, &other].into_iter().any(is_written_null);
                let (one, other, nulls) = self.comparable(span, (left, one), (right, other))?;
                let is_one = |of: fn(&StaticType) -> bool| !is_null && (of(&one.ty) || of(&other.ty));
                if is_one(|ty| matches!(ty, StaticType::List(_))) {
                    return self.wrong(span, "lists cannot be compared");
                }
                if is_one(|ty| matches!(ty, StaticType::Object(_))) {
                    return self.wrong(span, "objects can be compared with null only");
                }
                if is_one(|ty| *ty == StaticType::Free) {
                    return self.wrong(span, "maps and JSON of any form can be compared with null only");
                }
                self.compared(span, operator, one, other, nulls)
            }
            _ => {
                if [&one, &other].into_iter().any(is_written_null) {
                    return self.wrong(span, format!("`{}` with null never holds", operator.symbol()));
                }
                let (one, other, nulls) = self.comparable(span, (left, one), (right, other))?;
                let (one, other) = (self.with_order(left, one)?, self.with_order(right, other)?);
                let of = |ty: &StaticType| without_order(ty).map(|why| (ty.clone(), why));
                let disordered = of(&one.ty).or_else(|| of(&other.ty));
                match disordered {
                    Some((ty, why)) => {
                        let message = format!("`{}` does not compare {ty}", operator.symbol());
                        self.mistake(Mistake::new(span, MistakeCode::WrongType, message).help(why))
                    }
                    None => self.compared(span, operator, one, other, nulls),
                }
            }
        }
    }

    /// Two parts that are compared, and what null equals there. A claim stays what it is: it is compared as JSON.
    fn comparable(
        &mut self,
        span: &Range<usize>,
        (left, one): (&Expr, Typed),
        (right, other): (&Expr, Typed),
    ) -> Option<(Typed, Typed, Nulls)> {
        let is_written = is_written_null(&one) || is_written_null(&other);
        let is_said = is_written || !(one.may_be_unsaid() || other.may_be_unsaid());
        let nulls = if is_said { Nulls::Equal } else { Nulls::Unequal };
        let has_claim = [&one.ty, &other.ty].contains(&&StaticType::Claim);
        let (one, other) = match has_claim && !is_written {
            true => (one, other),
            false => self.alike(span, (left, one), (right, other))?,
        };
        Some((one, other, nulls))
    }

    /// A comparison. One of a claim that a condition chooses is a choice of comparisons.
    fn compared(
        &mut self,
        span: &Range<usize>,
        operator: Operator,
        one: Typed,
        other: Typed,
        nulls: Nulls,
    ) -> Option<Typed> {
        let claims = |typed: &Typed| if typed.ty == StaticType::Claim { choices(typed) } else { 1 };
        if claims(&one) * super::size(&other) + claims(&other) * super::size(&one) > MAX_RESOLVED_NODES {
            return self.mistake(super::too_large(span));
        }
        let (one, other) = bounded(one, other);
        Some(one.by_choice(&mut |one| {
            other.clone().by_choice(&mut |other| {
                Typed::new(StaticType::Boolean, Node::Compare(operator, one.clone().into(), other.into(), nulls))
            })
        }))
    }

    /// Two parts of one type: a text becomes an enum's value, an id or a time, a claim what the other one is, and null
    /// is that of the other's type.
    pub(super) fn alike(
        &mut self,
        span: &Range<usize>,
        (left, one): (&Expr, Typed),
        (right, other): (&Expr, Typed),
    ) -> Option<(Typed, Typed)> {
        use StaticType::{Claim, Decimal, Duration, Enum, Integer, Length, Null, Number, Reference, Text, Uuid};
        let is_constant = |typed: &Typed| typed.value().is_some();
        let (one, other) = alike_lengths(one, other);
        match (&one.ty, &other.ty) {
            (Claim, Claim) => Some((one, other)),
            (Null, ty) => Some((Typed::null(ty.clone()), other)),
            (ty, Null) => {
                let null = Typed::null(ty.clone());
                Some((one, null))
            }
            (Claim, ty) => Some((one.claim_as(ty), other)),
            (ty, Claim) => {
                let other = other.claim_as(ty);
                Some((one, other))
            }
            (Text, Text) if is_constant(&other) => {
                let other = self.text_of_form(right, other, &one)?;
                Some((one, other))
            }
            (Text, Text) if is_constant(&one) => {
                let one = self.text_of_form(left, one, &other)?;
                Some((one, other))
            }
            (one_type, other_type) if one_type == other_type => Some((one, other)),
            (Length(_), Length(_) | Duration) | (Duration, Length(_)) => {
                Some((self.as_length(left, one)?, self.as_length(right, other)?))
            }
            (Enum(_), Enum(_)) => Some((one, other)),
            (Integer | Decimal(_), Integer | Decimal(_)) => Some((one, other)),
            (Number, Integer) | (Integer, Number) if !is_constant(&one) && !is_constant(&other) => Some((one, other)),
            (Number, Integer | Decimal(_)) if is_double(&other) => {
                let other = self.fitting(right, other, &Number)?;
                Some((one, other))
            }
            (Integer | Decimal(_), Number) if is_double(&one) => {
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
        if matches!(ty, StaticType::Length(_)) {
            let duration = self.fitting(expr, text, &StaticType::Duration)?;
            return self.as_length(expr, duration);
        }
        if matches!(ty, StaticType::Enum(_)) || super::fitting::is_written_as_text(ty) {
            return self.fitting(expr, text, ty);
        }
        self.wrong(span, format!("{ty} and a text cannot be compared"))
    }

    fn is_in(&mut self, span: &Range<usize>, left: (&Expr, Typed), right: (&Expr, Typed)) -> Option<Typed> {
        let ((left, one), (right, list)) = (left, right);
        match (list.ty, list.node) {
            (StaticType::Claim, node) => {
                let nulls = if is_written_null(&one) { Nulls::Equal } else { Nulls::Unequal };
                let list = Typed::new(StaticType::Claim, node);
                let one = if is_written_null(&one) { Typed::null(StaticType::Claim) } else { one };
                self.contained(span, one, list, nulls)
            }
            (StaticType::List(_), Node::List(values)) => self.among(span, (left, one), (right, values)),
            (StaticType::List(item), node) => {
                let incomparable = match *item {
                    StaticType::Object(_) => Some("objects"),
                    StaticType::Free => Some("maps and JSON of any form"),
                    _ => None,
                };
                if let Some(what) = incomparable {
                    let mistake = Mistake::new(span, MistakeCode::WrongType, format!("`in` does not compare {what}"));
                    return self.mistake(mistake.help("write `list.exists(o, …)`"));
                }
                let list = Typed::new(StaticType::List(item.clone()), node);
                let sample = Typed::new((*item).clone(), list.node.clone());
                let is_unsaid = !is_written_null(&one) && list.may_be_unsaid();
                let (one, _, nulls) = self.comparable(span, (left, one), (right, sample))?;
                self.contained(span, one, list, if is_unsaid { Nulls::Unequal } else { nulls })
            }
            (ty, _) => {
                let mistake =
                    Mistake::new(&right.span, MistakeCode::WrongType, format!("`in` needs a list, this is {ty}"));
                let is_text = matches!(ty, StaticType::Text | StaticType::Enum(_));
                self.mistake(if is_text { mistake.help("write `x.contains(y)` for texts") } else { mistake })
            }
        }
    }

    /// `in` with a list of values, each of which is compared with what is sought.
    fn among(
        &mut self,
        span: &Range<usize>,
        (left, mut one): (&Expr, Typed),
        (right, values): (&Expr, Vec<Typed>),
    ) -> Option<Typed> {
        let (mut said, mut unsaid) = (Vec::new(), Vec::new());
        for value in values {
            let (sought, value, nulls) = self.comparable(span, (left, one), (right, value))?;
            one = sought;
            if nulls == Nulls::Equal { said.push(value) } else { unsaid.push(value) }
        }
        let list = |values: Vec<Typed>, one: &Typed| {
            let ty = values.iter().find(|value| value.ty != StaticType::Null).map_or(&one.ty, |value| &value.ty);
            Typed::new(StaticType::List(ty.clone().into()), Node::List(values))
        };
        if said.is_empty() || unsaid.is_empty() {
            let nulls = if unsaid.is_empty() { Nulls::Equal } else { Nulls::Unequal };
            let values = list(if unsaid.is_empty() { said } else { unsaid }, &one);
            return self.contained(span, one, values, nulls);
        }
        let (said, unsaid) = (list(said, &one), list(unsaid, &one));
        let said = self.contained(span, one.clone(), said, Nulls::Equal)?;
        let unsaid = self.contained(span, one, unsaid, Nulls::Unequal)?;
        Some(Typed::new(StaticType::Boolean, Node::Or(said.into(), unsaid.into())))
    }

    fn contained(&mut self, span: &Range<usize>, one: Typed, list: Typed, nulls: Nulls) -> Option<Typed> {
        if choices(&one) * super::size(&list) > MAX_RESOLVED_NODES {
            return self.mistake(super::too_large(span));
        }
        let (one, list) = bounded(one, list);
        Some(
            one.by_choice(&mut |one| Typed::new(StaticType::Boolean, Node::In(one.into(), list.clone().into(), nulls))),
        )
    }
}

/// A length of days beside anything else as one of seconds: the other may be no whole number of days.
fn alike_lengths(one: Typed, other: Typed) -> (Typed, Typed) {
    use StaticType::{Length, Null};
    let in_seconds = |typed: Typed, with: &StaticType| match (&typed.ty, with) {
        (Length(LengthForm::Days), Length(LengthForm::Days) | Null) => typed,
        (Length(_), _) => Typed { ty: Length(LengthForm::Seconds), ..typed },
        _ => typed,
    };
    let other_type = other.ty.clone();
    let other = in_seconds(other, &one.ty);
    (in_seconds(one, &other_type), other)
}

/// Whether it is null as it is written: an expression of which nothing else is known.
fn is_written_null(typed: &Typed) -> bool {
    typed.ty == StaticType::Null
}

/// Whether a constant is compared with doubles as a double: a whole number that is none stays exact.
fn is_double(typed: &Typed) -> bool {
    match typed.value() {
        Some(Value::Int(number)) if typed.ty == StaticType::Integer => exact_double(*number).is_some(),
        value => value.is_some(),
    }
}

/// How many parts a value is chosen from by conditions.
fn choices(typed: &Typed) -> usize {
    match &typed.node {
        Node::Choose(_, yes, no) => choices(yes) + choices(no),
        _ => 1,
    }
}

/// Why values of a type cannot be compared by `<`.
fn without_order(ty: &StaticType) -> Option<&'static str> {
    Some(match ty {
        StaticType::Price => "compare the `amount` of the price",
        StaticType::Boolean | StaticType::Enum(_) | StaticType::Uuid | StaticType::Reference(_) => {
            "compare by `==`, `!=` or `in`"
        }
        StaticType::List(_) => "compare the `size` of the list",
        StaticType::Object(_) | StaticType::Null => "compare one of its values",
        StaticType::Free => "compare it with null",
        StaticType::Claim
        | StaticType::Integer
        | StaticType::Decimal(_)
        | StaticType::Number
        | StaticType::Text
        | StaticType::Timestamp
        | StaticType::Date
        | StaticType::Time
        | StaticType::Duration
        | StaticType::Length(_) => return None,
    })
}
