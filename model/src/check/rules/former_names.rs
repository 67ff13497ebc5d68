//! `formerly`: a name beside the present one, which nothing else may have. Of fields, and of what has paths.

use crate::check::FaultCode::FormerNameClash;
use crate::check::index::definitions_of;
use crate::check::place::Place;
use crate::check::rules::reserved::{is_of_command, taken_parameter};
use crate::check::{Fault, ModelPath};
use crate::field::Field;
use crate::formerly::Formerly;
use crate::names::{self, COMMON_FIELDS};
use crate::resource::{OperationKind, Resource};
use crate::service::{Object, Service};

/// What is wrong with the former name of any field.
pub(super) fn of_field(field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let Some(former) = &field.formerly else { return };
    let formerly = at.key("formerly");
    let name_at = formerly.key("name");
    let mut clash = |message: String, help: &str| faults.push(name_at.fault(FormerNameClash, message).help(help));
    if former.name == field.name {
        clash(format!("`formerly` repeats the present name `{}`", field.name), "remove `formerly`");
    } else if !names::is_camel(&former.name) {
        clash(format!("`{}` is not camelCase", former.name), "write the name that the field had");
    } else if let Some(other) = field.renamed_from.as_ref().filter(|other| **other != former.name) {
        clash(format!("`renamedFrom` says that the field was called `{other}`"), "remove `renamedFrom`");
    }
}

/// The former names of a resource's fields: nothing else has them.
pub(super) fn of_resource(resource: &Resource, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&resource.name);
    let taken = |field: &Field, name: &str| {
        if COMMON_FIELDS.contains(&name) {
            Some(format!("every resource already has `{name}`"))
        } else {
            taken_parameter(resource, field, name).map(|(reason, _)| reason)
        }
    };
    of_fields(&[(definition.key("fields"), &resource.fields)], taken, faults);
    of_paths(resource, faults);
}

/// The former names of an object's fields.
pub(super) fn of_object(object: &Object, faults: &mut Vec<Fault>) {
    of_fields(&[(Place::Definition(&object.name).key("fields"), &object.fields)], |_, _| None, faults);
}

