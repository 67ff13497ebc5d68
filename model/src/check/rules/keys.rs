//! Keys of a field that contradict each other or the type of the field.

use crate::check::FaultCode::{
    CommandKey, ImmutableReadOnly, NoFilter, NoOrder, NoUnique, NoVersion, NullOnRequired, ReadAndWriteOnly,
    SecretMisuse, SlowContains,
};
use crate::check::index::DefinitionIndex;
use crate::check::place::Place;
use crate::check::rules::{every_field, object_uses, repeated_names};
use crate::check::{Fault, FaultCode};
use crate::field::{Field, OnDelete, Type};
use crate::language::{Order, TypeClass};

/// `readOnly`, `writeOnly` and `immutable`.
pub(super) fn contradictions(field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
    if field.read_only && field.write_only {
        let message = "a field that is `readOnly` and `writeOnly` can be neither written nor read";
        faults.push(at.key("writeOnly").fault(ReadAndWriteOnly, message).help("remove one of the two keys"));
    }
    if field.read_only && field.immutable {
        let message = "clients never set a `readOnly` field, so `immutable` has no effect";
        faults.push(at.key("immutable").fault(ImmutableReadOnly, message).help("remove `immutable`"));
    }
}

/// A field that no version has is never seen.
pub(super) fn in_no_version(field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
    if field.versions.as_ref().is_some_and(Vec::is_empty) {
        let fault = at.key("versions").fault(NoVersion, format!("`{}` is in no version", field.name));
        faults.push(fault.help("name the versions that have it, or remove the key: then all have it"));
    }
}

/// `filter`, `sort` and `unique` on what cannot be asked for. What a named type is, [`objects`] knows.
pub(super) fn queries(field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
    if field.write_only {
        const WHY: &str = "a filter or an order would reveal the value of a `writeOnly` field";
        refuse(field.filter.is_on(), NoFilter, &at.key("filter"), WHY, "remove `filter`", faults);
        refuse(field.sort, NoOrder, &at.key("sort"), WHY, "remove `sort`", faults);
        return;
    }
    match field.ty.class() {
        TypeClass::Array(_) => {
            let search = "remove `filter`, and list the field in the `search` of the resource";
            refuse(
                field.filter.is_on(),
                NoFilter,
                &at.key("filter"),
                "an array can be filtered only by a search",
                search,
                faults,
            );
            refuse(field.sort, NoOrder, &at.key("sort"), "an array has no order", "remove `sort`", faults);
            let unique = "write `uniqueItems: true` if no two items may be equal";
            refuse(field.unique.is_on(), NoUnique, &at.key("unique"), "an array cannot be unique", unique, faults);
        }
        TypeClass::Map(_) => free(field, at, "a map", faults),
        TypeClass::Scalar(_) if field.ty.is_free() => free(field, at, "JSON of any form", faults),
        TypeClass::Ref(_) => {
            refuse(field.sort, NoOrder, &at.key("sort"), "a reference has no order", "remove `sort`", faults);
        }
        TypeClass::Scalar(scalar) => {
            if let Order::None(why) = scalar.order {
                refuse(field.sort, NoOrder, &at.key("sort"), why, "remove `sort`", faults);
            }
        }
        TypeClass::Named(_) => {}
    }
}

/// What the service knows nothing of but whether it is there.
fn free(field: &Field, at: &Place<'_>, what: &str, faults: &mut Vec<Fault>) {
    let cure = |key: &str| format!("remove `{key}`, and make what is looked for a field of its own");
    let why = format!("{what} is not indexed, and cannot be filtered or searched");
    refuse(field.filter.is_on(), NoFilter, &at.key("filter"), &why, &cure("filter"), faults);
    let why = format!("{what} has no order");
    refuse(field.sort, NoOrder, &at.key("sort"), &why, &cure("sort"), faults);
    let why = format!("{what} cannot be unique");
    refuse(field.unique.is_on(), NoUnique, &at.key("unique"), &why, &cure("unique"), faults);
}

