//! Required fields: it must be possible to give each of them a value.

use crate::check::Fault;
use crate::check::FaultCode::{MisplacedCondition, RequiredReadOnly, RequiredRing};
use crate::check::cycles;
use crate::check::index::DefinitionIndex;
use crate::check::place::Place;
use crate::check::rules::every_field;
use crate::field::{Field, Type};
use crate::resource::Resource;
use std::collections::{HashMap, HashSet};

/// Required fields that no request can give, and that the service does not fill. The owner comes from the token.
pub(super) fn read_only(resource: &Resource, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&resource.name);
    let fields = definition.key("fields");
    let is_owner = |field: &Field| resource.owner.as_deref() == Some(field.name.as_str());
    let is_unset = |field: &&Field| field.required && resource.may_be_null(field) && !is_owner(field);
    for field in resource.fields.iter().filter(is_unset) {
        let at = fields.key(&field.name);
        let message = format!("`{}` is required, but requests cannot set it", field.name);
        let fault = at.key("required").fault(RequiredReadOnly, message);
        faults.push(fault.help("give it a `default`, set it in a hook, or remove `required`"));
    }
}

/// `required: { when: … }` and `default: { is: … }` on fields of a resource that other keys contradict.
pub(super) fn conditions(resource: &Resource, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&resource.name);
    let fields = definition.key("fields");
    for field in &resource.fields {
        let at = fields.key(&field.name);
        let is_never_null = field.ty.is_never_null();
        let is_idle = |key: &str| match key {
            "required" if is_never_null => Some("an array or a map is never null"),
            "required" if field.read_only => Some("requests cannot set a `readOnly` field"),
            "required" if field.required => Some("the field is required anyway"),
            "default" if field.default.is_some() => Some("the field has another default"),
            "default" if field.secret.is_some() => Some("the secret would be public"),
            "default" if is_never_null => Some("an omitted array or map is empty"),
            _ => None,
        };
        for (key, is_set) in [("required", field.required_when.is_some()), ("default", field.default_is.is_some())] {
            if let Some(why) = is_idle(key).filter(|_| is_set) {
                let fault = at.key(key).fault(MisplacedCondition, format!("the condition has no effect: {why}"));
                faults.push(fault.help("remove it"));
            }
        }
    }
}

/// The same where there is no entity to evaluate them: in objects, in inputs and outputs of commands.
pub(super) fn misplaced(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    let is_of_resource = |at: &Place<'_>| match at {
        Place::Key(Place::Key(Place::Definition(name), "fields"), _) => index.resource(name).is_some(),
        _ => false,
    };
    every_field(index.service, |field, at| {
        let keys = [
            ("required", field.required_when.is_some()),
            ("default", field.default_is.is_some()),
            ("is", field.computed.is_some()),
        ];
        for (key, _) in keys.into_iter().filter(|(_, is_set)| *is_set && !is_of_resource(at)) {
            let message = "conditions, computed defaults and computed fields are for fields of resources";
            faults
                .push(at.key(key).fault(MisplacedCondition, message).help(format!("remove it from `{}`", field.name)));
        }
    });
}

/// Required references that wait for each other.
pub(super) fn cycles(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    let resources = &index.service.resources;
    let numbers: HashMap<&str, usize> = resources.iter().enumerate().map(|(n, r)| (r.name.as_str(), n)).collect();
    let needs: Vec<Vec<RequiredReference<'_>>> =
        resources.iter().map(|resource| needs(index, resource, &numbers)).collect();
    let next: Vec<Vec<usize>> = needs.iter().map(|needs| needs.iter().map(|need| need.resource).collect()).collect();
    for cycle in cycles::cycles(&next) {
        let following = cycle.iter().cycle().skip(1);
        let steps: Vec<_> = cycle
            .iter()
            .zip(following)
            .filter_map(|(&from, &to)| Some((from, needs[from].iter().find(|need| need.resource == to)?)))
            .collect();
        faults.extend(ring_fault(&steps, resources));
    }
}

/// A required reference: the field of the resource that contains it, and its target.
struct RequiredReference<'a> {
    field: &'a str,
    resource: usize,
}

fn ring_fault(steps: &[(usize, &RequiredReference<'_>)], resources: &[Resource]) -> Option<Fault> {
    let path = |(from, need): &(usize, &RequiredReference<'_>)| {
        let definition = Place::Definition(&resources[*from].name);
        let fields = definition.key("fields");
        fields.key(need.field).path()
    };
    let shown: Vec<String> = steps
        .iter()
        .map(|(from, need)| {
            let (from, to) = (&resources[*from].name, &resources[need.resource].name);
            format!("`{from}.{}` requires `{to}`", need.field)
        })
        .collect();
    let (first, rest) = steps.split_first()?;
    let message = format!("entities with these references could never be created: {}", shown.join(", "));
    let fault = Fault::new(RequiredRing, path(first), message);
    let fault = rest.iter().fold(fault, |fault, step| fault.also(path(step), "part of the same cycle"));
    Some(fault.help("remove `required` from one of them"))
}

fn needs<'a>(
    index: &DefinitionIndex<'a>,
    resource: &'a Resource,
    numbers: &HashMap<&str, usize>,
) -> Vec<RequiredReference<'a>> {
    let mut needs = Vec::new();
    let mut seen = HashSet::new();
    // each object is visited once: it has the same required references at every use
    let mut open: Vec<(&'a str, &'a Field)> =
        resource.fields.iter().map(|field| (field.name.as_str(), field)).collect();
    while let Some((top, field)) = open.pop() {
        match needed(field) {
            Some(Type::Ref { to, .. }) => {
                needs.extend(numbers.get(to.as_str()).map(|&resource| RequiredReference { field: top, resource }));
            }
            Some(ty) => {
                let object = index.object(ty).filter(|object| seen.insert(object.name.as_str()));
                open.extend(object.into_iter().flat_map(|object| &object.fields).map(|field| (top, field)));
            }
            None => {}
        }
    }
    needs
}

/// The type of which there must be a value: of a required array only when it cannot be empty.
fn needed(field: &Field) -> Option<&Type> {
    match &field.ty {
        Type::Array { items, .. } => field.is_never_empty().then_some(items),
        Type::Map { values, .. } => field.is_never_empty().then_some(values),
        ty => field.required.then_some(ty),
    }
}
