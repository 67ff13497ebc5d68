//! References written as flat fields: `sellerId`, `sellerName` (§2.4.9).

use crate::check::Fault;
use crate::check::FaultCode::FlatReference;
use crate::check::place::Place;
use crate::field::{Field, Type};
use std::collections::HashSet;

/// Words before `Id` that make it an identifier of another system, not a reference.
const FOREIGN_IDS: [&str; 11] =
    ["correlation", "device", "external", "foreign", "legacy", "national", "request", "session", "tax", "trace", "vat"];

/// Words before `Name` that say which of a thing's own names it is.
const OWN_NAMES: [&str; 26] = [
    "alternative",
    "birth",
    "common",
    "display",
    "domain",
    "family",
    "file",
    "first",
    "former",
    "full",
    "given",
    "host",
    "internal",
    "last",
    "legal",
    "long",
    "maiden",
    "middle",
    "nick",
    "official",
    "path",
    "preferred",
    "short",
    "trade",
    "user",
    "variable",
];

/// Reports `sellerId` and `sellerName`, unless `seller` is a field.
pub(super) fn references(fields: &[Field], at: &Place<'_>, faults: &mut Vec<Fault>) {
    let mut flat = fields.iter().filter_map(|field| Some((field, subject(field)?))).peekable();
    if flat.peek().is_none() {
        return;
    }
    let known: HashSet<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    for (Field { name, .. }, (subject, suffix)) in flat.filter(|(_, (subject, _))| !known.contains(subject)) {
        let shown = if suffix == "Name" { ", show: [name]" } else { "" };
        let fault = at.key(name).name_fault(FlatReference, format!("`{name}` is a flat field for a reference"));
        faults.push(fault.help(format!(
            "write `{subject}: {{ type: ref, to: …{shown} }}`, with the name of the resource after `to`"
        )));
    }
}

/// `seller` and `Id` of `sellerId`, where that may be a reference.
fn subject(field: &Field) -> Option<(&str, &'static str)> {
    let name = field.name.as_str();
    let (subject, suffix) = match field.ty {
        Type::Uuid | Type::Integer { .. } => (name.strip_suffix("Id")?, "Id"),
        Type::String { .. } => match name.strip_suffix("Id") {
            Some(subject) => (subject, "Id"),
            None => (name.strip_suffix("Name")?, "Name"),
        },
        _ => return None,
    };
    let exempt: &[&str] = if suffix == "Id" { &FOREIGN_IDS } else { &OWN_NAMES };
    (!subject.is_empty() && !exempt.contains(&subject)).then_some((subject, suffix))
}
