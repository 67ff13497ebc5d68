//! A part as a value of the type that is wanted: a text as an enum's value or an id, a claim as what is asked for, a
//! whole number as a decimal.

use super::Resolver;
use crate::check::suggestion;
use crate::condition::arithmetic::compute;
use crate::condition::expr::{Expr, ExprKind, Operator};
use crate::condition::literals;
use crate::condition::mistake::{Mistake, MistakeCode};
use crate::condition::typed::{FieldBase, FieldPath, Node, PricePart, StaticType, Typed};
use crate::field::{Field, Type};
use crate::language::ScalarReader;
use crate::scalar::decimal;
use crate::value::Value;

impl Resolver<'_> {
    /// A part as a value of a type.
    pub(super) fn fitting(&mut self, expr: &Expr, typed: Typed, ty: &StaticType) -> Option<Typed> {
        if typed.ty == *ty {
            return Some(typed);
        }
        match (&typed.ty, &typed.node, ty) {
            (StaticType::Null, ..) | (_, Node::Constant(Value::Null), _) => Some(Typed::null(ty.clone())),
            (StaticType::Claim, ..) => Some(typed.claim_as(ty)),
            (StaticType::Text, Node::Choose(..), ty) if matches!(ty, StaticType::Enum(_)) || is_written_as_text(ty) => {
                self.fitting_choice(expr, typed, ty)
            }
            (StaticType::Text, Node::Constant(Value::Text(text)), StaticType::Enum(name)) => {
                let values = self.values(name);
                if values.contains(text) {
                    return Some(Typed { ty: ty.clone(), ..typed });
                }
                let message = format!("`{text}` is not a value of `{name}`");
                let help = suggestion(text, values.iter().map(String::as_str));
                self.mistake(Mistake::new(&expr.span, MistakeCode::ImpossibleValue, message).suggest(help))
            }
            (StaticType::Enum(found), _, StaticType::Enum(wanted)) => {
                let (found, wanted) = (self.values(found), self.values(wanted));
                match found.iter().find(|value| !wanted.contains(value)) {
                    None => Some(Typed::new(ty.clone(), typed.node)),
                    Some(value) => {
                        let message = format!("expected {ty}, found {}, which can be `{value}`", typed.ty);
                        self.wrong(&expr.span, message)
                    }
                }
            }
            (StaticType::Text, Node::Constant(Value::Text(text)), ty) if is_written_as_text(ty) => {
                match literals::from_text(text, ty) {
                    Some(value) => Some(Typed::constant(ty.clone(), value)),
                    None => {
                        let message = format!("`{text}` is not {ty}");
                        self.mistake(Mistake::new(&expr.span, MistakeCode::ImpossibleValue, message))
                    }
                }
            }
            (StaticType::Decimal(scale), Node::Constant(Value::Int(units)), StaticType::Number) => {
                let text = decimal::to_decimal(*units, *scale).to_string();
                Some(Typed::constant(StaticType::Number, text.parse().map_or(Value::Null, Value::Float)))
            }
            (StaticType::Integer, _, StaticType::Number) => Some(widened(typed, ty)),
            (StaticType::Length(_), _, StaticType::Duration) => {
                Some(Typed::new(StaticType::Duration, Node::Converted(typed.into())))
            }
            (found, _, StaticType::Decimal(scale)) if found.is_exact() && found.scale() <= *scale => {
                Some(widened(typed, ty))
            }
            (StaticType::Enum(_), _, StaticType::Text)
            | (StaticType::Reference(_), _, StaticType::Uuid)
            | (StaticType::Uuid, _, StaticType::Reference(_)) => Some(typed),
            (found, ..) => {
                let message = format!("expected {ty}, found {found}");
                self.wrong(&expr.span, message)
            }
        }
    }

    /// A choice of texts, each of which is to be a value of a type.
    fn fitting_choice(&mut self, expr: &Expr, typed: Typed, ty: &StaticType) -> Option<Typed> {
        let Node::Choose(condition, yes, no) = typed.node else { return Some(typed) };
        let (left, right) = match &expr.kind {
            ExprKind::Choose(_, left, right) => (&**left, &**right),
            // a computed field's
            _ => (expr, expr),
        };
        let (yes, no) = (self.fitting(left, *yes, ty), self.fitting(right, *no, ty));
        Some(Typed::new(ty.clone(), Node::Choose(condition, yes?.into(), no?.into())))
    }

    fn values(&self, name: &str) -> Vec<String> {
        self.scope.service.enumeration(name).map(|found| found.values.clone()).unwrap_or_default()
    }

    /// A text as the field has it that it is compared with: a country, a language tag.
    pub(super) fn text_of_form(&mut self, expr: &Expr, text: Typed, compared: &Typed) -> Option<Typed> {
        let form = self.field_type(compared).and_then(Type::scalar);
        let (Some(Value::Text(value)), Some(scalar)) = (text.value(), form) else { return Some(text) };
        let ScalarReader::Text(form, examples) = &scalar.reader else { return Some(text) };
        match (form.canonical)(value) {
            Some(canonical) => Some(Typed::constant(StaticType::Text, Value::Text(canonical))),
            None => {
                let message = format!("`{value}` is not a value of the type `{}`", scalar.keys.what);
                let mistake = Mistake::new(&expr.span, MistakeCode::ImpossibleValue, message);
                self.mistake(mistake.help(format!("write a value like `\"{}\"`", examples.example)))
            }
        }
    }

    /// The type of the field that a part is; of a list, that of its values.
    fn field_type(&self, typed: &Typed) -> Option<&Type> {
        static CURRENCY: Type = Type::Currency;
        let frame = self.frame();
        let service = self.scope.service;
        let (fields, path): (&[Field], &FieldPath) = match &typed.node {
            Node::Field(FieldBase::This, path) => (&frame.resource?.fields, path),
            Node::Field(FieldBase::Outer, path) => (&self.outer()?.resource?.fields, path),
            Node::Field(FieldBase::Old, path) => (&self.scope.entity?.fields, path),
            Node::Field(FieldBase::Item(variable), path) => match &frame.variables.get(*variable)?.1 {
                StaticType::Object(name) => (&service.object(name)?.fields, path),
                _ => return None,
            },
            Node::Follow(_, resource, path) => (&service.resource(resource)?.fields, path),
            Node::Part(PricePart::Currency, _) => return Some(&CURRENCY),
            _ => return None,
        };
        let (last, outer) = path.indexes.split_last()?;
        let fields = outer.iter().try_fold(fields, |fields, index| match &fields.get(*index)?.ty {
            Type::Named { name } => Some(&service.object(name)?.fields[..]),
            _ => None,
        })?;
        Some(fields.get(*last)?.ty.element())
    }
}

