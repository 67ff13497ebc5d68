//! `#[derive(Object)]`: reads a struct as a nested object.

use crate::context::Context;
use crate::field::{self, Member};
use crate::{common, docs, symbol};
use restwell_model::{Field, ModelPath, Object, check};
use syn::ext::IdentExt;
use syn::{DeriveInput, Result};

/// Reads and checks an object.
pub(crate) fn read(input: &DeriveInput) -> Result<(Object, Vec<Member>)> {
    Context::read(&input.ident, |context| read_in(context, input))
}

fn read_in(context: &mut Context, input: &DeriveInput) -> Result<(Object, Vec<Member>)> {
    let name = input.ident.unraw().to_string();
    let at = ModelPath::definition(&name);

    let members = field::members(input, &at.key("fields"), context);
    let (deprecations, allow) = common::definition(input, symbol::OBJECT, &at, context);
    let description = docs::description(&input.attrs);
    let object = Object { name, description, fields: field::fields(&members), deprecations, allow };

    if context.is_clean() {
        field::options(&members, &at.key("fields"), Field::may_be_null, context);
        let is_output = common::has(input, symbol::OBJECT, symbol::OUTPUT);
        context.faults(if is_output { check::output(&object) } else { check::object(&object) });
    } else {
        let alone = Object::new(&object.name, field::sound_fields(&members));
        context.faults_at(&at.key("fields"), check::object(&alone));
    }
    Ok((object, members))
}
