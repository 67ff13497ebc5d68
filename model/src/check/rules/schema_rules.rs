//! Rules of a resource: the codes and the places of their errors.

use crate::ErrorCode;
use crate::check::Fault;
use crate::check::FaultCode::{BadRuleCode, UnknownField};
use crate::check::index::{DefinitionIndex, field_names, suggestion, unknown_field};
use crate::check::place::Place;
use crate::field::Type;
use crate::names;
use crate::resource::{Resource, Rule};

/// Codes that clients can tell from those of the conventions.
pub(super) fn codes(resource: &Resource, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&resource.name);
    let rules = definition.key("rules");
    for (position, rule) in resource.rules.iter().enumerate() {
        let at = rules.index(position);
        let at = at.key("code");
        if !names::is_pascal(&rule.code) {
            let message = format!("the code `{}` is not in PascalCase", rule.code);
            faults.push(at.fault(BadRuleCode, message).help(format!("write `{}`", names::pascal(&rule.code))));
        } else if ErrorCode::ALL.iter().any(|code| code.name() == rule.code) {
            let message = format!("`{}` is an error of the conventions, with a meaning of its own", rule.code);
            faults.push(at.fault(BadRuleCode, message).help("choose a code that says what this rule is about"));
        }
    }
}

/// `path`: a field, or a part of one.
pub(super) fn paths(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    for resource in &index.service.resources {
        let definition = Place::Definition(&resource.name);
        let rules = definition.key("rules");
        for (position, rule) in resource.rules.iter().enumerate() {
            let at = rules.index(position);
            faults.extend(unknown_path(index, resource, rule, &at.key("path")));
        }
    }
}

fn unknown_path(index: &DefinitionIndex<'_>, resource: &Resource, rule: &Rule, at: &Place<'_>) -> Option<Fault> {
    let mut words = rule.path.as_deref()?.split('.');
    let first = words.next()?;
    let Some(field) = resource.field(first) else { return Some(unknown_field(resource, first, at)) };
    let mut ty = &field.ty;
    for word in words {
        let (known, next): (Vec<&str>, _) = match ty {
            Type::Price { .. } => (vec!["amount", "currency"], None),
            Type::Ref { .. } => (vec!["id"], None),
            ty => {
                let object = index.object(ty);
                let fields = object.map(|object| object.fields.as_slice()).unwrap_or_default();
                (field_names(fields).collect(), fields.iter().find(|field| field.name == word))
            }
        };
        if !known.contains(&word) {
            let mut fault = at.fault(UnknownField, format!("`{first}` has no field `{word}`"));
            fault.help = suggestion(word, known).or_else(|| Some(format!("write `path: {first}`")));
            return Some(fault);
        }
        match next {
            Some(field) => ty = &field.ty,
            None => return None,
        }
    }
    None
}
