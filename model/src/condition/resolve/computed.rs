//! Computed fields (`is`) and roles that a condition reads by their names: the expression takes the place of the name.

use super::{Frame, Resolver, Scope, size, static_type};
use crate::condition::expr::Operator;
use crate::condition::mistake::{Mistake, MistakeCode};
use crate::condition::typed::{Node, Nulls, StaticType, Typed};
use crate::condition::{Condition, MAX_CONDITION_NODES, parse};
use crate::field::Field;
use crate::resource::Resource;
use crate::value::Value;
use std::ops::Range;

/// Computed fields that read each other, and roles that these read.
const MAX_COMPUTED_DEPTH: usize = 8;

/// The computed fields around a part, and how large their expressions are.
#[derive(Debug, Default)]
pub(super) struct Inlined {
    /// The fields and roles whose expressions are being resolved: `Offer.total`, `moderator`.
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
        // reported already: each further name could cost as much again
        if self.inlined.failure.is_some() {
            return None;
        }
        if self.inlined.open.len() == MAX_COMPUTED_DEPTH {
            let message = format!("computed fields read each other more than {MAX_COMPUTED_DEPTH} deep");
            return self.cannot_inline(span, (MistakeCode::TooLarge, message));
        }
        let name = format!("{}.{}", resource.name, field.name);
        if self.inlined.open.contains(&name) {
            let message = format!("`{}` is computed from itself", field.name);
            return self.cannot_inline(span, (MistakeCode::Misplaced, message));
        }
        let ty = static_type(self.scope.service, &field.ty)?;
        self.within(span, name, Some(resource), value, &ty)
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
            mistakes: Vec::new(),
            inlined,
        };
        let last = within.frames.len() - 1;
        within.frames[last] = Frame { resource, variables };
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
                "with the computed fields and roles that it reads it has more than {MAX_CONDITION_NODES} parts"
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
