//! Where objects are used: some rules hold only for those of entities, or for those in arrays and in commands.

use crate::check::index::DefinitionIndex;
use crate::field::{Field, Type};
use std::collections::HashSet;

/// Objects by their names.
pub(super) type ObjectNames<'a> = HashSet<&'a str>;

/// The objects that entities have outside of arrays, directly or inside another such object.
pub(super) fn direct<'a>(index: &DefinitionIndex<'a>) -> ObjectNames<'a> {
    let fields = index.service.resources.iter().flat_map(|resource| &resource.fields);
    let roots = fields.map(|field| &field.ty);
    reached(index, roots, |field| &field.ty)
}

/// The objects that are used in an array, directly or inside another such object.
pub(super) fn listed<'a>(index: &DefinitionIndex<'a>) -> ObjectNames<'a> {
    let mut roots = Vec::new();
    super::every_field(index.service, |field, _| {
        if let Type::Array { items, .. } = &field.ty {
            roots.push(&**items);
        }
    });
    reached(index, roots.into_iter(), |field| &field.ty)
}

/// The objects that the inputs and outputs of commands have, directly or inside another object or an array.
pub(super) fn of_commands<'a>(index: &DefinitionIndex<'a>) -> ObjectNames<'a> {
    let commands = index.service.resources.iter().flat_map(|resource| &resource.commands);
    let roots =
        commands.flat_map(|command| command.input.iter().chain(&command.output)).map(|field| field.ty.element());
    reached(index, roots, |field| field.ty.element())
}

/// The objects that these types are, and those that their fields lead to.
fn reached<'a>(
    index: &DefinitionIndex<'a>,
    roots: impl Iterator<Item = &'a Type>,
    next: impl Fn(&'a Field) -> &'a Type,
) -> ObjectNames<'a> {
    let mut open: Vec<_> = roots.filter_map(|ty| index.object(ty)).collect();
    let mut found = HashSet::new();
    while let Some(object) = open.pop() {
        if found.insert(object.name.as_str()) {
            open.extend(object.fields.iter().filter_map(|field| index.object(next(field))));
        }
    }
    found
}
