//! Users that are found by the subjects of tokens: `users: { resource, subject, provision }`.

use crate::check::Fault;
use crate::check::FaultCode::{BadProvision, BadSubject, UnknownField, WritableSubject};
use crate::check::index::{DefinitionIndex, suggestion};
use crate::check::place::Place;
use crate::field::{Field, Type, Uniqueness};
use crate::resource::{Access, Operation, OperationKind, Resource};
use crate::service::UserSubjects;

/// What `users` says of subjects.
pub(super) fn subjects(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    let service = index.service;
    let users = service.users.as_deref().and_then(|users| index.resource(users));
    let Some((subjects, users)) = service.user_subjects.as_ref().zip(users) else { return };
    subject(subjects, users, faults);
    provision(subjects, users, faults);
}

fn subject(subjects: &UserSubjects, users: &Resource, faults: &mut Vec<Fault>) {
    let (root, name) = (Place::Service, &subjects.subject);
    let key = root.key("users");
    let at = key.key("subject");
    let Some(field) = users.field(name) else {
        faults.push(unknown(users, name, &at));
        return;
    };
    let is_plain = matches!(field.ty, Type::String { .. }) && !field.write_only;
    if !is_plain || field.unique != Uniqueness::Exact {
        let message = format!("`{name}` must be a string with `unique: true`, which is not `writeOnly`");
        faults.push(
            at.fault(BadSubject, message)
                .help(format!("write `{name}: {{ type: string, unique: true, readOnly: true }}`")),
        );
    } else if is_writable(users, field) {
        let definition = Place::Definition(&users.name);
        let fields = definition.key("fields");
        let message = format!("clients can set `{name}`, by which the user of a token is found");
        let fault = fields.key(name).name_fault(WritableSubject, message);
        faults.push(fault.help("add `readOnly: true`, or open these operations to a scope only"));
    }
}

/// Whether callers without a scope can set a field.
fn is_writable(users: &Resource, field: &Field) -> bool {
    let is_for_everybody = |access: &Access| !matches!(access, Access::Scope(_));
    let sets = |operation: &Operation| match operation.kind {
        OperationKind::Create => true,
        OperationKind::Update | OperationKind::Patch => !field.immutable,
        OperationKind::List | OperationKind::Get | OperationKind::Delete => false,
    };
    let all = users.operations.iter().chain(users.views.iter().flat_map(|view| &view.operations));
    !field.read_only && all.filter(|operation| sets(operation)).any(|it| it.access.iter().any(is_for_everybody))
}

fn provision(subjects: &UserSubjects, users: &Resource, faults: &mut Vec<Fault>) {
    let Some(provision) = &subjects.provision else { return };
    let root = Place::Service;
    let key = root.key("users");
    let at = key.key("provision");
    for (name, claim) in provision {
        let here = at.key(name);
        match users.field(name) {
            None => faults.push(unknown(users, name, &here)),
            Some(field) if *name == subjects.subject || !is_claim(&field.ty) || field.secret.is_some() => {
                let message = format!("`{name}` cannot be made of a claim");
                faults.push(here.fault(BadProvision, message).help(match *name == subjects.subject {
                    true => "remove it: the subject is set in any case",
                    false => "name a field that is a text, a number or a boolean",
                }));
            }
            Some(_) if claim.trim().is_empty() => {
                let fault = here.fault(BadProvision, format!("the claim of `{name}` has no name"));
                faults.push(fault.help("write the name of a claim, such as `email`"));
            }
            Some(_) => {}
        }
    }
    let is_given =
        |field: &Field| field.name == subjects.subject || provision.contains_key(&field.name) || users.fills(field);
    for field in users.fields.iter().filter(|field| field.required && field.default.is_none() && !is_given(field)) {
        let name = &field.name;
        let fault = at.fault(BadProvision, format!("`{name}` is required, and has no claim"));
        faults.push(fault.help(format!("add `{name}:` with a claim, or give the field a default")));
    }
}

/// Whether a claim can have values of a type: one value, and in JSON not an object.
fn is_claim(ty: &Type) -> bool {
    !matches!(ty, Type::Ref { .. } | Type::Price { .. } | Type::Array { .. } | Type::Named { .. }) && !ty.is_free()
}

fn unknown(users: &Resource, name: &str, at: &Place<'_>) -> Fault {
    let mut fault = at.fault(UnknownField, format!("`{}` has no field `{name}`", users.name));
    fault.help = suggestion(name, users.fields.iter().map(|field| field.name.as_str()));
    fault
}
