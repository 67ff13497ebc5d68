//! Computed fields (`is`), roles and named conditions that a condition reads by their names: the expression takes the
//! place of the name.

use super::{Frame, Resolver, Scope, size, static_type};
use crate::condition::expr::Operator;
use crate::condition::mistake::{Mistake, MistakeCode};
use crate::condition::typed::{Node, Nulls, StaticType, Typed};
use crate::condition::{Condition, MAX_CONDITION_NODES, parse};
use crate::field::Field;
use crate::resource::Resource;
use crate::value::Value;
use std::ops::Range;

/// Computed fields and named conditions that read each other, and roles that these read.
const MAX_INLINED_DEPTH: usize = 8;

/// The names around a part whose expressions take their places, and how large these are.
#[derive(Debug, Default)]
pub(super) struct Inlined {
    /// The fields, roles and conditions whose expressions are being resolved: `Offer.total`, `moderator`.
    open: Vec<String>,
    /// The parts of all expressions so far.
    nodes: usize,
    /// Why an expression cannot be inlined, where that is not a fault of its own.
    failure: Option<(MistakeCode, String)>,
}

/// A computed field of this name, with its expression.
pub(super) fn computed_field<'a>(resource: &'a Resource, name: &str) -> Option<(&'a Field, &'a Condition)> {
    let field = resource.field(name)?;
    Some((field, field.computed.as_ref()?))
}

impl<'a> Resolver<'a> {
    /// The expression of a computed field of the entity.
    pub(super) fn inline(
        &mut self,
        span: &Range<usize>,
        resource: &'a Resource,
        field: &Field,
        value: &Condition,
    ) -> Option<Typed> {
        let ty = static_type(self.scope.service, &field.ty)?;
        let name = format!("{}.{}", resource.name, field.name);
        self.opened(span, &name, ("computed fields", format!("`{}` is computed from itself", field.name)))?;
        self.within(span, name, Some(resource), value, &ty)
    }

    /// The named condition of the document that the condition stands in, or of the service, that a name stands for.
    /// Inside `any` and `count`, the names of the document are not known: they are about the entity outside.
    pub(super) fn named_condition(&mut self, span: &Range<usize>, name: &str) -> Option<Option<Typed>> {
        let service = self.scope.service;
        if let Some(condition) = service.conditions.get(name) {
            return Some(self.inline_condition(span, name.to_owned(), None, condition));
        }
        let resource = self.scope.entity?;
        let condition = resource.conditions.get(name)?;
        if self.frames.len() > self.home + 1 {
            let message =
                format!("`{name}` is a condition on `{}`, and is not known in `any` and `count`", resource.name);
            return Some(self.mistake(Mistake::new(span, MistakeCode::Misplaced, message)));
        }
        Some(self.inline_condition(span, format!("{}.{name}", resource.name), Some(resource), condition))
    }

    fn inline_condition(
        &mut self,
        span: &Range<usize>,
        name: String,
        resource: Option<&'a Resource>,
        condition: &Condition,
    ) -> Option<Typed> {
        let own = name.rsplit('.').next().unwrap_or_default();
        self.opened(span, &name, ("conditions", format!("`{own}` reads itself")))?;
        self.within(span, name, resource, condition, &StaticType::Boolean).map(two_valued)
    }

    /// Whether the expression of a name can take its place: if it is not around this part already, or too deep.
    fn opened(&mut self, span: &Range<usize>, name: &String, (what, repeats): (&str, String)) -> Option<()> {
        // reported already: each further name could cost as much again
        if self.inlined.failure.is_some() {
            return None;
        }
        if self.inlined.open.contains(name) {
            self.cannot_inline(span, (MistakeCode::Misplaced, repeats))?;
        }
        if self.inlined.open.len() == MAX_INLINED_DEPTH {
            let message = format!("{what} read each other more than {MAX_INLINED_DEPTH} deep");
            self.cannot_inline(span, (MistakeCode::TooLarge, message))?;
        }
        Some(())
    }

