//! An expression → its resolved form: what every name is, and whether the types fit.

mod computed;
mod functions;
mod names;
mod operators;

use super::expr::{Expr, ExprKind, Operator};
use super::literals;
use super::mistake::{Mistake, MistakeCode};
use super::typed::{Node, StaticType, Typed};
use crate::check::{Checked, Kind, suggestion};
use crate::field::Type;
use crate::resource::Resource;
use crate::value::Value;
use computed::Inlined;
use std::ops::Range;

/// Which names a condition may use.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// The model.
    pub service: &'a Checked,
    /// The resource of the entity; `None`: the condition is on the caller alone.
    pub entity: Option<&'a Resource>,
    /// Whether `old` is the entity before the change.
    pub old: bool,
}

/// Resolves a condition, which is true or false.
///
/// # Errors
///
/// All of its mistakes.
pub fn check(expr: &Expr, scope: &Scope<'_>) -> Result<Typed, Vec<Mistake>> {
    checked(scope, |resolver| resolver.condition(expr))
}

/// Resolves an expression that gives a value of a field: a computed field, a default.
///
/// # Errors
///
/// All of its mistakes, among them a value of another type.
pub fn check_value(expr: &Expr, scope: &Scope<'_>, ty: &StaticType) -> Result<Typed, Vec<Mistake>> {
    checked(scope, |resolver| {
        let typed = resolver.resolve(expr)?;
        resolver.fitting(expr, typed, ty)
    })
}

fn checked(scope: &Scope<'_>, resolve: impl FnOnce(&mut Resolver<'_>) -> Option<Typed>) -> Result<Typed, Vec<Mistake>> {
    let frame = Frame { resource: scope.entity, variables: Vec::new() };
    let mut resolver =
        Resolver { scope: *scope, frames: vec![frame], mistakes: Vec::new(), inlined: Inlined::default() };
    match resolve(&mut resolver) {
        Some(typed) if resolver.mistakes.is_empty() => Ok(typed),
        _ => Err(resolver.mistakes),
    }
}

/// The type of a field's values in conditions; `None` of another service's type.
#[must_use]
pub fn static_type(service: &Checked, ty: &Type) -> Option<StaticType> {
    Some(match service.kind(ty) {
        Kind::Enum(found) => StaticType::Enum(found.name.clone()),
        Kind::Object(object) => StaticType::Object(object.name.clone()),
        Kind::Array(items) => StaticType::List(Box::new(static_type(service, items)?)),
        Kind::Scalar(ty) => match ty {
            Type::String { .. } => StaticType::Text,
            Type::Integer { .. } => StaticType::Integer,
            Type::Number { .. } => StaticType::Number,
            Type::Decimal { scale, .. } => StaticType::Decimal(*scale),
            Type::Boolean => StaticType::Boolean,
            Type::Uuid => StaticType::Uuid,
            Type::Timestamp { .. } => StaticType::Timestamp,
            Type::Date { .. } => StaticType::Date,
            Type::Time => StaticType::Time,
            Type::Duration => StaticType::Duration,
            Type::Price { .. } => StaticType::Price,
            Type::Ref { to, .. } => StaticType::Reference(to.clone()),
            Type::Array { .. } | Type::Named { .. } => return None,
            // a test sees that each scalar type has one
            other => return other.is_checked_text().then_some(StaticType::Text),
        },
    })
}

struct Resolver<'a> {
    scope: Scope<'a>,
    /// The entity that names are fields of; inside `any` and `count` one more.
    frames: Vec<Frame<'a>>,
    mistakes: Vec<Mistake>,
    inlined: Inlined,
}

/// An entity, and the variables of `exists` and `all` around a part.
struct Frame<'a> {
    resource: Option<&'a Resource>,
    variables: Vec<(String, StaticType)>,
}

impl<'a> Resolver<'a> {
    /// Notes a mistake; the part has no resolved form.
    fn mistake(&mut self, mistake: Mistake) -> Option<Typed> {
        self.mistakes.push(mistake);
        None
    }

    fn wrong(&mut self, span: &Range<usize>, message: impl Into<String>) -> Option<Typed> {
        self.mistake(Mistake::new(span, MistakeCode::WrongType, message))
    }

