//! Fields: a struct's member with its attribute, as a field of the model and as what is to be emitted for it.

use crate::attribute::{self, Argument};
use crate::reading::Reading;
use crate::types::{self, FieldType, Used};
use crate::{common, constraints, docs, words};
use proc_macro2::Ident;
use restwell_model::{Field, ModelPath, Secret, Type, names};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Error, Fields, Result};

/// A member of a struct, read.
pub(crate) struct Member {
    pub(crate) ident: Ident,
    pub(crate) ty: syn::Type,
    pub(crate) field: Field,
    pub(crate) used: Option<Used>,
}

impl Member {
    /// The digits after the point, where it holds decimals.
    pub(crate) fn scale(&self) -> Option<u32> {
        match self.field.ty.element() {
            Type::Decimal { scale, .. } => Some(*scale),
            _ => None,
        }
    }
}

/// The fields of the model.
pub(crate) fn fields(members: &[Member]) -> Vec<Field> {
    members.iter().map(|member| member.field.clone()).collect()
}

/// Reads the members of a struct, which stand in the model under `at`.
pub(crate) fn members(input: &DeriveInput, at: &ModelPath, reading: &mut Reading) -> Vec<Member> {
    if !input.generics.params.is_empty() {
        reading.error(Error::new_spanned(&input.generics, "what is described is one type: it has no parameters"));
        return Vec::new();
    }
    let members = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => fields.named.iter().collect(),
            Fields::Unit => Vec::new(),
            Fields::Unnamed(fields) => {
                reading.error(Error::new_spanned(fields, "fields need names: write `{ name: Type, … }`"));
                Vec::new()
            }
        },
        Data::Enum(_) | Data::Union(_) => {
            reading.error(Error::new_spanned(&input.ident, "this derive is for structs; for an enum derive `Enum`"));
            Vec::new()
        }
    };
    members.into_iter().filter_map(|member| read(member, at, reading)).collect()
}

fn read(member: &syn::Field, at: &ModelPath, reading: &mut Reading) -> Option<Member> {
    let ident = member.ident.clone()?;
    let arguments = reading.note(attribute::arguments(&member.attrs, "field"))?;
    let FieldType { ty, optional, used } = reading.note(types::read(&member.ty))?;
    let renamed = arguments.iter().find(|argument| argument.name.text() == words::NAME);
    let mut field = Field::new(&name(&ident, renamed), ty);
    field.required = !optional && !is_array(&field);
    field.description = docs::description(&member.attrs);

    let at = at.key(&field.name);
    mark(&at, member, &ident, &arguments, used.as_ref(), reading);
    if let Some(renamed) = renamed {
        reading.places.key(&at, renamed.place());
    }
    reading.each(&at, &arguments, &[], |_, argument| put(&mut field, optional, argument));
    Some(Member { ident, ty: member.ty.clone(), field, used })
}

/// The name in JSON: the member's in camelCase, if the attribute says nothing else.
fn name(ident: &Ident, renamed: Option<&Argument>) -> String {
    let given = renamed.and_then(|argument| argument.text().ok());
    given.unwrap_or_else(|| names::camel(&ident.unraw().to_string()))
}

/// Remembers the places of a field that stand outside its attribute, and those of its items' constraints.
fn mark(
    at: &ModelPath,
    member: &syn::Field,
    ident: &Ident,
    arguments: &[Argument],
    used: Option<&Used>,
    reading: &mut Reading,
) {
    let places = &mut reading.places;
    places.key(at, ident);
    places.value(at, ident);
    for of in [at.clone(), at.key("items")] {
        places.value(&of.key("type"), &member.ty);
        if let Some(used) = used {
            places.value(&of.key("type"), used.path());
            places.value(&of.key("to"), used.path());
        }
    }
    for argument in arguments {
        places.argument(&at.key("items"), argument);
    }
}

fn put(field: &mut Field, optional: bool, argument: &Argument) -> Result<()> {
    let word = argument.name.text();
    match word.as_str() {
        words::NAME => drop(argument.text()?),
        words::REQUIRED => field.required = required(field, optional, argument)?,
        words::DEFAULT => field.default = Some(argument.json(&field.ty)?),
        words::EXAMPLE => field.example = Some(argument.json(&field.ty)?),
        words::IMMUTABLE => field.immutable = argument.flag()?,
        words::READ_ONLY => field.read_only = argument.flag()?,
        words::WRITE_ONLY => field.write_only = argument.flag()?,
        words::SECRET => field.secret = Some(secret(argument)?),
        words::FILTER => field.filter = argument.flag()?,
        words::SORT => field.sort = argument.flag()?,
        words::UNIQUE => field.unique = argument.flag()?,
        words::VIEWS => field.views = Some(argument.words()?),
        words::VERSIONS => field.versions = Some(common::versions(argument)?),
        words::DEPRECATED => field.deprecated = argument.flag()?,
        words::SUNSET => field.sunset = Some(common::date(argument)?),
        words::RENAMED_FROM => field.renamed_from = Some(argument.text()?),
        words::ALLOW => field.allow = common::allow(argument)?,
        _ => constraints::put(&mut field.ty, argument)?,
    }
    Ok(())
}

/// Whether a field is required is told by its type, except that of an array: it is never null, but may be left out.
fn required(field: &Field, optional: bool, argument: &Argument) -> Result<bool> {
    let cure = if is_array(field) {
        return argument.flag();
    } else if optional {
        "a required field is no `Option`: write its type alone"
    } else {
        "a field that is no `Option` is required already: leave the word out"
    };
    Err(Error::new_spanned(argument, cure))
}

fn secret(argument: &Argument) -> Result<Secret> {
    match argument.word()?.as_str() {
        "argon2" => Ok(Secret::Argon2),
        _ => Err(Error::new_spanned(argument.place(), "a secret is kept as its hash: write `secret = argon2`")),
    }
}

fn is_array(field: &Field) -> bool {
    matches!(field.ty, Type::Array { .. })
}
