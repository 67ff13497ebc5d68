//! Conditions with the named conditions that they read written out, in their canonical form: two of them that say the
//! same are one text, whatever their names are. Nothing evaluates such a text; models are compared by it.

use super::expr::{Expr, ExprKind};
use super::{Condition, MAX_RESOLVED_NODES, parse};
use crate::resource::{Access, Resource};
use crate::service::Service;

/// A condition of a resource, or of the service alone, written out.
pub(crate) fn written_out(service: &Service, resource: Option<&Resource>, condition: &Condition) -> Condition {
    let Ok(expr) = parse(condition.as_str()) else { return condition.clone() };
    let mut writer = ConditionWriter { service, left: MAX_RESOLVED_NODES };
    Condition::new(writer.written(&expr, &KnownNames { resource, ..KnownNames::default() }).to_string())
}

/// A service without named conditions: each is written out where it is read.
pub(crate) fn without_names(service: &Service) -> Service {
    let mut plain = service.clone();
    plain.conditions.clear();
    for condition in plain.roles.values_mut() {
        *condition = written_out(service, None, condition);
    }
    for (plain, resource) in plain.resources.iter_mut().zip(&service.resources) {
        let write = |condition: &mut Condition| *condition = written_out(service, Some(resource), condition);
        plain.conditions.clear();
        plain.each_access_list(|list| {
            for access in list {
                if let Some(condition) = access.condition() {
                    *access = Access::When(written_out(service, Some(resource), condition));
                }
            }
        });
        plain.views.iter_mut().filter_map(|view| view.filter.as_mut()).for_each(write);
        plain.rules.iter_mut().for_each(|rule| write(&mut rule.check));
        for transition in plain.lifecycle.iter_mut().flat_map(|lifecycle| &mut lifecycle.transitions) {
            transition.when.iter_mut().chain(transition.set.values_mut()).for_each(write);
        }
        for field in &mut plain.fields {
            let all = [&mut field.required_when, &mut field.default_is, &mut field.computed];
            all.into_iter().flatten().for_each(write);
        }
    }
    plain
}

/// Which names stand for conditions.
#[derive(Clone, Copy, Default)]
struct KnownNames<'a> {
    /// The resource whose own are known.
    resource: Option<&'a Resource>,
    /// Those of the items of lists, which go first.
    items: &'a [&'a str],
}

struct ConditionWriter<'a> {
    service: &'a Service,
    /// How many parts it may still write: what is checked has fewer, and no ring.
    left: usize,
}

impl ConditionWriter<'_> {
    fn written(&mut self, expr: &Expr, names: &KnownNames<'_>) -> Expr {
        self.left = self.left.saturating_sub(1);
        let mut part = |expr: &Expr| self.written(expr, names).into();
        let kind = match &expr.kind {
            ExprKind::Name(name) => return self.name(expr, name, names),
            ExprKind::List(items) => ExprKind::List(items.iter().map(|item| self.written(item, names)).collect()),
            ExprKind::Member(inner, name) => ExprKind::Member(part(inner), name.clone()),
            ExprKind::Not(inner) => ExprKind::Not(part(inner)),
            ExprKind::Negate(inner) => ExprKind::Negate(part(inner)),
            ExprKind::Binary(operator, one, other) => ExprKind::Binary(*operator, part(one), part(other)),
            ExprKind::Choose(condition, yes, no) => ExprKind::Choose(part(condition), part(yes), part(no)),
            ExprKind::Call { receiver, function, name_span, arguments } => ExprKind::Call {
                receiver: receiver.as_ref().map(|receiver| part(receiver)),
                function: function.clone(),
                name_span: name_span.clone(),
                arguments: self.arguments(function, arguments, names),
            },
            ExprKind::Null
            | ExprKind::Boolean(_)
            | ExprKind::Integer(_)
            | ExprKind::Decimal { .. }
            | ExprKind::Text(_) => expr.kind.clone(),
        };
        Expr { span: expr.span.clone(), kind }
    }

    /// The condition that a name stands for, or the name.
    fn name(&mut self, expr: &Expr, name: &str, names: &KnownNames<'_>) -> Expr {
        let own = || names.resource.and_then(|resource| resource.conditions.get(name));
        let (condition, resource) = match (self.service.conditions.get(name), own()) {
            _ if self.left == 0 || names.items.contains(&name) => return expr.clone(),
            (Some(condition), _) => (condition, None),
            (None, Some(condition)) => (condition, names.resource),
            (None, None) => return expr.clone(),
        };
        match parse(condition.as_str()) {
            Ok(condition) => self.written(&condition, &KnownNames { resource, ..KnownNames::default() }),
            Err(_) => expr.clone(),
        }
    }

    /// What a function is about knows other names than what is around it.
    fn arguments(&mut self, function: &str, arguments: &[Expr], names: &KnownNames<'_>) -> Vec<Expr> {
        match (function, arguments) {
            ("any" | "count", [of, condition]) => {
                vec![of.clone(), self.written(condition, &KnownNames { resource: None, ..KnownNames::default() })]
            }
            ("exists" | "all", [Expr { kind: ExprKind::Name(item), .. }, body]) => {
                let items: Vec<&str> = names.items.iter().copied().chain([item.as_str()]).collect();
                vec![arguments[0].clone(), self.written(body, &KnownNames { items: &items, ..*names })]
            }
            _ => arguments.iter().map(|argument| self.written(argument, names)).collect(),
        }
    }
}
