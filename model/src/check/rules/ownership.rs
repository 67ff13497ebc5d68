//! Ownership of entities: `users`, `owner`, `under`, and the access `owner`.

use crate::check::Fault;
use crate::check::FaultCode::{
    NoOwner, NoUsers, NotAReference, OwnerNotUser, RepeatedName, UnderClash, UnknownField, UnknownResource,
    WrongDefinition,
};
use crate::check::index::{Definition, DefinitionIndex, suggestion};
use crate::check::place::Place;
use crate::field::Type;
use crate::resource::{Access, Operation, Resource};
use std::collections::HashMap;

/// `owner` names a reference. (That `id` is for users only is checked with all resources there.)
pub(super) fn owner(resource: &Resource, faults: &mut Vec<Fault>) {
    if let Some(owner) = resource.owner_field() {
        let definition = Place::Definition(&resource.name);
        target(resource, owner, &definition.key("owner"), faults);
    }
}

/// `under` names references, each to a resource of its own.
pub(super) fn under(resource: &Resource, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&resource.name);
    let at = definition.key("under");
    let mut seen: HashMap<&str, (usize, &str)> = HashMap::new();
    for (position, name) in resource.under.iter().enumerate() {
        let here = at.index(position);
        let Some(to) = target(resource, name, &here, faults) else { continue };
        let Some((first, other)) = seen.insert(to, (position, name)) else { continue };
        let first = at.index(first).path();
        faults.push(if other == name {
            let fault = here.fault(RepeatedName, format!("`{name}` appears twice in this list"));
            fault.also(first, "it first appears here").help("remove one of them")
        } else {
            let message = format!("`{name}` and `{other}` both refer to `{to}`, so they would have the same path");
            let fault = here.fault(UnderClash, message).also(first, "the other one is here");
            fault.help(format!("remove one of them; clients can filter by `{name}` instead"))
        });
    }
}

/// The resource that a reference field leads to, by the field's name.
fn target<'a>(resource: &'a Resource, name: &str, at: &Place<'_>, faults: &mut Vec<Fault>) -> Option<&'a str> {
    match resource.field(name).map(|field| &field.ty) {
        Some(Type::Ref { to, .. }) => return Some(to),
        Some(other) => {
            let fault =
                at.fault(NotAReference, format!("`{name}` has type `{}`, but it must be a reference", other.word()));
            faults.push(fault.help("name a field with `type: ref`"));
        }
        None => {
            let mut fault = at.fault(UnknownField, format!("`{}` has no field `{name}`", resource.name));
            fault.help = suggestion(name, references(resource));
            faults.push(fault);
        }
    }
    None
}

fn references(resource: &Resource) -> impl Iterator<Item = &str> {
    let fields = resource.fields.iter().filter(|field| matches!(field.ty, Type::Ref { .. }));
    fields.map(|field| field.name.as_str())
}

/// What `users` has to do with it all.
pub(super) fn service(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    users(index, faults);
    super::identity::subjects(index, faults);
    for resource in &index.service.resources {
        owner_is_user(index, resource, faults);
        owner_access(index, resource, faults);
    }
}

fn users(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    let Some(users) = index.service.users.as_deref() else { return };
    let at = Place::Service.key("users").path();
    match index.get(users) {
        Some(Definition::Resource(_)) => {}
        Some(other) => {
            let message = format!("`{users}` is {}, but it must be a resource", other.word());
            faults.push(Fault::new(WrongDefinition, at, message).help("name the resource that describes the users"));
        }
        None => {
            let mut fault = Fault::new(UnknownResource, at, format!("the resource `{users}` does not exist"));
            fault.help = suggestion(users, index.service.resources.iter().map(|r| r.name.as_str()));
            faults.push(fault);
        }
    }
}

fn owner_is_user(index: &DefinitionIndex<'_>, resource: &Resource, faults: &mut Vec<Fault>) {
    let Some(owner) = &resource.owner else { return };
    if owner == Resource::OWNS_ITSELF {
        if !index.is_users(resource) {
            let definition = Place::Definition(&resource.name);
            let message =
                format!("`{}` is not the resource of the users, so its entities do not own themselves", resource.name);
            let fault = definition.key("owner").fault(OwnerNotUser, message);
            faults.push(fault.help(match (references(resource).next(), index.service.users.as_deref()) {
                (Some(field), Some(_)) => format!("name the field that refers to the owner, such as `{field}`"),
                _ => format!("write `users: {}` in the service document, or remove `owner`", resource.name),
            }));
        }
        return;
    }
    let Some(Type::Ref { to, .. }) = resource.field(owner).map(|field| &field.ty) else { return };
    let definition = Place::Definition(&resource.name);
    let at = definition.key("owner");
    match index.service.users.as_deref() {
        None => {
            let fault = at.fault(NoUsers, "`owner` needs `users` in the service document");
            faults.push(fault.help(format!("write `users: {to}` in the service document")));
        }
        Some(users) if users != to => {
            let message = format!("`{owner}` refers to `{to}`, but the users of the service are `{users}`");
            faults.push(at.fault(OwnerNotUser, message).help(format!("name a field that refers to `{users}`")));
        }
        Some(_) => {}
    }
}

/// `access: owner` needs an owner. A user owns itself.
fn owner_access(index: &DefinitionIndex<'_>, resource: &Resource, faults: &mut Vec<Fault>) {
    // `owner: id` elsewhere is a fault of its own
    if resource.owner.is_some() || index.is_users(resource) {
        return;
    }
    let definition = Place::Definition(&resource.name);
    let check = |access: &[Access], at: &Place<'_>, faults: &mut Vec<Fault>| {
        if let Some(position) = access.iter().position(|word| *word == Access::Owner) {
            let fault = at.index(position).fault(NoOwner, format!("`{}` has no owner", resource.name));
            faults.push(fault.help(match (index.service.users.as_deref(), references(resource).next()) {
                (Some(users), Some(_)) => format!("add `owner:` with the name of the field that refers to `{users}`"),
                _ => "add `owner:` with the name of a field that refers to the resource in `users`".to_owned(),
            }));
        }
    };
    let check_all = |operations: &[Operation], at: &Place<'_>, faults: &mut Vec<Fault>| {
        for operation in operations {
            let operations = at.key("operations");
            check(&operation.access, &operations.key(operation.kind.word()).key("access"), faults);
        }
    };
    check_all(&resource.operations, &definition, faults);
    for view in &resource.views {
        let views = definition.key("views");
        check_all(&view.operations, &views.key(&view.name), faults);
    }
    for command in &resource.commands {
        let commands = definition.key("commands");
        check(&command.access, &commands.key(&command.name).key("access"), faults);
    }
    check(&resource.visible, &definition.key("visible"), faults);
    let fields = definition.key("fields");
    for field in &resource.fields {
        let at = fields.key(&field.name);
        check(&field.visible, &at.key("visible"), faults);
        check(&field.writable, &at.key("writable"), faults);
    }
}
