//! Which entities others may hold, so that they cannot be deleted (decisions, "Deleting").

use crate::check::{Checked, Kind};
use crate::field::{Field, OnDelete, Type};
use std::collections::{HashMap, HashSet};

/// What refers to entities of a resource: the index of the other resource, and the way.
type Referring<'a> = HashMap<&'a str, HashSet<(usize, OnDelete)>>;

/// For each resource, whether a deletion may be refused, because an entity refers to this one or to one that is deleted
/// with it. Each field is looked at once, whatever the number of resources.
pub(super) fn held(service: &Checked) -> Vec<bool> {
    let mut referring = Referring::new();
    for (index, resource) in service.resources.iter().enumerate() {
        add(service, &resource.fields, index, &mut referring);
    }
    let is_held = |index| is_held(service, index, &referring, &mut HashSet::new());
    (0..service.resources.len()).map(is_held).collect()
}

fn is_held(service: &Checked, index: usize, referring: &Referring<'_>, seen: &mut HashSet<usize>) -> bool {
    if !seen.insert(index) {
        return false;
    }
    let of_this = referring.get(service.resources[index].name.as_str());
    of_this.into_iter().flatten().any(|(other, on_delete)| match on_delete {
        OnDelete::Restrict => true,
        OnDelete::Cascade => is_held(service, *other, referring, seen),
        OnDelete::Null => false,
    })
}

/// The references of fields, and of those inside.
fn add<'a>(service: &'a Checked, fields: &'a [Field], index: usize, referring: &mut Referring<'a>) {
    for field in fields {
        match service.kind(field.ty.element()) {
            Kind::Scalar(Type::Ref { to, on_delete, .. }) => {
                referring.entry(to).or_default().insert((index, *on_delete));
            }
            Kind::Object(object) => add(service, &object.fields, index, referring),
            Kind::Scalar(_) | Kind::Enum(_) | Kind::Array(_) | Kind::Map(_) => {}
        }
    }
}
