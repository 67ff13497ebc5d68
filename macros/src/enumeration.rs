//! `#[derive(Enum)]`: reads a Rust enum as a list of values.

use crate::attribute::{self, ArgumentValue};
use crate::context::Context;
use crate::{common, docs, symbol};
use heck::ToShoutySnakeCase;
use proc_macro2::Ident;
use quote::ToTokens;
use restwell_model::{Enum, ModelPath, check};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Error, Fields, Result, Variant};

/// A variant, read.
pub(crate) enum EnumVariant {
    /// One of the enum's values.
    Value(Ident, String),
    /// Receives stored values that the enum does not have (§2.4.8).
    Unknown(Ident),
}

/// Reads and checks an enum.
pub(crate) fn read(input: &DeriveInput) -> Result<(Enum, Vec<EnumVariant>)> {
    Context::read(&input.ident, |context| read_in(context, input))
}

fn read_in(context: &mut Context, input: &DeriveInput) -> Result<(Enum, Vec<EnumVariant>)> {
    let name = input.ident.unraw().to_string();
    let at = ModelPath::definition(&name);

    let cases = cases(input, &at.key("values"), context);
    let (deprecations, allow) = common::definition(input, "enumeration", &at, context);
    let values = cases.iter().filter_map(EnumVariant::value).cloned().collect();
    let description = docs::description(&input.attrs);
    let enumeration = Enum { description, deprecations, allow, ..Enum::new(&name, values) };

    if context.is_clean() {
        context.faults(check::enumeration(&enumeration));
    }
    Ok((enumeration, cases))
}

impl EnumVariant {
    fn value(&self) -> Option<&String> {
        match self {
            Self::Value(_, value) => Some(value),
            Self::Unknown(_) => None,
        }
    }
}

fn cases(input: &DeriveInput, at: &ModelPath, context: &mut Context) -> Vec<EnumVariant> {
    let Data::Enum(data) = &input.data else {
        context
            .error(Error::new_spanned(&input.ident, "this derive works on enums only; for a struct derive `Object`"));
        return Vec::new();
    };
    let mut cases = Vec::new();
    for variant in &data.variants {
        let Some(case) = context.note(case(variant)) else { continue };
        if let EnumVariant::Value(_, value) = &case {
            let index = at.index(cases.iter().filter_map(EnumVariant::value).count());
            let said = variant.attrs.iter().find(|attribute| attribute.path().is_ident("value"));
            let place = said.map_or_else(|| variant.ident.to_token_stream(), ToTokens::to_token_stream);
            context.places.value(&at.key(value), &place);
            context.places.value(&index, place);
        } else if cases.iter().any(|case| matches!(case, EnumVariant::Unknown(_))) {
            context.error(Error::new_spanned(&variant.ident, "only one variant can be `#[value(unknown)]`"));
        }
        cases.push(case);
    }
    cases
}

fn case(variant: &Variant) -> Result<EnumVariant> {
    let ident = variant.ident.clone();
    let arguments = attribute::arguments(&variant.attrs, "value")?;
    let said = match arguments.as_slice() {
        [] => None,
        [one] if matches!(one.given, ArgumentValue::Nothing) => Some(&one.name),
        [first, ..] => {
            return Err(Error::new_spanned(first, "write `#[value(\"WHITE\")]` or `#[value(unknown)]`"));
        }
    };
    match (said, &variant.fields) {
        (Some(attribute::ArgumentName::Text(value)), Fields::Unit) => Ok(EnumVariant::Value(ident, value.value())),
        (Some(attribute::ArgumentName::Word(word)), fields) if word == symbol::UNKNOWN => match fields {
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => Ok(EnumVariant::Unknown(ident)),
            _ => Err(Error::new_spanned(
                &ident,
                format!("this variant stores the unknown value: write `{ident}(String)`"),
            )),
        },
        (Some(attribute::ArgumentName::Word(word)), _) => {
            Err(Error::new_spanned(word, "write `#[value(\"WHITE\")]` or `#[value(unknown)]`"))
        }
        (None, Fields::Unit) => {
            let value = ident.unraw().to_string().to_shouty_snake_case();
            Ok(EnumVariant::Value(ident, value))
        }
        (_, fields) => Err(Error::new_spanned(
            fields,
            "a variant cannot have fields; only the variant with `#[value(unknown)]` has a `String`",
        )),
    }
}