    fn frame(&self) -> &Frame<'a> {
        // there is one from the start, and each that is added is taken away again
        &self.frames[self.frames.len() - 1]
    }

    /// A part that is true or false.
    fn condition(&mut self, expr: &Expr) -> Option<Typed> {
        let typed = self.resolve(expr)?;
        self.boolean(expr, typed)
    }

    fn boolean(&mut self, expr: &Expr, typed: Typed) -> Option<Typed> {
        match typed.ty {
            StaticType::Boolean => Some(typed),
            StaticType::Claim => Some(Typed { ty: StaticType::Boolean, ..typed }),
            ty => self.mistake(
                Mistake::new(&expr.span, MistakeCode::WrongType, format!("a condition is true or false, this is {ty}"))
                    .help("compare it: `… == …`, `… != null`"),
            ),
        }
    }

    fn resolve(&mut self, expr: &Expr) -> Option<Typed> {
        match &expr.kind {
            ExprKind::Null => Some(Typed::constant(StaticType::Null, Value::Null)),
            ExprKind::Boolean(flag) => Some(Typed::flag(*flag)),
            ExprKind::Integer(number) => Some(Typed::constant(StaticType::Integer, Value::Int(*number))),
            ExprKind::Decimal { units, scale } => {
                Some(Typed::constant(StaticType::Decimal(*scale), Value::Int(*units)))
            }
            ExprKind::Text(text) => Some(Typed::constant(StaticType::Text, Value::Text(text.clone()))),
            ExprKind::List(items) => self.list(expr, items),
            ExprKind::Name(name) => self.name(expr, name),
            ExprKind::Member(receiver, name) => self.member(expr, receiver, name),
            ExprKind::Call { receiver, function, name_span, arguments } => match receiver {
                Some(receiver) => self.method(receiver, function, name_span, arguments),
                None => self.function(expr, function, name_span, arguments),
            },
            ExprKind::Not(inner) => {
                let inner = self.condition(inner)?;
                Some(Typed::new(StaticType::Boolean, Node::Not(inner.into())))
            }
            ExprKind::Negate(inner) => self.negate(inner),
            ExprKind::Binary(operator, left, right) => self.binary(expr, *operator, left, right),
            ExprKind::Choose(condition, yes, no) => {
                let condition = self.condition(condition);
                let (left, right) = (self.resolve(yes), self.resolve(no));
                let (condition, left, right) = (condition?, left?, right?);
                let (left, right) = self.alike(&expr.span, (yes, left), (no, right))?;
                let (left, right) = same_type(left, right);
                let ty = match (&left.ty, &right.ty) {
                    (StaticType::Null, ty) | (ty, StaticType::Null) => ty.clone(),
                    (StaticType::Enum(_), StaticType::Text) => StaticType::Text,
                    (ty, _) => ty.clone(),
                };
                Some(Typed::new(ty, Node::Choose(condition.into(), left.into(), right.into())))
            }
        }
    }

    /// A list whose values have one type.
    fn list(&mut self, expr: &Expr, items: &[Expr]) -> Option<Typed> {
        let resolved: Vec<_> = items.iter().map(|item| self.resolve(item)).collect();
        let mut resolved: Vec<_> = resolved.into_iter().collect::<Option<_>>()?;
        let of = resolved.iter().position(|item| item.ty != StaticType::Null);
        let Some(of) = of else {
            let ty = StaticType::List(Box::new(StaticType::Null));
            return Some(Typed::new(ty, Node::List(resolved)));
        };
        for index in 0..items.len() {
            if index == of {
                continue;
            }
            let pair = ((&items[of], resolved[of].clone()), (&items[index], resolved[index].clone()));
            (resolved[of], resolved[index]) = self.alike(&expr.span, pair.0, pair.1)?;
        }
        // values of the first type that another one changed: a decimal among whole numbers
        let ty = resolved[of].ty.clone();
        for item in &mut resolved {
            if item.ty == StaticType::Integer && ty == StaticType::Number {
                item.ty = StaticType::Number;
            }
        }
        Some(Typed::new(StaticType::List(Box::new(ty)), Node::List(resolved)))
    }

    /// A part as a value of a type: a text as an enum's value or as an id, a claim as what is wanted.
    fn fitting(&mut self, expr: &Expr, typed: Typed, ty: &StaticType) -> Option<Typed> {
        if typed.ty == *ty || typed.ty == StaticType::Null {
            return Some(typed);
        }
        match (&typed.ty, &typed.node, ty) {
            (StaticType::Claim, ..) => Some(Typed { ty: ty.clone(), ..typed }),
            (StaticType::Text, Node::Constant(Value::Text(text)), StaticType::Enum(name)) => {
                let values = self.scope.service.enumeration(name).map(|found| &found.values[..]).unwrap_or_default();
                if values.contains(text) {
                    return Some(Typed { ty: ty.clone(), ..typed });
                }
                let message = format!("`{text}` is not a value of `{name}`");
                let help = suggestion(text, values.iter().map(String::as_str));
                self.mistake(Mistake::new(&expr.span, MistakeCode::ImpossibleValue, message).suggest(help))
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
            (StaticType::Integer, Node::Constant(Value::Int(number)), StaticType::Decimal(scale)) => {
                match 10_i64.checked_pow(*scale).and_then(|by| number.checked_mul(by)) {
                    Some(units) => Some(Typed::constant(ty.clone(), Value::Int(units))),
                    None => Some(typed),
                }
            }
            (StaticType::Decimal(scale), Node::Constant(Value::Int(units)), StaticType::Number) => {
                let text = crate::scalar::decimal::to_decimal(*units, *scale).to_string();
                Some(Typed::constant(StaticType::Number, text.parse().map_or(Value::Null, Value::Float)))
            }
            (StaticType::Integer, Node::Constant(Value::Int(number)), StaticType::Number) => {
                Some(Typed::constant(StaticType::Number, Value::Float(*number as f64)))
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
}

/// Numbers of different types as numbers of the finer one: zero of that type is added.
fn same_type(one: Typed, other: Typed) -> (Typed, Typed) {
    let zero = |ty: &StaticType| match ty {
        StaticType::Number => Typed::constant(StaticType::Number, Value::Float(0.0)),
        ty => Typed::constant(ty.clone(), Value::Int(0)),
    };
    let widened = |typed: Typed, ty: &StaticType| {
        let node = Node::Arithmetic(Operator::Add, typed.into(), zero(ty).into());
        Typed::new(ty.clone(), node)
    };
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

/// Whether a text is read as a value of the type it is compared with.
fn is_written_as_text(ty: &StaticType) -> bool {
    matches!(
        ty,
        StaticType::Uuid
            | StaticType::Reference(_)
            | StaticType::Timestamp
            | StaticType::Date
            | StaticType::Time
            | StaticType::Duration
    )
}
