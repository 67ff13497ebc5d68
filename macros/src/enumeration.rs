//! `#[derive(Enum)]`: a Rust enum, read as a list of values.

use crate::attribute::{self, Given};
use crate::reading::Reading;
use crate::{common, docs, words};
use heck::ToShoutySnakeCase;
use proc_macro2::Ident;
use quote::ToTokens;
use restwell_model::{Enum, ModelPath, check};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Error, Fields, Result, Variant};

/// A variant, read.
pub(crate) enum Case {
    /// One of the enum's values.
    Value(Ident, String),
    /// Takes stored values that are none of these any more, or not yet (§2.4.8).
    Unknown(Ident),
}

/// Reads and checks an enum.
pub(crate) fn read(input: &DeriveInput) -> Result<(Enum, Vec<Case>)> {
    let mut reading = Reading::of(&input.ident);
    let name = input.ident.unraw().to_string();
    let at = ModelPath::definition(&name);

    let cases = cases(input, &at.key("values"), &mut reading);
    let allow = common::definition_allow(input, "enumeration", &at, &mut reading);
    let values = cases.iter().filter_map(Case::value).cloned().collect();
    let enumeration = Enum { name, description: docs::description(&input.attrs), values, allow };

    if reading.is_clean() {
        reading.faults(check::enumeration(&enumeration));
    }
    reading.finish(Ok((enumeration, cases)))
}

impl Case {
    fn value(&self) -> Option<&String> {
        match self {
            Self::Value(_, value) => Some(value),
            Self::Unknown(_) => None,
        }
    }
}

fn cases(input: &DeriveInput, at: &ModelPath, reading: &mut Reading) -> Vec<Case> {
    let Data::Enum(data) = &input.data else {
        reading.error(Error::new_spanned(&input.ident, "this derive is for enums; for a struct derive `Object`"));
        return Vec::new();
    };
    let mut cases = Vec::new();
    for variant in &data.variants {
        let Some(case) = reading.note(case(variant)) else { continue };
        if let Case::Value(_, value) = &case {
            let index = at.index(cases.iter().filter_map(Case::value).count());
            let said = variant.attrs.iter().find(|attribute| attribute.path().is_ident("value"));
            let place = said.map_or_else(|| variant.ident.to_token_stream(), ToTokens::to_token_stream);
            reading.places.value(&at.key(value), &place);
            reading.places.value(&index, place);
        } else if cases.iter().any(|case| matches!(case, Case::Unknown(_))) {
            reading.error(Error::new_spanned(&variant.ident, "one variant takes all unknown values"));
        }
        cases.push(case);
    }
    cases
}

fn case(variant: &Variant) -> Result<Case> {
    let ident = variant.ident.clone();
    let arguments = attribute::arguments(&variant.attrs, "value")?;
    let said = match arguments.as_slice() {
        [] => None,
        [one] if matches!(one.given, Given::Nothing) => Some(&one.name),
        [first, ..] => {
            return Err(Error::new_spanned(first, "write `#[value(\"WHITE\")]` or `#[value(unknown)]`"));
        }
    };
    match (said, &variant.fields) {
        (Some(attribute::Name::Text(value)), Fields::Unit) => Ok(Case::Value(ident, value.value())),
        (Some(attribute::Name::Word(word)), fields) if word == words::UNKNOWN => match fields {
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => Ok(Case::Unknown(ident)),
            _ => Err(Error::new_spanned(&ident, format!("it keeps the unknown value: write `{ident}(String)`"))),
        },
        (Some(attribute::Name::Word(word)), _) => {
            Err(Error::new_spanned(word, "write `#[value(\"WHITE\")]` or `#[value(unknown)]`"))
        }
        (None, Fields::Unit) => {
            let value = ident.unraw().to_string().to_shouty_snake_case();
            Ok(Case::Value(ident, value))
        }
        (_, fields) => Err(Error::new_spanned(
            fields,
            "a value holds nothing; only the variant of `#[value(unknown)]` has a `String`",
        )),
    }
}
