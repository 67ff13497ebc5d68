//! The constraints of field types.

use crate::attribute::Argument;
use crate::common::date;
use crate::symbol;
use restwell_model::scalar::Timestamp;
use restwell_model::{Format, OnDelete, Type};
use syn::{Error, Result};

/// Sets one constraint on the type. On an array, constraints other than those of arrays apply to its items.
pub(crate) fn put(ty: &mut Type, argument: &Argument) -> Result<()> {
    let word = argument.name.text();
    match (word.as_str(), ty) {
        (symbol::MIN_ITEMS, Type::Array { min_items, .. }) => *min_items = Some(argument.count()?),
        (symbol::MAX_ITEMS, Type::Array { max_items, .. }) => *max_items = Some(argument.count()?),
        (symbol::UNIQUE_ITEMS, Type::Array { unique_items, .. }) => *unique_items = argument.flag()?,
        (symbol::MIN_ITEMS | symbol::MAX_ITEMS | symbol::UNIQUE_ITEMS, _) => {
            return Err(misplaced(argument, "a `Vec`"));
        }
        (_, Type::Array { items, .. }) => return put(items, argument),
        (symbol::MIN_LENGTH, Type::String { min_length, .. }) => *min_length = Some(argument.count()?),
        (symbol::MAX_LENGTH, Type::String { max_length, .. }) => *max_length = Some(argument.count()?),
        (symbol::PATTERN, Type::String { pattern, .. }) => *pattern = Some(argument.text()?),
        (symbol::FORMAT, Type::String { format, .. }) => *format = Some(read_format(argument)?),
        (symbol::MINIMUM, Type::Price { minimum, .. } | Type::Decimal { minimum, .. }) => {
            *minimum = Some(argument.decimal()?);
        }
        (symbol::MAXIMUM, Type::Price { maximum, .. } | Type::Decimal { maximum, .. }) => {
            *maximum = Some(argument.decimal()?);
        }
        (symbol::MINIMUM, Type::Integer { minimum, .. }) => *minimum = Some(argument.integer()?),
        (symbol::MAXIMUM, Type::Integer { maximum, .. }) => *maximum = Some(argument.integer()?),
        (symbol::MINIMUM, Type::Number { minimum, .. }) => *minimum = Some(argument.float()?),
        (symbol::MAXIMUM, Type::Number { maximum, .. }) => *maximum = Some(argument.float()?),
        (symbol::MINIMUM, Type::Timestamp { minimum, .. }) => *minimum = Some(timestamp(argument)?),
        (symbol::MAXIMUM, Type::Timestamp { maximum, .. }) => *maximum = Some(timestamp(argument)?),
        (symbol::MINIMUM, Type::Date { minimum, .. }) => *minimum = Some(date(argument)?),
        (symbol::MAXIMUM, Type::Date { maximum, .. }) => *maximum = Some(date(argument)?),
        (symbol::SCALE, Type::Decimal { scale, .. }) => *scale = argument.count()?,
        (symbol::CURRENCIES, Type::Price { currencies, .. }) => *currencies = argument.words()?,
        (symbol::SHOW, Type::Ref { show, .. }) => *show = argument.fields()?,
        (symbol::ON_DELETE, Type::Ref { on_delete, .. }) => *on_delete = read_on_delete(argument)?,
        (symbol::MINIMUM | symbol::MAXIMUM, _) => {
            return Err(misplaced(argument, "a number, a price, a timestamp or a date"));
        }
        (symbol::SCALE, _) => return Err(misplaced(argument, "a `Decimal`")),
        (symbol::CURRENCIES, _) => return Err(misplaced(argument, "a `Price`")),
        (symbol::SHOW | symbol::ON_DELETE, _) => return Err(misplaced(argument, "a `Ref`")),
        (symbol::MIN_LENGTH | symbol::MAX_LENGTH | symbol::PATTERN | symbol::FORMAT, _) => {
            return Err(misplaced(argument, "a `String`"));
        }
        _ => return Err(symbol::IN_FIELD.unknown(argument)),
    }
    Ok(())
}

fn misplaced(argument: &Argument, of: &str) -> Error {
    Error::new_spanned(&argument.name, format!("`{}` applies only to {of}", argument.name.text()))
}

fn read_format(argument: &Argument) -> Result<Format> {
    argument.parsed("a format: `email` or `uri`", |text| match text {
        "email" => Some(Format::Email),
        "uri" => Some(Format::Uri),
        _ => None,
    })
}

fn read_on_delete(argument: &Argument) -> Result<OnDelete> {
    match argument.word()?.as_str() {
        "restrict" => Ok(OnDelete::Restrict),
        "cascade" => Ok(OnDelete::Cascade),
        "null" => Ok(OnDelete::Null),
        _ => Err(Error::new_spanned(argument.place(), "write `restrict`, `cascade` or `null`")),
    }
}

fn timestamp(argument: &Argument) -> Result<Timestamp> {
    argument.parsed("a timestamp like 2027-06-30T12:00:00.000Z", |text| Timestamp::parse(text).ok())
}
