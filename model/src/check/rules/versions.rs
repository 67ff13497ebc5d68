//! Versions and views: they are valid, and they have the fields that they need (§9).

use crate::check::Fault;
use crate::check::FaultCode::{
    BetaOrder, MissingRequired, NoVersion, RepeatedName, RetiredServed, UnknownVersion, UnknownView,
};
use crate::check::index::{DefinitionIndex, suggestion};
use crate::check::place::Place;
use crate::check::rules::repeats;
use crate::field::Field;
use crate::resource::{Resource, Version};
use std::collections::{HashMap, HashSet};

/// The versions of a resource.
pub(super) fn resource(resource: &Resource, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&resource.name);
    let (served, retired) = (definition.key("versions"), definition.key("retired"));
    if resource.versions.is_empty() {
        let fault = served.fault(NoVersion, format!("`{}` has no version", resource.name));
        faults.push(fault.help("write `versions: [public.v1]`, or remove the key"));
    }
    ascending(&resource.versions, &served, faults);
    ascending(&resource.retired, &retired, faults);
    for (position, version) in resource.retired.iter().enumerate() {
        if resource.versions.contains(version) {
            let fault =
                retired.index(position).fault(RetiredServed, format!("`{version}` is in `versions` and in `retired`"));
            faults.push(fault.help("remove it from `retired` or from `versions`"));
        }
    }
    let betas = |versions: &[Version]| versions.iter().filter_map(|version| number(*version)).collect::<Vec<_>>();
    if let (Some(oldest), Some(newest)) =
        (betas(&resource.versions).iter().min(), betas(&resource.retired).iter().max())
        && newest > oldest
    {
        let fault = retired.fault(BetaOrder, format!("`beta.v{newest}` is retired before the older `beta.v{oldest}`"));
        faults
            .push(fault.help(format!("retire `beta.v{oldest}` too, or use a higher number for the new beta version")));
    }
}

fn number(version: Version) -> Option<u16> {
    match version {
        Version::Beta(number) => Some(number),
        Version::Public => None,
    }
}

/// No version twice, betas from 1 upwards.
fn ascending(versions: &[Version], at: &Place<'_>, faults: &mut Vec<Fault>) {
    for (first, position, version) in repeats(versions) {
        let fault = at.index(position).fault(RepeatedName, format!("`{version}` appears twice in this list"));
        faults.push(fault.also(at.index(first).path(), "it first appears here").help("remove one of them"));
    }
    let mut last = 0;
    for (position, version) in versions.iter().enumerate() {
        let Some(number) = number(*version) else { continue };
        if number == 0 {
            let fault = at.index(position).fault(BetaOrder, "beta versions begin with `beta.v1`");
            faults.push(fault.help("write `beta.v1`"));
        } else if number < last {
            let message = format!("`beta.v{number}` comes after `beta.v{last}`");
            faults.push(at.index(position).fault(BetaOrder, message).help("list beta versions in ascending order"));
        }
        last = last.max(number);
    }
}

/// The fields of a resource: the versions and views they name are there, and required ones where they are needed.
pub(super) fn fields(resource: &Resource, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&resource.name);
    let fields = definition.key("fields");
    for field in resource.fields.iter().filter(|field| field.versions.is_some() || field.views.is_some()) {
        let at = fields.key(&field.name);
        names_exist(field, &[resource], &at, faults);
        missing(field, resource, &at, faults);
    }
}

/// The same of objects' fields, for all resources that have the object.
pub(super) fn objects(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    let chosen = |field: &&Field| field.versions.is_some() || field.views.is_some();
    if !index.service.objects.iter().any(|object| object.fields.iter().any(|field| chosen(&field))) {
        return;
    }
    let users = users_of_objects(index);
    for object in &index.service.objects {
        let Some(resources) = users.get(object.name.as_str()) else { continue };
        let definition = Place::Definition(&object.name);
        let fields = definition.key("fields");
        for field in object.fields.iter().filter(chosen) {
            let at = fields.key(&field.name);
            names_exist(field, resources, &at, faults);
            for resource in resources {
                missing(field, resource, &at, faults);
            }
        }
    }
}

/// The resources that use each object.
fn users_of_objects<'a>(index: &DefinitionIndex<'a>) -> HashMap<&'a str, Vec<&'a Resource>> {
    let mut users: HashMap<&str, Vec<&Resource>> = HashMap::new();
    for resource in &index.service.resources {
        let mut seen = HashSet::new();
        let mut open: Vec<&Field> = resource.fields.iter().collect();
        while let Some(field) = open.pop() {
            let Some(object) = index.object(field.ty.element()) else { continue };
            if seen.insert(object.name.as_str()) {
                users.entry(&object.name).or_default().push(resource);
                open.extend(&object.fields);
            }
        }
    }
    users
}

fn names_exist(field: &Field, resources: &[&Resource], at: &Place<'_>, faults: &mut Vec<Fault>) {
    let owners = || resources.iter().map(|r| format!("`{}`", r.name)).collect::<Vec<_>>().join(", ");
    for (position, version) in field.versions.iter().flatten().enumerate() {
        if !resources.iter().any(|resource| resource.versions.contains(version)) {
            let message = format!("{} does not have the version `{version}`", owners());
            let at = at.key("versions");
            let fault = at.index(position).fault(UnknownVersion, message);
            let retired = resources.iter().any(|resource| resource.retired.contains(version));
            faults.push(fault.help(if retired {
                format!("`{version}` is retired; remove it")
            } else {
                format!("add `{version}` to the `versions` of the resource, or remove it here")
            }));
        }
    }
    for (position, view) in field.views.iter().flatten().enumerate() {
        if !resources.iter().any(|resource| resource.view(view).is_some()) {
            let at = at.key("views");
            let mut fault = at.index(position).fault(UnknownView, format!("{} has no view `{view}`", owners()));
            let known = resources.iter().flat_map(|resource| &resource.views).map(|view| view.name.as_str());
            fault.help = suggestion(view, known).or_else(|| Some("add it to the `views` of the resource".to_owned()));
            faults.push(fault);
        }
    }
}

/// A required field that a version or view lacks in which entities are created.
fn missing(field: &Field, resource: &Resource, at: &Place<'_>, faults: &mut Vec<Fault>) {
    if !field.required || field.default.is_some() || field.read_only || resource.is_taken_from_token(field) {
        return;
    }
    if let Some(versions) = &field.versions
        && resource.creations().next().is_some()
        && let Some(lacking) = resource.versions.iter().find(|version| !versions.contains(version))
    {
        let message = format!(
            "`{}` is required, but `{}` can be created in `{lacking}`, which does not have it",
            field.name, resource.name
        );
        let fault = at.key("versions").fault(MissingRequired, message);
        faults.push(fault.help(format!("add a `default`, add `{lacking}`, or remove `required`")));
    }
    if let Some(views) = &field.views {
        let lacks = |view: &Option<&str>| !view.is_some_and(|name| views.iter().any(|view| view == name));
        if let Some((lacking, _)) = resource.creations().find(|(view, _)| lacks(view)) {
            let place = lacking.map_or_else(|| format!("/{}", resource.plural), |view| format!("the view `{view}`"));
            let message = format!(
                "`{}` is required, but `{}` can be created at {place}, which does not have it",
                field.name, resource.name
            );
            let fault = at.key("views").fault(MissingRequired, message);
            faults.push(fault.help("add a `default`, remove `required`, or remove `create` there"));
        }
    }
}
