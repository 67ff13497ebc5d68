//! Keys of a field that do not go together, or not with its type.

use crate::check::FaultCode::{
    CommandKey, ImmutableReadOnly, NoFilter, NoOrder, NoUnique, NullOnRequired, ReadAndWriteOnly, SecretMisuse,
};
use crate::check::index::Index;
use crate::check::place::Place;
use crate::check::rules::every_field;
use crate::check::{Fault, FaultCode};
use crate::field::{Field, OnDelete, Type};
use std::collections::HashSet;

/// Who may write and read.
pub(super) fn contradictions(field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
    if field.read_only && field.write_only {
        let message = "nobody could write or read what is `readOnly` and `writeOnly`";
        faults.push(at.key("writeOnly").fault(ReadAndWriteOnly, message).help("keep one of the two"));
    }
    if field.read_only && field.immutable {
        let message = "a client never sets what is `readOnly`, so `immutable` says nothing";
        faults.push(at.key("immutable").fault(ImmutableReadOnly, message).help("take `immutable` away"));
    }
}

/// `filter`, `sort` and `unique` on what cannot be asked for. What a named type is, [`objects`] knows.
pub(super) fn queries(field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
    if field.write_only {
        const WHY: &str = "what is `writeOnly` must not be found out by asking";
        refuse(field.filter, NoFilter, &at.key("filter"), WHY, "take `filter` away", faults);
        refuse(field.sort, NoOrder, &at.key("sort"), WHY, "take `sort` away", faults);
        return;
    }
    match &field.ty {
        Type::Array { .. } => {
            let search = "take it away, and list the field in the resource's `search`";
            refuse(field.filter, NoFilter, &at.key("filter"), "an array is filtered through a search", search, faults);
            refuse(field.sort, NoOrder, &at.key("sort"), "an array has no order", "take `sort` away", faults);
            let unique = "write `uniqueItems: true` if no two items may be equal";
            refuse(field.unique, NoUnique, &at.key("unique"), "an array cannot be unique", unique, faults);
        }
        Type::Ref { .. } => {
            refuse(field.sort, NoOrder, &at.key("sort"), "a reference has no order", "take `sort` away", faults);
        }
        Type::Duration => {
            let why = "durations have no order: a month is now longer, now shorter than 30 days";
            refuse(field.sort, NoOrder, &at.key("sort"), why, "take `sort` away", faults);
        }
        _ => {}
    }
}

/// The same on objects, which have fields to say so, and inside arrays, where there are many values and not one.
pub(super) fn objects(index: &Index<'_>, faults: &mut Vec<Fault>) {
    let listed = listed_objects(index);
    every_field(index.service, |field, at| {
        if index.object(&field.ty).is_some() {
            let help = |key: &str| format!("write `{key}` on the object's own fields");
            let why = "an object is no single value";
            refuse(field.filter, NoFilter, &at.key("filter"), why, &help("filter"), faults);
            refuse(field.sort, NoOrder, &at.key("sort"), why, &help("sort"), faults);
            refuse(field.unique, NoUnique, &at.key("unique"), why, &help("unique"), faults);
        }
    });
    for object in index.service.objects.iter().filter(|object| listed.contains(object.name.as_str())) {
        let definition = Place::Definition(&object.name);
        let fields = definition.key("fields");
        for field in &object.fields {
            let at = fields.key(&field.name);
            let why = format!("`{}` stands in an array, and uniqueness is not held there", object.name);
            refuse(field.unique, NoUnique, &at.key("unique"), &why, "take `unique` away", faults);
        }
    }
}

/// The objects that stand in an array somewhere, directly or in one that does.
fn listed_objects<'a>(index: &Index<'a>) -> HashSet<&'a str> {
    let mut open = Vec::new();
    every_field(index.service, |field, _| open.extend(index.listed_object(&field.ty)));
    let mut listed = HashSet::new();
    while let Some(object) = open.pop() {
        if listed.insert(object.name.as_str()) {
            open.extend(object.fields.iter().filter_map(|field| index.object(&field.ty)));
        }
    }
    listed
}

/// `secret` where nothing could be kept secret.
pub(super) fn secrets(field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
    if field.secret.is_none() {
        return;
    }
    let at_secret = at.key("secret");
    if !matches!(field.ty, Type::String { .. }) {
        let message = format!("a secret is a string, not {}", field.ty.word());
        faults.push(at_secret.fault(SecretMisuse, message).help("write `type: string`"));
    }
    if !field.write_only {
        let fault = at_secret.fault(SecretMisuse, "a secret is not `writeOnly`, and its hash would be shown");
        faults.push(fault.help("write `writeOnly: true` beside it"));
    }
    let unique = "of a secret only a salted hash is kept, which is never equal to another";
    refuse(field.unique, SecretMisuse, &at.key("unique"), unique, "take `unique` away", faults);
}

/// A required reference that would be taken away. (An item of an array goes as a whole.)
pub(super) fn on_delete(field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
    if field.required && matches!(field.ty, Type::Ref { on_delete: OnDelete::Null, .. }) {
        let fault = at.key("onDelete").fault(NullOnRequired, "a required reference never becomes null");
        faults.push(fault.help("write `onDelete: restrict` or `cascade`, or take `required` away"));
    }
}

/// Keys that mean nothing on a command's input.
pub(super) fn of_input(field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let keys = [
        ("filter", field.filter),
        ("sort", field.sort),
        ("unique", field.unique),
        ("immutable", field.immutable),
        ("readOnly", field.read_only),
        ("views", field.views.is_some()),
    ];
    refuse_keys(&keys, "input", at, faults);
}

/// Keys that mean nothing on a command's output.
pub(super) fn of_output(field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
    of_input(field, at, faults);
    let keys = [
        ("required", field.required),
        ("default", field.default.is_some()),
        ("writeOnly", field.write_only),
        ("secret", field.secret.is_some()),
    ];
    refuse_keys(&keys, "output", at, faults);
}

fn refuse_keys(keys: &[(&str, bool)], word: &str, at: &Place<'_>, faults: &mut Vec<Fault>) {
    for (key, is_set) in keys {
        let why = format!("`{key}` means nothing on a command's {word}");
        refuse(*is_set, CommandKey, &at.key(key), &why, &format!("take `{key}` away"), faults);
    }
}

fn refuse(is_set: bool, code: FaultCode, at: &Place<'_>, why: &str, help: &str, faults: &mut Vec<Fault>) {
    if is_set {
        faults.push(at.fault(code, why).help(help));
    }
}
