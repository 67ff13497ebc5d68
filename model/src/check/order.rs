//! Sorts faults by definition, and within a definition in the order of its keys.

use super::index::{Definition, DefinitionIndex, field_names};
use super::{Fault, Key, ModelPath};

/// The sections of a definition, as the language's documentation lists them.
const SECTIONS: [&str; 25] = [
    "description",
    "plural",
    "versions",
    "retired",
    "deprecated",
    "sunset",
    "deprecations",
    "owner",
    "under",
    "unique",
    "index",
    "values",
    "visible",
    "disclose",
    "operations",
    "views",
    "count",
    "search",
    "commands",
    "rules",
    "lifecycle",
    "fields",
    "renamedFrom",
    "formerly",
    "allow",
];

/// Sorts faults by definition and place; those of one place keep the order of the rules.
pub(super) fn sort(faults: &mut [Fault], index: &DefinitionIndex<'_>) {
    faults.sort_by_cached_key(|fault| {
        let (section, entry) = position(&fault.at, index);
        (fault.at.definition.clone(), section, entry)
    });
}

/// Which section, and which of its entries in the order of writing.
fn position(at: &ModelPath, index: &DefinitionIndex<'_>) -> (usize, usize) {
    let name = |depth: usize| match at.keys.get(depth) {
        Some(Key::Name(name)) => Some(name.as_str()),
        _ => None,
    };
    let Some(section) = name(0) else { return (0, 0) };
    // the definition itself comes first, unknown sections last
    let rank = 1 + SECTIONS.iter().position(|known| *known == section).unwrap_or(SECTIONS.len());
    let entry = match (at.keys.get(1), at.definition.as_deref().and_then(|name| index.get(name))) {
        (Some(Key::Index(entry)), _) => Some(*entry),
        (Some(Key::Name(entry)), Some(Definition::Resource(resource))) => match section {
            "fields" => field_names(&resource.fields).position(|name| name == entry),
            "views" => resource.views.iter().position(|view| view.name == *entry),
            "commands" => resource.commands.iter().position(|command| command.name == *entry),
            _ => None,
        },
        (Some(Key::Name(entry)), Some(Definition::Object(object))) => {
            field_names(&object.fields).position(|name| name == entry)
        }
        _ => None,
    };
    (rank, entry.unwrap_or(0))
}
