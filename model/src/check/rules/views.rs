//! Views: the same entities under other URLs (§2.1).

use crate::check::Fault;
use crate::check::FaultCode::{
    BadPath, BadThrough, EmptyView, NotAReference, RepeatedName, ThroughReadsOnly, UnknownResource,
};
use crate::check::index::{DefinitionIndex, suggestion, unknown_field};
use crate::check::place::Place;
use crate::check::rules::{exemptions, names, operations, repeats};
use crate::field::Type;
use crate::names as words;
use crate::resource::{OperationKind, Resource, Through, View};

/// The rules for each view of a resource.
pub(super) fn views(resource: &Resource, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&resource.name);
    let at = definition.key("views");
    for (_, _, name) in repeats(resource.views.iter().map(|view| view.name.as_str())) {
        let fault = at.key(name).name_fault(RepeatedName, format!("two views are named `{name}`"));
        faults.push(fault.help("rename one of them"));
    }
    for view in &resource.views {
        let at = at.key(&view.name);
        names::kebab(&view.name, &at, faults);
        path(resource, view, &at.key("path"), faults);
        if view.operations.is_empty() {
            let fault = at.key("operations").fault(EmptyView, format!("the view `{}` has no operations", view.name));
            faults.push(fault.help("write `operations: [list]`, or remove the view"));
        }
        operations::operations(&view.operations, &at.key("operations"), faults);
        reads_only(view, &at.key("operations"), faults);
        exemptions::allow(&view.allow, &at, faults);
    }
}

fn path(resource: &Resource, view: &View, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let path = view.path.as_str();
    let is_path = path.strip_prefix('/').is_some_and(|path| path.split('/').all(words::is_kebab));
    // a view or resource whose name is wrong has a wrong path by default
    let is_default = path == format!("/{}/{}", view.name, resource.plural);
    if !is_path && !is_default {
        let fault = at.fault(BadPath, format!("`{path}` is not a path of lower-case words with dashes"));
        let segments: Vec<String> = path.split('/').map(words::kebab).filter(|word| !word.is_empty()).collect();
        faults.push(fault.help(format!("write `/{}`", segments.join("/"))));
    }
}

fn reads_only(view: &View, at: &Place<'_>, faults: &mut Vec<Fault>) {
    if view.through.is_none() {
        return;
    }
    let is_read = |kind| matches!(kind, OperationKind::List | OperationKind::Get);
    for operation in view.operations.iter().filter(|operation| !is_read(operation.kind)) {
        let word = operation.kind.word();
        let fault = at.key(word).name_fault(ThroughReadsOnly, format!("a view with `through` cannot have `{word}`"));
        faults.push(fault.help("keep only `list` and `get`"));
    }
}

/// `through`: a resource with an owner, and its reference to this one.
pub(super) fn through(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    for resource in &index.service.resources {
        let definition = Place::Definition(&resource.name);
        let views = definition.key("views");
        for view in &resource.views {
            if let Some(through) = &view.through {
                leads_here(index, resource, through, &views.key(&view.name).key("through"), faults);
            }
        }
    }
}

fn leads_here(
    index: &DefinitionIndex<'_>,
    here: &Resource,
    through: &Through,
    at: &Place<'_>,
    faults: &mut Vec<Fault>,
) {
    let Through { resource: other, field: name } = through;
    let Some(resource) = index.resource(other) else {
        let mut fault = at.fault(UnknownResource, format!("the resource `{other}` does not exist"));
        fault.help = suggestion(other, index.service.resources.iter().map(|r| r.name.as_str()));
        faults.push(fault);
        return;
    };
    match resource.field(name).map(|field| &field.ty) {
        None => faults.push(unknown_field(resource, name, at)),
        Some(Type::Ref { to, .. }) if *to == here.name => {}
        Some(Type::Ref { to, .. }) => {
            let fault = at.fault(BadThrough, format!("`{other}.{name}` refers to `{to}`, not to `{}`", here.name));
            faults.push(fault.help(format!("name a field of `{other}` with `to: {}`", here.name)));
        }
        Some(ty) => {
            let message = format!("`{other}.{name}` has type `{}`, but it must be a reference", ty.word());
            faults.push(at.fault(NotAReference, message).help(format!("name a field that refers to `{}`", here.name)));
        }
    }
    if resource.owner_field().is_none() {
        let fault = at.fault(
            BadThrough,
            format!("`{other}` has no owner, so it cannot be limited to the entities of the caller"),
        );
        faults.push(fault.help(format!("add `owner:` to `{other}`")));
    }
}
