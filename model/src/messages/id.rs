//! Ids of messages: a code, or a resource, the path of one of its fields, and a code.

use super::FIELD;
use crate::check::{Checked, Kind};
use crate::field::{Field, Type};
use crate::{ErrorCode, names};

/// The separator of the parts of an id.
const JOINT: char = '_';
/// The path of an error about a command's id.
const COMMAND_ID: &str = "commandId";

/// The id of the message of one field: `Offer_buyNow_amount_TooLarge` for the path `buyNow.amount`. Indexes are left
/// out: all items of an array have one message.
#[must_use]
pub fn flat(resource: &str, path: &str, code: &str) -> String {
    let mut id = String::with_capacity(resource.len() + path.len() + code.len() + 2);
    id.push_str(resource);
    let is_index = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    for part in path.split('.').filter(|part| !is_index(part)).chain([code]) {
        id.push(JOINT);
        id.push_str(part);
    }
    id
}

/// Why an id is invalid, and what to write instead.
pub(super) struct InvalidId {
    pub(super) message: String,
    pub(super) help: String,
}

/// Checks an id against the error codes, and against the resources of the service if they are known.
pub(super) fn check(id: &str, service: Option<&Checked>) -> Result<(), InvalidId> {
    let parts: Vec<&str> = id.split(JOINT).collect();
    match parts.as_slice() {
        [] => Ok(()),
        [code] => check_code(id, code),
        [_, _] => Err(InvalidId {
            message: format!("`{id}` is neither an error code nor the id of a field's message"),
            help: "write only the code, as in `TooLong`, or resource, field and code, as in `Offer_name_TooLong`"
                .to_owned(),
        }),
        [resource, path @ .., code] => {
            check_code(id, code)?;
            service.map_or(Ok(()), |service| check_path(id, resource, path, service))
        }
    }
}

fn check_code(id: &str, code: &str) -> Result<(), InvalidId> {
    let codes = || ErrorCode::ALL.iter().map(|code| code.name());
    if codes().any(|known| known == code) {
        return Ok(());
    }
    let is_slip = |known: &str| strsim::osa_distance(known, code) == 1;
    let message = format!("the message `{id}` does not belong to an error code");
    if let Some(known) = codes().find(|known| is_slip(known)) {
        let help = format!("write `{known}`, or choose a custom code that differs from it by more than one letter");
        return Err(InvalidId { message, help });
    }
    if names::is_pascal(code) {
        return Ok(());
    }
    let help = match names::nearest(code, codes()) {
        Some(near) => format!("write `{near}`"),
        None => "write the code in PascalCase, as in `OfferStillActive`".to_owned(),
    };
    Err(InvalidId { message, help })
}

fn check_path(id: &str, resource: &str, path: &[&str], service: &Checked) -> Result<(), InvalidId> {
    let unknown = |owner: &str, name: &str, known: Vec<&str>| {
        let help = match names::nearest(name, known.iter().copied()) {
            Some(near) => format!("write `{near}`"),
            None if known.is_empty() => format!("`{owner}` has no fields; remove `{name}`"),
            None => format!(
                "the known names are {}",
                known.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
            ),
        };
        Err(InvalidId {
            message: format!("the message `{id}` does not belong to a field: `{owner}` has no `{name}`"),
            help,
        })
    };
    let Some(found) = service.resource(resource) else {
        let known = service.resources.iter().map(|resource| resource.name.as_str());
        let help = match names::nearest(resource, known) {
            Some(near) => format!("write `{near}`"),
            None => "an id with `_` must begin with the name of a resource; a code has no `_`".to_owned(),
        };
        return Err(InvalidId {
            message: format!("the message `{id}` does not belong to a resource: `{resource}` does not exist"),
            help,
        });
    };
    let inputs = found.commands.iter().flat_map(|command| &command.input);
    let mut types: Vec<(&str, Option<&Type>)> = found.fields.iter().chain(inputs).map(typed).collect();
    types.extend(names::COMMON_FIELDS.iter().map(|name| (*name, None)));
    types.extend((!found.commands.is_empty()).then_some((COMMAND_ID, None)));
    let mut owner = resource;
    for name in path {
        // a command input may have the name of a field and another type: both are accepted
        let of_name: Vec<_> = types.iter().filter(|(known, _)| known == name).copied().collect();
        if of_name.is_empty() {
            return unknown(owner, name, types.into_iter().map(|(known, _)| known).collect());
        }
        types = of_name.into_iter().filter_map(|(_, ty)| ty).flat_map(|ty| inside(ty, service)).collect();
        owner = name;
    }
    Ok(())
}

fn typed(field: &Field) -> (&str, Option<&Type>) {
    (field.name.as_str(), Some(&field.ty))
}

/// The parts below a field that errors can have as their path.
fn inside<'s>(ty: &'s Type, service: &'s Checked) -> Vec<(&'s str, Option<&'s Type>)> {
    match service.kind(ty.element()) {
        Kind::Object(object) => object.fields.iter().map(typed).collect(),
        Kind::Scalar(Type::Price { .. }) => vec![("amount", None), ("currency", None)],
        Kind::Scalar(Type::Ref { .. }) => vec![("id", None)],
        Kind::Scalar(_) | Kind::Enum(_) | Kind::Array(_) | Kind::Map(_) => Vec::new(),
    }
}

/// The variables that a message can use; `None`: its code is a team's own, and only they know what its details are.
pub(super) fn variables(id: &str) -> Option<Vec<&'static str>> {
    let name = id.rsplit(JOINT).next()?;
    let code = ErrorCode::ALL.iter().find(|code| code.name() == name)?;
    let mut variables = code.variables();
    // errors of the request as a whole have no path
    variables.extend((code.status() == 422).then_some(FIELD));
    Some(variables)
}
