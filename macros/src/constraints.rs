//! The values of the keys of fields and of types.

use crate::attribute::Argument;
use crate::common::{self, date};
use crate::symbol;
use restwell_model::language::{self, KeyShape, KeySpec};
use restwell_model::scalar::Timestamp;
use restwell_model::{Format, OnDelete, Secret, Type};
use serde::Serialize;
use serde_json::{Map, Value};
use syn::{Error, Result};

/// Sets one constraint on the type. On an array, constraints other than those of arrays apply to its items.
pub(crate) fn put(ty: &mut Type, argument: &Argument) -> Result<()> {
    let Some(key) = symbol::key(ty.key_table(), argument) else {
        return match ty {
            Type::Array { items, .. } => put(items, argument),
            _ => Err(misplaced(argument)),
        };
    };
    let keys = Map::from_iter([(key.name.to_owned(), value(key, argument)?)]);
    *ty = ty.clone().with_keys(keys);
    Ok(())
}

/// The value of a key, in the form that the JSON of the model has.
pub(crate) fn value(key: &KeySpec, argument: &Argument) -> Result<Value> {
    match key.shape {
        KeyShape::Switch => json(argument, argument.flag()?),
        KeyShape::Text
        | KeyShape::Prose
        | KeyShape::Name(_)
        | KeyShape::Path
        | KeyShape::Through
        | KeyShape::Duration => json(argument, argument.text()?),
        KeyShape::Count => json(argument, argument.count()?),
        KeyShape::Integer => json(argument, argument.integer()?),
        KeyShape::Number => json(argument, argument.float()?),
        KeyShape::Decimal => json(argument, argument.decimal()?),
        KeyShape::Timestamp => json(argument, timestamp(argument)?),
        KeyShape::Date => json(argument, date(argument)?),
        KeyShape::Format => json(argument, read_format(argument)?),
        KeyShape::OnDelete => json(argument, read_on_delete(argument)?),
        KeyShape::Secret => json(argument, read_secret(argument)?),
        KeyShape::Texts | KeyShape::Words => json(argument, argument.words()?),
        KeyShape::Names(_) => json(argument, argument.fields()?),
        KeyShape::Versions => json(argument, common::versions(argument)?),
        KeyShape::Allow => json(argument, common::allow(argument)?),
        // not keys of fields and types, or not said by an argument
        KeyShape::Type
        | KeyShape::Combinations
        | KeyShape::Access
        | KeyShape::Operations
        | KeyShape::Views
        | KeyShape::Commands
        | KeyShape::Fields
        | KeyShape::Items
        | KeyShape::Search
        | KeyShape::Default
        | KeyShape::Example => Err(symbol::unknown_in_field(argument)),
    }
}

fn json(argument: &Argument, value: impl Serialize) -> Result<Value> {
    serde_json::to_value(value).map_err(|error| Error::new_spanned(argument, error))
}

/// The error for a key that the type does not have.
fn misplaced(argument: &Argument) -> Error {
    let with_key = language::TYPES.iter().filter(|table| symbol::key(table, argument).is_some());
    let of = match with_key.map(|table| table.what).collect::<Vec<_>>().as_slice() {
        ["string"] => "a `String`",
        ["decimal"] => "a `Decimal`",
        ["price"] => "a `Price`",
        ["ref"] => "a `Ref`",
        ["array"] => "a `Vec`",
        [] => return symbol::unknown_in_field(argument),
        _ => "a number, a price, a timestamp or a date",
    };
    Error::new_spanned(&argument.name, format!("`{}` applies only to {of}", argument.name.text()))
}

fn read_format(argument: &Argument) -> Result<Format> {
    argument.parsed("a format: `email` or `uri`", |text| {
        language::FORMATS.iter().find(|(word, _)| *word == text).map(|(_, format)| *format)
    })
}

fn read_on_delete(argument: &Argument) -> Result<OnDelete> {
    let word = argument.word()?;
    let found = language::ON_DELETE.iter().find(|(known, _)| *known == word).map(|(_, action)| *action);
    found.ok_or_else(|| Error::new_spanned(argument.place(), "write `restrict`, `cascade` or `null`"))
}

fn read_secret(argument: &Argument) -> Result<Secret> {
    let word = argument.word()?;
    let found = language::SECRETS.iter().find(|(known, _)| *known == word).map(|(_, secret)| *secret);
    let help = "the only way to store a secret is its hash: write `secret = argon2`";
    found.ok_or_else(|| Error::new_spanned(argument.place(), help))
}

fn timestamp(argument: &Argument) -> Result<Timestamp> {
    argument.parsed("a timestamp like 2027-06-30T12:00:00.000Z", |text| Timestamp::parse(text).ok())
}