/// The former names of the inputs and outputs of a command, which is shown with both.
pub(super) fn of_command(sections: &[(Place<'_>, &[Field])], faults: &mut Vec<Fault>) {
    let taken = |_: &Field, name: &str| is_of_command(name).then(|| format!("every command already has `{name}`"));
    of_fields(sections, taken, faults);
}

/// Former names that something beside has. `taken`: why it is no name for a field here.
fn of_fields(
    sections: &[(Place<'_>, &[Field])],
    taken: impl Fn(&Field, &str) -> Option<String>,
    faults: &mut Vec<Fault>,
) {
    let all: Vec<_> = sections.iter().flat_map(|(at, fields)| fields.iter().map(move |field| (at, field))).collect();
    for (index, (fields, field)) in all.iter().enumerate() {
        let Some(former) = field.formerly.as_ref().filter(|former| former.name != field.name) else { continue };
        let name = former.name.as_str();
        let (own, formerly);
        own = fields.key(&field.name);
        formerly = own.key("formerly");
        let at = formerly.key("name");
        let was = |other: &Field| other.formerly.as_ref().is_some_and(|other| other.name == name);
        let same = all[..index].iter().find(|(_, other)| was(other));
        if let Some((fields, _)) = all.iter().find(|(_, other)| other.name == name) {
            let fault = at.fault(FormerNameClash, format!("`{name}` still exists"));
            let fault = fault.also(fields.key(name).path().of_key(), "here");
            faults.push(fault.help(format!("remove `formerly`, or remove `{name}`")));
        } else if let Some(why) = taken(field, name) {
            faults.push(at.fault(FormerNameClash, why).help("remove `formerly`"));
        } else if let Some((fields, same)) = same {
            let fault = at.fault(FormerNameClash, format!("`{}` was called `{name}` too", same.name));
            let other = fields.key(&same.name).path().key("formerly").key("name");
            faults.push(fault.also(other, "the other one is here").help("keep `formerly` on one of them"));
        }
    }
}

/// The former names of a resource, its views and its commands.
fn of_paths(resource: &Resource, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&resource.name);
    let own = [NamedPart { name: &resource.name, formerly: resource.formerly.as_ref() }];
    parts(&own, |_| definition.path(), (names::is_pascal, "PascalCase"), faults);
    if let Some((former, other)) = resource.formerly.as_ref().zip(resource.renamed_from.as_ref())
        && former.name != *other
    {
        let fault = definition.key("formerly").key("name").fault(FormerNameClash, renamed_otherwise(other));
        faults.push(fault.help("remove `renamedFrom`"));
    }
    let views = resource.views.iter();
    let views: Vec<_> = views.map(|it| NamedPart { name: &it.name, formerly: it.formerly.as_ref() }).collect();
    parts(&views, |name| definition.key("views").key(name).path(), (names::is_kebab, "kebab-case"), faults);
    let commands = resource.commands.iter();
    let commands: Vec<_> = commands.map(|it| NamedPart { name: &it.name, formerly: it.formerly.as_ref() }).collect();
    parts(&commands, |name| definition.key("commands").key(name).path(), (names::is_kebab, "kebab-case"), faults);
    for (former, at) in resource.views.iter().filter_map(|view| {
        let at = definition.key("views").key(&view.name).key("formerly").key("path").path();
        Some((view.formerly.as_ref()?, at))
    }) {
        let path = former.path.as_deref().and_then(|path| path.strip_prefix('/'));
        if former.path.is_some() && !path.is_some_and(|path| path.split('/').all(names::is_kebab)) {
            let path = former.path.as_deref().unwrap_or_default();
            let message = format!("`{path}` is not a path of lower-case words with dashes");
            faults.push(Fault::new(FormerNameClash, at, message).help("write the path that the view had"));
        }
    }
    shared_paths(resource, faults);
    let plural = resource.formerly.as_ref().and_then(|former| former.plural.as_ref());
    if let Some(plural) = plural.filter(|plural| !names::is_kebab(plural)) {
        let at = definition.key("formerly").key("plural").path();
        let fault = Fault::new(FormerNameClash, at, format!("`{plural}` is not a word in lower case with dashes"));
        faults.push(fault.help("write the plural that the paths had"));
    }
}

/// Lists of views whose path is the same under both names of the resource: the array in them cannot have two names.
fn shared_paths(resource: &Resource, faults: &mut Vec<Fault>) {
    if resource.formerly.is_none() || resource.collection_of(true) == resource.collection_of(false) {
        return;
    }
    let definition = Place::Definition(&resource.name);
    for view in &resource.views {
        let is_listed = view.operations.iter().any(|operation| operation.kind == OperationKind::List);
        let path =
            |is_former: bool| view.path_of(view.formerly.is_some(), &resource.plural, &resource.plural_of(is_former));
        if is_listed && view.path == path(false) && view.path == path(true) {
            let at = definition.key("views").key(&view.name).key("path").path();
            let [now, before] = [false, true].map(|is_former| resource.collection_of(is_former));
            let message = format!("the array in this list would be called `{now}` and `{before}`");
            let help = "give the view another path, and the present one in its `formerly`";
            faults.push(Fault::new(FormerNameClash, at, message).help(help));
        }
    }
}

/// Former names of resources that other definitions have.
pub(super) fn of_service(service: &Service, faults: &mut Vec<Fault>) {
    let former = |resource: &Resource| resource.formerly.as_ref().map(|former| former.name.clone());
    for (index, resource) in service.resources.iter().enumerate() {
        let Some(name) = former(resource).filter(|name| *name != resource.name) else { continue };
        let at = Place::Definition(&resource.name).key("formerly").key("name").path();
        let same = service.resources[..index].iter().find(|other| former(other).as_ref() == Some(&name));
        if definitions_of(service).any(|(known, _)| known == name) {
            let fault = Fault::new(FormerNameClash, at, format!("`{name}` still exists"));
            let fault = fault.also(Place::Definition(&name).path().of_key(), "here");
            faults.push(fault.help(format!("remove `formerly`, or remove `{name}`")));
        } else if let Some(same) = same {
            let fault = Fault::new(FormerNameClash, at, format!("`{}` was called `{name}` too", same.name));
            let other = Place::Definition(&same.name).key("formerly").key("name").path();
            faults.push(fault.also(other, "the other one is here").help("keep `formerly` on one of them"));
        }
    }
}

/// A part of a resource, or the resource itself.
struct NamedPart<'a> {
    name: &'a str,
    formerly: Option<&'a Formerly>,
}

/// What is wrong with the former names of parts of one kind, whose names have one case.
fn parts(
    parts: &[NamedPart<'_>],
    place: impl Fn(&str) -> ModelPath,
    (is_case, case): (fn(&str) -> bool, &str),
    faults: &mut Vec<Fault>,
) {
    for (index, part) in parts.iter().enumerate() {
        let Some(former) = part.formerly else { continue };
        let at = place(part.name).key("formerly").key("name");
        let fault = |message: String| Fault::new(FormerNameClash, at.clone(), message);
        let is_other = |other: &NamedPart<'_>| other.formerly.is_some_and(|it| it.name == former.name);
        // of one that keeps its name, the plural or the path has changed
        let moved = former.plural.is_some() || former.path.is_some();
        if former.name == part.name && !moved {
            let message = format!("`formerly` repeats the present name `{}`", part.name);
            faults.push(fault(message).help("remove `formerly`"));
        } else if !is_case(&former.name) {
            faults.push(fault(format!("`{}` is not {case}", former.name)).help("write the name that it had"));
        } else if former.name != part.name && parts.iter().any(|other| other.name == former.name) {
            let fault = fault(format!("`{}` still exists", former.name)).also(place(&former.name).of_key(), "here");
            faults.push(fault.help(format!("remove `formerly`, or remove `{}`", former.name)));
        } else if let Some(other) = parts[..index].iter().find(|other| is_other(other)) {
            let fault = fault(format!("`{}` was called `{}` too", other.name, former.name));
            let other = place(other.name).key("formerly").key("name");
            faults.push(fault.also(other, "the other one is here").help("keep `formerly` on one of them"));
        }
    }
}

fn renamed_otherwise(other: &str) -> String {
    format!("`renamedFrom` says that its name was `{other}`")
}
