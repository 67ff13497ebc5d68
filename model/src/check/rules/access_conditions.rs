//! Conditions of roles, access and views, and those with names: each is resolved against the model, and stands where it
//! can be held.

use crate::check::FaultCode::{AsyncCondition, BadRole, UnknownRole, WhereWrites};
use crate::check::place::Place;
use crate::check::{Checked, Fault, Kind, suggestion};
use crate::condition::{Condition, Scope};
use crate::field::{Field, Type};
use crate::names;
use crate::resource::{Access, Operation, Resource};
use std::collections::BTreeMap;

/// All conditions of a service.
pub(super) fn service(candidate: &Checked, faults: &mut Vec<Fault>) {
    roles(candidate, faults);
    named(candidate, None, &candidate.conditions, &Place::Service, faults);
    for resource in &candidate.resources {
        let definition = Place::Definition(&resource.name);
        named(candidate, Some(resource), &resource.conditions, &definition, faults);
        access(candidate, resource, &resource.visible, &definition.key("visible"), faults);
        let fields = definition.key("fields");
        for field in &resource.fields {
            let at = fields.key(&field.name);
            access(candidate, resource, &field.visible, &at.key("visible"), faults);
            access(candidate, resource, &field.writable, &at.key("writable"), faults);
        }
        operations(candidate, resource, &resource.operations, &definition.key("operations"), faults);
        for view in &resource.views {
            let views = definition.key("views");
            let at = views.key(&view.name);
            operations(candidate, resource, &view.operations, &at.key("operations"), faults);
            if let Some(condition) = &view.filter {
                check(candidate, Some(resource), condition, &at.key("where"), faults);
                only_reads(&view.operations, &at.key("operations"), faults);
            }
        }
        for command in &resource.commands {
            let commands = definition.key("commands");
            let at = commands.key(&command.name);
            access(candidate, resource, &command.access, &at.key("access"), faults);
        }
    }
}

fn roles(candidate: &Checked, faults: &mut Vec<Fault>) {
    let at = Place::Service;
    let at = at.key("roles");
    for (name, condition) in &candidate.roles {
        let place = at.key(name);
        if Access::WORDS.contains(&name.as_str()) {
            let fault = place.name_fault(BadRole, format!("`{name}` is a word of the language"));
            faults.push(fault.help("choose another name for the role"));
        } else if !names::is_camel(name) {
            let fault = place.name_fault(BadRole, format!("`{name}` is not in camelCase"));
            faults.push(fault.help(format!("write `{}`", names::camel(name))));
        }
        check(candidate, None, condition, &place, faults);
    }
}

/// The conditions that a document names.
fn named(
    candidate: &Checked,
    entity: Option<&Resource>,
    conditions: &BTreeMap<String, Condition>,
    at: &Place<'_>,
    faults: &mut Vec<Fault>,
) {
    let at = at.key("conditions");
    for (name, condition) in conditions {
        check(candidate, entity, condition, &at.key(name), faults);
    }
}

fn operations(
    candidate: &Checked,
    resource: &Resource,
    operations: &[Operation],
    at: &Place<'_>,
    faults: &mut Vec<Fault>,
) {
    for operation in operations {
        let at = at.key(operation.kind.word());
        access(candidate, resource, &operation.access, &at.key("access"), faults);
        let position = operation.access.iter().position(|access| access.condition().is_some());
        if let Some(position) = position.filter(|_| operation.is_async) {
            let message = "an asynchronous operation is done later, when the condition may hold no longer";
            let fault = at.key("access").index(position).fault(AsyncCondition, message);
            faults.push(fault.help("remove `async`, or the condition"));
        }
    }
}

