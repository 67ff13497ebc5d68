//! An expression → its resolved form: what every name is, and whether the types fit.

mod arithmetic;
mod computed;
mod fitting;
mod functions;
mod names;
mod operators;
mod referring;

use super::MAX_RESOLVED_NODES;
use super::expr::{Expr, ExprKind};
use super::mistake::{Mistake, MistakeCode};
use super::typed::{Node, StaticType, Typed};
use crate::check::{Checked, Kind};
use crate::field::Type;
use crate::resource::Resource;
use crate::value::Value;
use computed::Inlined;
use fitting::same_type;
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

/// Whether a name is a word of the language, which nothing else is called by.
pub(crate) fn is_word(name: &str) -> bool {
    names::WORDS.contains(&name) || functions::is_function(name) || LITERALS.contains(&name)
}

/// The words that are values or operators.
const LITERALS: [&str; 4] = ["false", "in", "null", "true"];

/// Resolves a condition, which is true or false.
///
/// # Errors
///
/// All of its mistakes.
pub fn check(expr: &Expr, scope: &Scope<'_>) -> Result<Typed, Vec<Mistake>> {
    checked(scope, &expr.span, |resolver| resolver.condition(expr))
}

/// Resolves an expression that gives a value of a field: a computed field, a default.
///
/// # Errors
///
/// All of its mistakes, among them a value of another type.
pub fn check_value(expr: &Expr, scope: &Scope<'_>, ty: &StaticType) -> Result<Typed, Vec<Mistake>> {
    checked(scope, &expr.span, |resolver| {
        let typed = resolver.resolve(expr)?;
        resolver.fitting(expr, typed, ty)
    })
}

fn checked(
    scope: &Scope<'_>,
    span: &Range<usize>,
    resolve: impl FnOnce(&mut Resolver<'_>) -> Option<Typed>,
) -> Result<Typed, Vec<Mistake>> {
    let frame = Frame { resource: scope.entity, variables: Vec::new() };
    let mut resolver =
        Resolver { scope: *scope, frames: vec![frame], home: 0, mistakes: Vec::new(), inlined: Inlined::default() };
    match resolve(&mut resolver) {
        Some(typed) if resolver.mistakes.is_empty() && size(&typed) > MAX_RESOLVED_NODES => Err(vec![too_large(span)]),
        Some(typed) if resolver.mistakes.is_empty() => Ok(typed),
        _ => Err(resolver.mistakes),
    }
}

/// The parts of an expression.
fn size(typed: &Typed) -> usize {
    1 + typed.children().into_iter().map(size).sum::<usize>()
}

fn too_large(span: &Range<usize>) -> Mistake {
    let message = format!("with all that it compares it has more than {MAX_RESOLVED_NODES} parts");
    Mistake::new(span, MistakeCode::TooLarge, message)
}

/// The type of a field's values in conditions; `None` of another service's type.
#[must_use]
pub fn static_type(service: &Checked, ty: &Type) -> Option<StaticType> {
    Some(match service.kind(ty) {
        Kind::Enum(found) => StaticType::Enum(found.name.clone()),
        Kind::Object(object) => StaticType::Object(object.name.clone()),
        Kind::Array(items) => StaticType::List(Box::new(static_type(service, items)?)),
        Kind::Map(_) => StaticType::Free,
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
            Type::Json { .. } => StaticType::Free,
            Type::Array { .. } | Type::Map { .. } | Type::Named { .. } => return None,
            // a test sees that each scalar type has one
            other => return other.is_checked_text().then_some(StaticType::Text),
        },
    })
}

struct Resolver<'a> {
    scope: Scope<'a>,
    /// The entity that names are fields of; inside `any` and `count` one more.
    frames: Vec<Frame<'a>>,
    /// The frame of the entity whose document the condition stands in.
    home: usize,
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
            StaticType::Claim => Some(typed.claim_as(&StaticType::Boolean)),
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
                Some(receiver) => self.method(expr, receiver, function, name_span, arguments),
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
                    (StaticType::Enum(one), StaticType::Enum(other)) if one != other => StaticType::Text,
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
            if index == of || resolved[index].ty == StaticType::Null {
                continue;
            }
            let pair = ((&items[of], resolved[of].clone()), (&items[index], resolved[index].clone()));
            (resolved[of], resolved[index]) = self.alike(&expr.span, pair.0, pair.1)?;
        }
        let ty = resolved[of].ty.clone();
        Some(Typed::new(StaticType::List(Box::new(ty)), Node::List(resolved)))
    }
}