/// What `filter` lists beside equality: each once, parts of texts of texts only; what no index serves is reported.
pub(super) fn matches(field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let at = at.key("filter");
    repeated_names(field.filter.matches().iter().map(|it| it.word()), &at, faults);
    for (position, it) in field.filter.matches().iter().enumerate() {
        let (at, word) = (at.index(position), it.word());
        if it.is_of_texts() && !matches!(field.ty, Type::String { .. }) {
            let message = format!("`{word}` compares texts, and the type of `{}` is `{}`", field.name, field.ty.word());
            faults.push(at.fault(NoFilter, message).help(format!("remove `{word}`")));
        } else if let Some(indexed) = it.indexed_instead() {
            let message =
                format!("no index serves `{}.{word}`: a list reads every row until its page is full", field.name);
            let few = "say that there are few rows: `allow: { slow-contains: … }`";
            let help = format!("use `{}`, which has an index, or {few}", indexed.word());
            faults.push(at.fault(SlowContains, message).help(help));
        }
    }
}

/// The same on objects, which have fields to say so, and inside arrays, where there are many values and not one.
pub(super) fn objects(index: &DefinitionIndex<'_>, faults: &mut Vec<Fault>) {
    let (listed, direct) = (object_uses::listed(index), object_uses::direct(index));
    every_field(index.service, |field, at| {
        if index.object(&field.ty).is_some() {
            let help = |key: &str| format!("write `{key}` on the object's own fields");
            let why = "an object is not a single value";
            refuse(field.filter.is_on(), NoFilter, &at.key("filter"), why, &help("filter"), faults);
            refuse(field.sort, NoOrder, &at.key("sort"), why, &help("sort"), faults);
            refuse(field.unique.is_on(), NoUnique, &at.key("unique"), why, &help("unique"), faults);
        }
    });
    for object in index.service.objects.iter().filter(|object| listed.contains(object.name.as_str())) {
        let definition = Place::Definition(&object.name);
        let fields = definition.key("fields");
        for field in &object.fields {
            let at = fields.key(&field.name);
            let why = format!("`{}` is used in an array, and uniqueness is not checked inside arrays", object.name);
            refuse(field.unique.is_on(), NoUnique, &at.key("unique"), &why, "remove `unique`", faults);
            // an object that is used outside of arrays as well is sorted by there
            let is_idle = field.sort && !direct.contains(object.name.as_str());
            let why = format!("`{}` is used in arrays only, where there are many values to sort by", object.name);
            refuse(is_idle, NoOrder, &at.key("sort"), &why, "remove `sort`", faults);
        }
    }
}

/// `secret` on a field that cannot be a secret.
pub(super) fn secrets(field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
    if field.secret.is_none() {
        return;
    }
    let at_secret = at.key("secret");
    if !matches!(field.ty, Type::String { .. }) {
        let message = format!("a secret must be a string, but its type is `{}`", field.ty.word());
        faults.push(at_secret.fault(SecretMisuse, message).help("write `type: string`"));
    }
    if !field.write_only {
        let fault = at_secret.fault(SecretMisuse, "a secret must be `writeOnly`; otherwise its hash would be shown");
        faults.push(fault.help("add `writeOnly: true`"));
    }
    let unique = "only a salted hash of a secret is stored, and two salted hashes are never equal";
    refuse(field.unique.is_on(), SecretMisuse, &at.key("unique"), unique, "remove `unique`", faults);
}

/// A required reference that would be taken away. (An item of an array goes as a whole.)
pub(super) fn on_delete(field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
    if field.required && matches!(field.ty, Type::Ref { on_delete: OnDelete::Null, .. }) {
        let fault = at.key("onDelete").fault(NullOnRequired, "a required reference cannot become null");
        faults.push(fault.help("write `onDelete: restrict` or `cascade`, or remove `required`"));
    }
}

/// Keys that mean nothing on a command's input.
pub(super) fn of_input(field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let keys = [
        ("filter", field.filter.is_on()),
        ("sort", field.sort),
        ("unique", field.unique.is_on()),
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
        let why = format!("`{key}` has no meaning for an {word} of a command");
        refuse(*is_set, CommandKey, &at.key(key), &why, &format!("remove `{key}`"), faults);
    }
}

fn refuse(is_set: bool, code: FaultCode, at: &Place<'_>, why: &str, help: &str, faults: &mut Vec<Fault>) {
    if is_set {
        faults.push(at.fault(code, why).help(help));
    }
}
