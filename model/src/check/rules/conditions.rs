//! Conditions of rules, fields and lifecycles: each is resolved against the model.

use crate::check::FaultCode::{ComputedField, RevealingField};
use crate::check::place::Place;
use crate::check::{Checked, Fault, ModelPath};
use crate::condition::{self, Condition, Mistake, MistakeCode, Reads, Scope, StaticType, Typed};
use crate::field::{Field, Type};
use crate::resource::Resource;

/// All conditions of a service.
pub(super) fn service(candidate: &Checked, faults: &mut Vec<Fault>) {
    for resource in &candidate.resources {
        let of = ConditionsOf { service: candidate, resource };
        let definition = Place::Definition(&resource.name);
        of.rules(&definition.key("rules"), faults);
        of.lifecycle(&definition.key("lifecycle"), faults);
        let fields = definition.key("fields");
        for field in &resource.fields {
            of.field(field, &fields.key(&field.name), faults);
        }
    }
}

/// The mistakes in the conditions of resources that do not depend on the rest of the service, which is not there: texts
/// that are no expressions, names that no field has, and words where they mean nothing.
pub(super) fn alone(candidate: &Checked, faults: &mut Vec<Fault>) {
    for resource in &candidate.resources {
        let definition = ModelPath::definition(&resource.name);
        let scope = Scope { service: candidate, entity: Some(resource), old: true };
        let mut note = |condition: &Condition, is_truth: bool, at: ModelPath| {
            let mistakes = condition.typed(&scope).err().into_iter().flatten();
            let expr = condition::parse(condition.as_str());
            let truths = expr.map(|expr| expr.named_truths(is_truth)).unwrap_or_default();
            let is_certain = |mistake: &Mistake| match mistake.code {
                MistakeCode::Syntax | MistakeCode::Misplaced => true,
                // it may be a role or a condition of the service
                MistakeCode::UnknownName => !truths.contains(&mistake.span),
                _ => false,
            };
            faults.extend(mistakes.filter(is_certain).map(|mistake| Fault::of_condition(at.clone(), mistake)));
        };
        for (name, named) in &resource.conditions {
            note(named, true, definition.key("conditions").key(name));
        }
        for (position, rule) in resource.rules.iter().enumerate() {
            note(&rule.check, true, definition.key("rules").index(position).key("check"));
        }
        for transition in resource.lifecycle.iter().flat_map(|lifecycle| &lifecycle.transitions) {
            let at = definition.key("lifecycle").key("transitions").key(&transition.name);
            transition.when.iter().for_each(|when| note(when, true, at.key("when")));
        }
        for field in &resource.fields {
            let at = definition.key("fields").key(&field.name);
            field.required_when.iter().for_each(|when| note(when, true, at.key("required").key("when")));
            let is_truth = matches!(field.ty, Type::Boolean);
            field.default_is.iter().for_each(|value| note(value, is_truth, at.key("default").key("is")));
            field.computed.iter().for_each(|value| note(value, is_truth, at.key("is")));
        }
    }
}

/// The conditions of a resource.
struct ConditionsOf<'a> {
    service: &'a Checked,
    resource: &'a Resource,
}

impl ConditionsOf<'_> {
    fn scope(&self, old: bool) -> Scope<'_> {
        Scope { service: self.service, entity: Some(self.resource), old }
    }

    fn rules(&self, at: &Place<'_>, faults: &mut Vec<Fault>) {
        for (position, rule) in self.resource.rules.iter().enumerate() {
            let at = at.index(position);
            note(rule.check.typed(&self.scope(true)), &at.key("check"), faults);
        }
    }

    fn field(&self, field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
        if let Some(when) = &field.required_when {
            let at = at.key("required");
            note(when.typed(&self.scope(true)), &at.key("when"), faults);
        }
        if let Some(value) = &field.default_is {
            let at = at.key("default");
            self.value(value, field, &at.key("is"), faults);
        }
        if let Some(value) = &field.computed {
            self.computed(value, field, &at.key("is"), faults);
        }
    }

    /// A computed field: everyone who reads the entity sees the same value.
    fn computed(&self, value: &Condition, field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
        let Some(ty) = condition::static_type(self.service, &field.ty) else { return };
        let typed = value_of(value, &self.scope(false), &ty);
        if typed.as_ref().is_ok_and(|typed| typed.reads().caller) {
            let message =
                format!("`{}` has one value for all callers: its expression cannot read the caller", field.name);
            faults.push(at.fault(ComputedField, message).help("read fields of the entity, other entities and `now`"));
        }
        let shown = typed.as_ref().ok().and_then(|typed| self.revealed(&typed.reads(), field));
        if let Some((shown, help)) = shown {
            let message = format!("`{}` would show `{shown}`, which not every caller sees", field.name);
            faults.push(at.fault(RevealingField, message).help(help));
        }
        note(typed, at, faults);
    }

    /// What a computed field would show to callers who do not see it, and the cure.
    fn revealed(&self, reads: &Reads, field: &Field) -> Option<(String, String)> {
        let first = |path: &str| path.split('.').next().unwrap_or_default().to_owned();
        for name in reads.fields.iter().map(|path| first(path)) {
            let Some(read) = self.resource.field(&name).filter(|read| read.is_hidden()) else { continue };
            if read.visible != field.visible {
                return Some((name, "give the computed field the same `visible`".to_owned()));
            }
        }
        for (resource, path) in &reads.followed {
            let Some(other) = self.service.resource(resource) else { continue };
            let is_hidden = other.field(&first(path)).is_some_and(Field::is_hidden);
            if is_hidden || other.is_restricted() {
                let help = "read fields that every caller sees, of entities that every caller sees".to_owned();
                return Some((format!("{resource}.{path}"), help));
            }
        }
        None
    }

    fn lifecycle(&self, at: &Place<'_>, faults: &mut Vec<Fault>) {
        let Some(lifecycle) = &self.resource.lifecycle else { return };
        let transitions = at.key("transitions");
        for transition in &lifecycle.transitions {
            let at = transitions.key(&transition.name);
            if let Some(when) = &transition.when {
                note(when.typed(&self.scope(false)), &at.key("when"), faults);
            }
            let set = at.key("set");
            for (name, value) in &transition.set {
                if let Some(field) = self.resource.field(name) {
                    self.value(value, field, &set.key(name), faults);
                }
            }
        }
    }

    /// An expression that gives the value of a field.
    fn value(&self, value: &Condition, field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
        // a field of an unknown type is reported as such
        let Some(ty) = condition::static_type(self.service, &field.ty) else { return };
        note(value_of(value, &self.scope(false), &ty), at, faults);
    }
}

fn value_of(value: &Condition, scope: &Scope<'_>, ty: &StaticType) -> Result<Typed, Vec<Mistake>> {
    let expr = condition::parse(value.as_str()).map_err(|mistake| vec![mistake])?;
    condition::check_value(&expr, scope, ty)
}

/// Reports the mistakes of a condition, each with its place in the text.
fn note(resolved: Result<Typed, Vec<Mistake>>, at: &Place<'_>, faults: &mut Vec<Fault>) {
    for mistake in resolved.err().into_iter().flatten() {
        faults.push(Fault::of_condition(at.path(), mistake));
    }
}
