//! Renamed and deprecated parts: `renamedFrom`, `deprecated`, `sunset`.

use crate::check::FaultCode::{RenameClash, SunsetWithoutDeprecated};
use crate::check::index::DefinitionIndex;
use crate::check::place::Place;
use crate::check::{Fault, ModelPath};
use crate::field::Field;
use std::collections::{HashMap, HashSet};

/// A day of going away that was not announced.
pub(super) fn sunset(deprecated: bool, has_sunset: bool, at: &Place<'_>, faults: &mut Vec<Fault>) {
    if has_sunset && !deprecated {
        let fault = at.key("sunset").fault(SunsetWithoutDeprecated, "`sunset` needs `deprecated: true`");
        faults.push(fault.help("add `deprecated: true`"));
    }
}

/// `renamedFrom` of fields.
pub(super) fn renamed_fields(fields: &[Field], at: &Place<'_>, faults: &mut Vec<Fault>) {
    let names = fields.iter().map(|field| (field.name.as_str(), field.renamed_from.as_deref(), field.old_name()));
    renamed(names, |name| at.key(name).path(), faults);
}

/// `renamedFrom` of resources.
pub(super) fn renamed_resources(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    let names = index.service.resources.iter().map(|r| (r.name.as_str(), r.renamed_from.as_deref(), r.old_name()));
    renamed(names, |name| Place::Definition(name).path(), faults);
}

/// `renamedFrom` of definitions, each with its name, what it says there, and the name that it had. What has another
/// name from now on gives its own to another definition: two can swap their names.
fn renamed<'a>(
    names: impl Iterator<Item = (&'a str, Option<&'a str>, Option<&'a str>)> + Clone,
    place: impl Fn(&str) -> ModelPath,
    faults: &mut Vec<Fault>,
) {
    let renames: Vec<_> = names.clone().filter_map(|(name, from, _)| Some((name, from?))).collect();
    if renames.is_empty() {
        return;
    }
    let stays =
        |(name, _, had): (&'a str, Option<&str>, Option<&str>)| had.is_none_or(|had| had == name).then_some(name);
    let staying: HashSet<&str> = names.filter_map(stays).collect();
    let mut claimed = HashMap::new();
    for (name, from) in renames {
        let renamed_from = |name| place(name).key("renamedFrom");
        let fault = |message: String| Fault::new(RenameClash, renamed_from(name), message);
        if from == name {
            faults.push(fault(format!("`renamedFrom` repeats the present name `{name}`")).help("remove `renamedFrom`"));
        } else if staying.contains(from) {
            let fault = fault(format!("`{from}` still exists")).also(place(from).of_key(), "here");
            faults.push(fault.help(format!("remove `renamedFrom`, or remove `{from}`")));
        } else if let Some(other) = claimed.insert(from, name) {
            let fault = fault(format!("`{other}` has `renamedFrom: {from}` too"));
            faults.push(
                fault.also(renamed_from(other), "the other one is here").help("keep `renamedFrom` on one of them"),
            );
        }
    }
}
