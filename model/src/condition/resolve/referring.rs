//! `any` and `count`: what refers to an entity. It is the one that the condition is on, or one that a reference leads
//! to.

use super::{Frame, Resolver};
use crate::check::suggestion;
use crate::condition::expr::{Expr, ExprKind};
use crate::condition::mistake::{Mistake, MistakeCode};
use crate::condition::typed::{FieldBase, FieldPath, Node, StaticType, Typed};
use crate::field::Type;
use crate::resource::Resource;
use std::ops::Range;

/// How deep `any` and `count` can stand within each other.
const MAX_REFERRING_DEPTH: usize = 2;

impl<'a> Resolver<'a> {
    /// `any(Watch.offer, …)`, `count(Watch.offer)`; `to`: `caller.any(Membership.user, …)`.
    pub(super) fn referring(
        &mut self,
        span: &Range<usize>,
        to: Option<&Expr>,
        function: &str,
        arguments: &[Expr],
    ) -> Option<Typed> {
        let (of, condition) = match arguments {
            [of] => (of, None),
            [of, condition] => (of, Some(condition)),
            _ => return self.wrong(span, takes(function)),
        };
        let (to, entity) = match to {
            Some(to) => self.referred(to, function)?,
            None => (self.itself(span, function)?, self.frame().resource?),
        };
        let (resource, field) = self.reference(of, function, entity)?;
        if self.frames.len() > MAX_REFERRING_DEPTH {
            let message = format!("`any` and `count` stand more than {MAX_REFERRING_DEPTH} deep within each other");
            return self.mistake(Mistake::new(span, MistakeCode::TooLarge, message));
        }
        let condition = match condition {
            Some(condition) => {
                self.frames.push(Frame { resource: Some(resource), variables: Vec::new() });
                let typed = self.condition(condition);
                self.frames.pop();
                Some(typed?.into())
            }
            None => None,
        };
        let counts = function == "count";
        // one that meets it is enough
        let limit = (!counts).then_some(1);
        let ty = if counts { StaticType::Integer } else { StaticType::Boolean };
        let node = Node::Referring { to: to.into(), resource: resource.name.clone(), field, condition, counts, limit };
        Some(Typed::new(ty, node))
    }

    /// The entity that the condition is on, as a reference.
    fn itself(&mut self, span: &Range<usize>, function: &str) -> Option<Typed> {
        let Some(entity) = self.frame().resource else {
            let message = format!("`{function}` is not known here: this is a condition on the caller alone");
            let mistake = Mistake::new(span, MistakeCode::Misplaced, message);
            return self.mistake(mistake.help(format!("write `caller.{function}(…)` for what refers to the caller")));
        };
        let ty = StaticType::Reference(entity.name.clone());
        Some(Typed::new(ty, Node::Field(FieldBase::This, FieldPath::common("id"))))
    }

    /// A path of references, and the resource that it leads to.
    fn referred(&mut self, to: &Expr, function: &str) -> Option<(Typed, &'a Resource)> {
        let typed = self.resolve(to)?;
        let found = match (&typed.ty, &typed.node) {
            (StaticType::Reference(name), Node::Caller | Node::Field(..) | Node::Follow(..)) => {
                self.scope.service.resource(name)
            }
            _ => None,
        };
        match found {
            Some(resource) => Some((typed, resource)),
            None => {
                let message = match (&typed.ty, &typed.node) {
                    (_, Node::Caller) => format!("`{function}` needs a resource of users, and the service names none"),
                    (StaticType::Reference(_), _) => format!("`{function}` needs a path of references"),
                    (ty, _) => format!("`{function}` needs a reference, this is {ty}"),
                };
                let mistake = Mistake::new(&to.span, MistakeCode::WrongType, message);
                let help = matches!(typed.ty, StaticType::List(_)).then(|| "write `list.exists(o, …)`".to_owned());
                self.mistakes.push(mistake.suggest(help));
                None
            }
        }
    }

    /// `Watch.offer`: a resource, and the field by which its entities refer to an entity.
    fn reference(&mut self, of: &Expr, function: &str, entity: &Resource) -> Option<(&'a Resource, FieldPath)> {
        let named = match &of.kind {
            ExprKind::Member(receiver, field) => match &receiver.kind {
                ExprKind::Name(name) => Some((receiver, name, field)),
                _ => None,
            },
            _ => None,
        };
        let Some((receiver, name, field)) = named else {
            self.wrong(&of.span, takes(function));
            return None;
        };
        let service = self.scope.service;
        let Some(resource) = service.resource(name) else {
            let known = service.resources.iter().map(|resource| resource.name.as_str());
            let help = suggestion(name, known);
            let mistake =
                Mistake::new(&receiver.span, MistakeCode::UnknownResource, format!("there is no resource `{name}`"));
            self.mistakes.push(mistake.suggest(help));
            return None;
        };
        let refers = |index: &usize| {
            let field = &resource.fields[*index];
            field.computed.is_none() && matches!(&field.ty, Type::Ref { to, .. } if *to == entity.name)
        };
        let position = resource.fields.iter().position(|candidate| candidate.name == *field);
        let Some(index) = position.filter(refers) else {
            let references = (0..resource.fields.len()).filter(refers);
            let help = suggestion(field, references.map(|index| resource.fields[index].name.as_str()));
            let message = format!("`{name}.{field}` is not a reference to `{}`", entity.name);
            self.mistakes.push(Mistake::new(&of.span, MistakeCode::UnknownResource, message).suggest(help));
            return None;
        };
        Some((resource, FieldPath { names: vec![field.clone()], indexes: vec![index] }))
    }
}

/// What the functions take.
fn takes(function: &str) -> String {
    format!("`{function}` takes a reference of another resource and a condition: `any(Watch.offer, user == caller)`")
}
