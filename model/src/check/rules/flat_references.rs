//! References written as flat fields: `sellerId`, `sellerName` (§2.4.9).
//!
//! That is certain of `sellerId` if it is a UUID, as the ids of resources are, and of both if there is a resource
//! `Seller`. Any other `…Id` may be an identifier of another system, and a `…Name` may be a name of the thing itself.

use crate::check::Fault;
use crate::check::FaultCode::FlatReference;
use crate::check::index::DefinitionIndex;
use crate::check::place::Place;
use crate::field::{Field, Type};
use crate::names;
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

/// How certain a reference is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Certainty {
    Certain,
    Guess,
}

/// Where fields stand.
#[derive(Clone, Copy)]
enum Owner<'a> {
    /// A resource or an object of this name.
    Definition(&'a str),
    /// The input or output of a command.
    Command,
}

/// Reports `sellerId` of type `uuid`, unless `seller` is a field.
pub(super) fn ids(fields: &[Field], at: &Place<'_>, faults: &mut Vec<Fault>) {
    let certainty =
        |field: &Field, subject: &NamedSubject<'_>| is_certain_id(field, subject).then_some(Certainty::Certain);
    report(fields, at, certainty, faults);
}

/// Reports other flat references: those to resources of the service, and identifiers that may be references.
pub(super) fn service(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    let mut of = |fields: &[Field], owner: Owner<'_>, at: &Place<'_>| {
        report(fields, at, |field, subject| certainty(index, owner, field, subject), faults);
    };
    for object in &index.service.objects {
        let definition = Place::Definition(&object.name);
        of(&object.fields, Owner::Definition(&object.name), &definition.key("fields"));
    }
    for resource in &index.service.resources {
        let definition = Place::Definition(&resource.name);
        of(&resource.fields, Owner::Definition(&resource.name), &definition.key("fields"));
        let commands = definition.key("commands");
        for command in &resource.commands {
            let at = commands.key(&command.name);
            of(&command.input, Owner::Command, &at.key("input"));
            of(&command.output, Owner::Command, &at.key("output"));
        }
    }
}

fn certainty(
    index: &DefinitionIndex<'_>,
    owner: Owner<'_>,
    field: &Field,
    subject: &NamedSubject<'_>,
) -> Option<Certainty> {
    let resource = names::pascal(subject.name);
    let is_there = index.resource(&resource).is_some();
    match owner {
        // a product's own `productName`
        Owner::Definition(name) if name == resource => is_there.then_some(Certainty::Guess),
        Owner::Definition(_) if is_certain_id(field, subject) => None, // reported without the rest of the service
        Owner::Definition(_) if is_there && !subject.is_exempt => Some(Certainty::Certain),
        Owner::Definition(_) => {
            let is_id = subject.suffix == "Id" && !subject.is_exempt;
            (is_there || is_id).then_some(Certainty::Guess)
        }
        // the id of what a command has made elsewhere is no reference
        Owner::Command => is_there.then_some(Certainty::Guess),
    }
}

fn is_certain_id(field: &Field, subject: &NamedSubject<'_>) -> bool {
    subject.suffix == "Id" && !subject.is_exempt && field.ty == Type::Uuid
}

/// Reports the fields that are references, as certain as they are, unless the subject is a field itself.
fn report(
    fields: &[Field],
    at: &Place<'_>,
    certainty: impl Fn(&Field, &NamedSubject<'_>) -> Option<Certainty>,
    faults: &mut Vec<Fault>,
) {
    let mut flat = fields.iter().filter_map(|field| Some((field, subject(field)?))).peekable();
    if flat.peek().is_none() {
        return;
    }
    let known: HashSet<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    for (field, subject) in flat.filter(|(_, subject)| !known.contains(subject.name)) {
        let (name, subject_name) = (&field.name, subject.name);
        let shown = if subject.suffix == "Name" { ", show: [name]" } else { "" };
        let write =
            format!("write `{subject_name}: {{ type: ref, to: …{shown} }}`, with the name of the resource after `to`");
        let fault = |message: String| at.key(name).name_fault(FlatReference, message);
        faults.extend(match certainty(field, &subject) {
            None => None,
            Some(Certainty::Certain) => Some(fault(format!("`{name}` is a flat field for a reference")).help(write)),
            Some(Certainty::Guess) => {
                let fault = fault(format!("`{name}` may be a flat field for a reference")).guess();
                Some(fault.help(format!("if it refers to a resource of this service, {write}")))
            }
        });
    }
}

/// `seller` and `Id` of `sellerId`.
struct NamedSubject<'a> {
    name: &'a str,
    suffix: &'static str,
    /// Whether such a name is usually not that of a reference.
    is_exempt: bool,
}

/// The subject of a field that may be a reference.
fn subject(field: &Field) -> Option<NamedSubject<'_>> {
    let whole = field.name.as_str();
    let (name, suffix) = match field.ty {
        Type::Uuid | Type::Integer { .. } => (whole.strip_suffix("Id")?, "Id"),
        Type::String { .. } => match whole.strip_suffix("Id") {
            Some(name) => (name, "Id"),
            None => (whole.strip_suffix("Name")?, "Name"),
        },
        _ => return None,
    };
    let exempt: &[&str] = if suffix == "Id" { &FOREIGN_IDS } else { &OWN_NAMES };
    (!name.is_empty()).then(|| NamedSubject { name, suffix, is_exempt: exempt.contains(&name) })
}
