//! `#[derive(Object)]`: a struct, read as a nested structure.

use crate::field::{self, Member};
use crate::reading::Reading;
use crate::{common, docs};
use restwell_model::{ModelPath, Object, check};
use syn::ext::IdentExt;
use syn::{DeriveInput, Result};

/// Reads and checks an object.
pub(crate) fn read(input: &DeriveInput) -> Result<(Object, Vec<Member>)> {
    let mut reading = Reading::of(&input.ident);
    let name = input.ident.unraw().to_string();
    let at = ModelPath::definition(&name);

    let members = field::members(input, &at.key("fields"), &mut reading);
    let allow = common::definition_allow(input, "object", &at, &mut reading);
    let description = docs::description(&input.attrs);
    let object = Object { name, description, fields: field::fields(&members), allow };

    if reading.is_clean() {
        reading.faults(check::object(&object));
    }
    reading.finish(Ok((object, members)))
}
