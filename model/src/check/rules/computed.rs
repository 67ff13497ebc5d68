//! Computed fields (`is`): which keys and uses contradict them.

use crate::check::Fault;
use crate::check::FaultCode::ComputedField;
use crate::check::index::DefinitionIndex;
use crate::check::place::Place;
use crate::field::{Field, Type};
use crate::resource::{Resource, Search};

/// Keys of a computed field that have no meaning beside `is`, and uses for which a stored value is needed.
pub(super) fn fields(resource: &Resource, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&resource.name);
    let at = definition.key("fields");
    for field in resource.fields.iter().filter(|field| field.computed.is_some()) {
        let at = at.key(&field.name);
        keys(field, &at, faults);
        limits(field, &at, faults);
    }
    uses(resource, &definition, faults);
}

/// What a computed field can be: a single value.
pub(super) fn types(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    for resource in &index.service.resources {
        let definition = Place::Definition(&resource.name);
        let at = definition.key("fields");
        for field in resource.fields.iter().filter(|field| field.computed.is_some()) {
            let is_single = !field.ty.is_never_null() && !field.ty.is_free() && index.object(&field.ty).is_none();
            if !is_single {
                let at = at.key(&field.name);
                let message = format!("`{}` is computed, and a computed field has a single value", field.name);
                let fault = at.key("is").fault(ComputedField, message);
                faults.push(fault.help("compute a field of a scalar type, a price, an enum or a reference"));
            }
        }
    }
}

fn keys(field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
    const UNWRITTEN: &str = "is never written";
    const UNSTORED: &str = "is not stored, so no index serves it";
    let shows = matches!(&field.ty, Type::Ref { show, .. } if !show.is_empty());
    let keys = [
        ("required", field.required || field.required_when.is_some(), "may be null"),
        ("default", field.default.is_some() || field.default_is.is_some(), UNWRITTEN),
        ("immutable", field.immutable, UNWRITTEN),
        ("readOnly", field.read_only, "is ignored in requests anyway"),
        ("writeOnly", field.write_only, UNWRITTEN),
        ("secret", field.secret.is_some(), UNWRITTEN),
        ("placeholder", field.placeholder.is_some(), UNWRITTEN),
        ("filter", field.filter.is_on(), UNSTORED),
        ("sort", field.sort, UNSTORED),
        ("unique", field.unique.is_on(), "is not stored"),
        ("show", shows, "shows the `id` alone"),
    ];
    for (key, _, why) in keys.into_iter().filter(|(_, is_set, _)| *is_set) {
        let fault = at.key(key).fault(ComputedField, format!("a computed field {why}: `{key}` has no meaning"));
        faults.push(fault.help(format!("remove `{key}`, or remove `is` and store the value")));
    }
}

/// Limits of its type, which nothing would enforce.
fn limits(field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let set = serde_json::to_value(&field.ty).unwrap_or_default();
    for key in field.ty.key_table().keys.iter().filter(|key| key.limit.is_some() && set.get(key.name).is_some()) {
        let message = format!("`{}` is computed, and `{}` would not limit it", field.name, key.name);
        faults.push(at.key(key.name).fault(ComputedField, message).help(format!("remove `{}`", key.name)));
    }
}

/// Keys of the resource that name a field whose value has to be stored.
fn uses(resource: &Resource, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let mut refuse = |name: &str, at: Place<'_>, key: &str| {
        if resource.field(name).is_some_and(|field| field.computed.is_some()) {
            let fault = at.fault(ComputedField, format!("`{name}` is computed, and `{key}` needs a stored field"));
            faults.push(fault.help("name a field without `is`"));
        }
    };
    if let Some(owner) = &resource.owner {
        refuse(owner, at.key("owner"), "owner");
    }
    let under = at.key("under");
    for (position, name) in resource.under.iter().enumerate() {
        refuse(name, under.index(position), "under");
    }
    let unique = at.key("unique");
    for (position, names) in resource.unique.iter().enumerate() {
        let unique = unique.index(position);
        for (position, name) in names.iter().enumerate() {
            refuse(name, unique.index(position), "unique");
        }
    }
    if let Search::Fields(names) = &resource.search {
        let search = at.key("search");
        for (position, name) in names.iter().enumerate() {
            refuse(name, search.index(position), "search");
        }
    }
    let Some(lifecycle) = &resource.lifecycle else { return };
    let at = at.key("lifecycle");
    refuse(&lifecycle.field, at.key("field"), "lifecycle");
    let transitions = at.key("transitions");
    for transition in &lifecycle.transitions {
        let at = transitions.key(&transition.name);
        if let Some(time) = &transition.at {
            refuse(time, at.key("at"), "at");
        }
        let set = at.key("set");
        for name in transition.set.keys() {
            refuse(name, set.key(name), "set");
        }
    }
}
