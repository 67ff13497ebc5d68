//! Values in a description: defaults and examples.

use crate::check::FaultCode::{BadDefault, BadExample, SenselessDefault};
use crate::check::place::Place;
use crate::check::rules::every_field;
use crate::check::{Checked, Fault, FaultCode};
use crate::field::{Field, Type};
use crate::input::check_field_json;
use serde_json::Value;

/// A default where there can be none.
pub(super) fn senseless_default(field: &Field, at: &Place<'_>, faults: &mut Vec<Fault>) {
    let Some(default) = &field.default else { return };
    let why = if default.is_null() {
        "an omitted field is null already"
    } else if matches!(field.ty.element(), Type::Ref { .. }) {
        "the referenced entity might not exist"
    } else if field.unique.is_on() {
        "the field is `unique`, so only one entity could have it"
    } else if field.secret.is_some() {
        "the secret would be public"
    } else {
        return;
    };
    let fault = at.key("default").fault(SenselessDefault, format!("`{}` cannot have a default: {why}", field.name));
    faults.push(fault.help("remove `default`"));
}

/// Defaults and examples are values of their fields.
pub(super) fn defaults_and_examples(candidate: &Checked, faults: &mut Vec<Fault>) {
    every_field(candidate, |field, at| {
        if let Some(default) = field.default.as_ref().filter(|default| !default.is_null()) {
            held_to_type(candidate, field, default, BadDefault, &at.key("default"), faults);
        }
        if let Some(example) = &field.example {
            held_to_type(candidate, field, example, BadExample, &at.key("example"), faults);
        }
    });
}

fn held_to_type(
    candidate: &Checked,
    field: &Field,
    value: &Value,
    code: FaultCode,
    at: &Place<'_>,
    faults: &mut Vec<Fault>,
) {
    for problem in check_field_json(candidate, field, value) {
        let inner = problem.path.as_deref().filter(|path| !path.is_empty());
        let within = inner.map(|path| format!("`{path}` of ")).unwrap_or_default();
        let fault = at.fault(code, format!("{within}`{value}` {}", problem.message()));
        faults.push(fault.help(format!("write a value that is valid for `{}` in a request", field.name)));
    }
}