    /// The condition of a role of this name, where it is no field: it is held by callers alone.
    pub(super) fn role(&mut self, span: &Range<usize>, name: &str) -> Option<Typed> {
        let condition = self.scope.service.roles.get(name)?;
        if self.inlined.failure.is_some() {
            return None;
        }
        let held = self.within(span, name.to_owned(), None, condition, &StaticType::Boolean)?;
        let users = self.scope.service.users.clone();
        let ty = users.map_or(StaticType::Uuid, StaticType::Reference);
        let (caller, nobody) = (Typed::new(ty.clone(), Node::Caller), Typed::constant(ty, Value::Null));
        let is_known = Node::Compare(Operator::NotEqual, caller.into(), nobody.into(), Nulls::Equal);
        let is_known = Typed::new(StaticType::Boolean, is_known);
        Some(Typed::new(StaticType::Boolean, Node::And(is_known.into(), held.into())))
    }

    /// An expression with a name, over an entity of this resource or the caller alone.
    fn within(
        &mut self,
        span: &Range<usize>,
        name: String,
        resource: Option<&'a Resource>,
        value: &Condition,
        ty: &StaticType,
    ) -> Option<Typed> {
        // a variable of the expression gets a number that none around it has; its names are not known in it
        let variables = self.frame().variables.iter().map(|(_, ty)| (String::new(), ty.clone())).collect();
        let mut inlined = std::mem::take(&mut self.inlined);
        inlined.open.push(name);
        let mut within = Resolver {
            scope: Scope { entity: resource, old: false, ..self.scope },
            frames: self.frames.iter().map(|frame| Frame { resource: frame.resource, variables: Vec::new() }).collect(),
            home: self.frames.len() - 1,
            mistakes: Vec::new(),
            inlined,
        };
        within.frames[within.home] = Frame { resource, variables };
        let typed = within.value(value, ty);
        self.inlined = within.inlined;
        self.inlined.open.pop();
        if let Some(failure) = self.inlined.failure.clone() {
            return self.cannot_inline(span, failure);
        }
        // its other mistakes are reported where it is written
        let typed = typed.filter(|_| within.mistakes.is_empty())?;
        self.inlined.nodes += size(&typed);
        if self.inlined.nodes > MAX_CONDITION_NODES {
            let message = format!(
                "with the computed fields, roles and conditions that it reads it has more than \
                 {MAX_CONDITION_NODES} parts"
            );
            return self.cannot_inline(span, (MistakeCode::TooLarge, message));
        }
        Some(Typed { ty: ty.clone(), ..typed })
    }

    /// A computed field of another entity, or of the entity before the change.
    pub(super) fn computed_elsewhere(&mut self, span: &Range<usize>, name: &str) -> Option<Typed> {
        let message = format!("`{name}` is computed, and can be read of the entity itself only");
        let help = "read the fields that it is computed from";
        self.mistake(Mistake::new(span, MistakeCode::Misplaced, message).help(help))
    }

    fn value(&mut self, value: &Condition, ty: &StaticType) -> Option<Typed> {
        let expr = match parse(value.as_str()) {
            Ok(expr) => expr,
            Err(mistake) => return self.mistake(mistake),
        };
        let typed = self.resolve(&expr)?;
        self.fitting(&expr, typed, ty)
    }

    /// Reports that an expression cannot be inlined, at the outermost name that needs it.
    fn cannot_inline(&mut self, span: &Range<usize>, failure: (MistakeCode, String)) -> Option<Typed> {
        self.inlined.failure = Some(failure.clone());
        let (code, message) = failure;
        self.mistake(Mistake::new(span, code, message))
    }
}

/// A condition that holds or does not: where the text is a value that may be null, it holds for true alone.
fn two_valued(typed: Typed) -> Typed {
    let node = match typed.node {
        Node::Choose(condition, yes, no) => Node::Choose(condition, two_valued(*yes).into(), two_valued(*no).into()),
        node => {
            let typed = Typed { ty: typed.ty, node };
            if typed.is_two_valued() {
                return typed;
            }
            let nulls = if typed.may_be_unsaid() { Nulls::Unequal } else { Nulls::Equal };
            Node::Compare(Operator::Equal, typed.into(), Typed::flag(true).into(), nulls)
        }
    };
    Typed::new(StaticType::Boolean, node)
}