/// Asynchronous operations of what not every caller sees, or may change. Objects must not contain themselves.
pub(super) fn asynchronous(candidate: &Checked, faults: &mut Vec<Fault>) {
    for resource in candidate.resources.iter().filter(|resource| shows_some(candidate, resource)) {
        let definition = Place::Definition(&resource.name);
        let mut check = |operations: &[Operation], at: &Place<'_>| {
            let at = at.key("operations");
            for operation in operations.iter().filter(|operation| operation.is_async) {
                let message = "an asynchronous operation is done later, when its caller may see something else";
                let fault = at.key(operation.kind.word()).key("async").fault(AsyncCondition, message);
                let help =
                    "remove `async`, or `visible` and `writable` of this resource and `visible` of those that it shows";
                faults.push(fault.help(help));
            }
        };
        check(&resource.operations, &definition);
        for view in &resource.views {
            check(&view.operations, &definition.key("views").key(&view.name));
        }
    }
}

/// Whether not every caller sees the same of an entity, and may change the same: it is hidden from some, a part of it
/// is, or it refers to one of which that is so.
fn shows_some(candidate: &Checked, resource: &Resource) -> bool {
    let shows = |ty: &Type| match ty {
        Type::Ref { to, show, .. } => {
            let is_hidden = |it: &Resource| it.is_restricted() || it.fields.iter().any(Field::is_hidden);
            !show.is_empty() && candidate.resource(to).is_some_and(is_hidden)
        }
        _ => false,
    };
    let is_guarded = resource.is_restricted() || resource.fields.iter().any(Field::is_guarded);
    is_guarded || any_type(candidate, &resource.fields, &shows)
}

/// Whether a type of these fields, or of those inside, is one of some kind.
fn any_type(candidate: &Checked, fields: &[Field], is_one: &dyn Fn(&Type) -> bool) -> bool {
    fields.iter().any(|field| match candidate.kind(field.ty.element()) {
        // the depth of objects in objects is bounded: a ring is a fault of its own
        Kind::Object(object) => any_type(candidate, &object.fields, is_one),
        _ => is_one(field.ty.element()),
    })
}

fn access(candidate: &Checked, resource: &Resource, access: &[Access], at: &Place<'_>, faults: &mut Vec<Fault>) {
    for (position, access) in access.iter().enumerate() {
        let at = at.index(position);
        match access {
            Access::Role(role) if !candidate.roles.contains_key(role) => {
                let named = [&candidate.roles, &candidate.conditions, &resource.conditions];
                let named = named.into_iter().flat_map(BTreeMap::keys).map(String::as_str);
                let known: Vec<_> = named.chain(Access::WORDS).collect();
                let message = format!("`{role}` is not an access, and there is no such role or condition");
                let fault = at.fault(UnknownRole, message);
                let cure = "write `anyone`, `user`, `owner` or `scope:<name>`, or add it to `roles` in the service \
                            document, or to `conditions` here or there";
                let meant = names::nearest(role, known.iter().copied()).and_then(|_| suggestion(role, known));
                faults.push(fault.help(meant.unwrap_or_else(|| cure.to_owned())));
            }
            Access::When(condition) => check(candidate, Some(resource), condition, &at.key("when"), faults),
            // the text of a named condition is checked where it is written
            Access::Named(_) => {}
            Access::Anyone | Access::User | Access::Owner | Access::Scope(_) | Access::Role(_) => {}
        }
    }
}

/// The place of the condition of an access: below `when`, or where its name is.
pub(super) fn condition_place<'a>(access: &Access, at: &'a Place<'a>) -> Place<'a> {
    match access {
        Access::When(_) => at.key("when"),
        _ => *at,
    }
}

/// What a view does not show cannot be changed there.
fn only_reads(operations: &[Operation], at: &Place<'_>, faults: &mut Vec<Fault>) {
    for operation in operations.iter().filter(|operation| operation.kind.is_write()) {
        let word = operation.kind.word();
        let message = format!("a view with `where` reads only, and `{word}` writes");
        let fault = at.key(word).name_fault(WhereWrites, message);
        faults.push(fault.help("write the operation of the resource itself"));
    }
}

fn check(
    candidate: &Checked,
    entity: Option<&Resource>,
    condition: &Condition,
    at: &Place<'_>,
    faults: &mut Vec<Fault>,
) {
    let scope = Scope { service: candidate, entity, old: false };
    if let Err(mistakes) = condition.typed(&scope) {
        faults.extend(mistakes.into_iter().map(|mistake| Fault::of_condition(at.path(), mistake)));
    }
}