/// Numbers of different types as numbers of the finer one: zero of that type is added.
pub(super) fn same_type(one: Typed, other: Typed) -> (Typed, Typed) {
    match (&one.ty, &other.ty) {
        (a, b) if a == b => (one, other),
        (a, StaticType::Number) if a.is_exact() => (widened(one, &StaticType::Number), other),
        (StaticType::Number, b) if b.is_exact() => {
            let other = widened(other, &StaticType::Number);
            (one, other)
        }
        (a, b) if a.is_exact() && b.is_exact() => {
            let finer = StaticType::Decimal(a.scale().max(b.scale()));
            let widen = |typed: Typed| if typed.ty == finer { typed } else { widened(typed, &finer) };
            (widen(one), widen(other))
        }
        _ => (one, other),
    }
}

/// A number as one of a finer type; null if it is too large for that.
fn widened(typed: Typed, ty: &StaticType) -> Typed {
    let zero = match ty {
        StaticType::Number => Value::Float(0.0),
        _ => Value::Int(0),
    };
    if let Some(value) = typed.value() {
        let value = compute(Operator::Add, ty, (&typed.ty, value), (ty, &zero));
        return Typed::constant(ty.clone(), value);
    }
    let node = Node::Arithmetic(Operator::Add, typed.into(), Typed::constant(ty.clone(), zero).into());
    Typed::new(ty.clone(), node)
}

/// Whether a text is read as a value of the type it is compared with.
pub(super) fn is_written_as_text(ty: &StaticType) -> bool {
    matches!(
        ty,
        StaticType::Uuid
            | StaticType::Reference(_)
            | StaticType::Timestamp
            | StaticType::Date
            | StaticType::Time
            | StaticType::Duration
            | StaticType::Length(_)
    )
}
