//! Where objects are used: some rules hold only for those of entities, or for those in arrays.

use crate::check::index::DefinitionIndex;
use crate::field::Type;
use std::collections::HashSet;

/// Objects by their names.
pub(super) type ObjectNames<'a> = HashSet<&'a str>;

/// The objects that entities have outside of arrays, directly or inside another such object.
pub(super) fn direct<'a>(index: &DefinitionIndex<'a>) -> ObjectNames<'a> {
    let fields = index.service.resources.iter().flat_map(|resource| &resource.fields);
    let roots = fields.map(|field| &field.ty);
    reached(index, roots)
}

/// The objects that are used in an array, directly or inside another such object.
pub(super) fn listed<'a>(index: &DefinitionIndex<'a>) -> ObjectNames<'a> {
    let mut roots = Vec::new();
    super::every_field(index.service, |field, _| {
        if let Type::Array { items, .. } = &field.ty {
            roots.push(&**items);
        }
    });
    reached(index, roots.into_iter())
}

/// The objects that these types are, and those that their fields lead to.
fn reached<'a>(index: &DefinitionIndex<'a>, roots: impl Iterator<Item = &'a Type>) -> ObjectNames<'a> {
    let mut open: Vec<_> = roots.filter_map(|ty| index.object(ty)).collect();
    let mut found = HashSet::new();
    while let Some(object) = open.pop() {
        if found.insert(object.name.as_str()) {
            open.extend(object.fields.iter().filter_map(|field| index.object(&field.ty)));
        }
    }
    found
}
