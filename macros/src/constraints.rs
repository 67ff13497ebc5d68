//! Constraints: which word narrows which type.

use crate::attribute::Argument;
use crate::common::date;
use crate::words;
use restwell_model::scalar::Timestamp;
use restwell_model::{Format, OnDelete, Type};
use syn::{Error, Result};

/// Puts one constraint into the type that it is for. On an array, what is not the array's own is its items'.
pub(crate) fn put(ty: &mut Type, argument: &Argument) -> Result<()> {
    let word = argument.name.text();
    match (word.as_str(), ty) {
        (words::MIN_ITEMS, Type::Array { min_items, .. }) => *min_items = Some(argument.count()?),
        (words::MAX_ITEMS, Type::Array { max_items, .. }) => *max_items = Some(argument.count()?),
        (words::UNIQUE_ITEMS, Type::Array { unique_items, .. }) => *unique_items = argument.flag()?,
        (words::MIN_ITEMS | words::MAX_ITEMS | words::UNIQUE_ITEMS, _) => return Err(misplaced(argument, "a `Vec`")),
        (_, Type::Array { items, .. }) => return put(items, argument),
        (words::MIN_LENGTH, Type::String { min_length, .. }) => *min_length = Some(argument.count()?),
        (words::MAX_LENGTH, Type::String { max_length, .. }) => *max_length = Some(argument.count()?),
        (words::PATTERN, Type::String { pattern, .. }) => *pattern = Some(argument.text()?),
        (words::FORMAT, Type::String { format, .. }) => *format = Some(read_format(argument)?),
        (words::MINIMUM, Type::Price { minimum, .. } | Type::Decimal { minimum, .. }) => {
            *minimum = Some(argument.decimal()?);
        }
        (words::MAXIMUM, Type::Price { maximum, .. } | Type::Decimal { maximum, .. }) => {
            *maximum = Some(argument.decimal()?);
        }
        (words::MINIMUM, Type::Integer { minimum, .. }) => *minimum = Some(argument.integer()?),
        (words::MAXIMUM, Type::Integer { maximum, .. }) => *maximum = Some(argument.integer()?),
        (words::MINIMUM, Type::Number { minimum, .. }) => *minimum = Some(argument.float()?),
        (words::MAXIMUM, Type::Number { maximum, .. }) => *maximum = Some(argument.float()?),
        (words::MINIMUM, Type::Timestamp { minimum, .. }) => *minimum = Some(timestamp(argument)?),
        (words::MAXIMUM, Type::Timestamp { maximum, .. }) => *maximum = Some(timestamp(argument)?),
        (words::MINIMUM, Type::Date { minimum, .. }) => *minimum = Some(date(argument)?),
        (words::MAXIMUM, Type::Date { maximum, .. }) => *maximum = Some(date(argument)?),
        (words::SCALE, Type::Decimal { scale, .. }) => *scale = argument.count()?,
        (words::CURRENCIES, Type::Price { currencies, .. }) => *currencies = argument.words()?,
        (words::SHOW, Type::Ref { show, .. }) => *show = argument.fields()?,
        (words::ON_DELETE, Type::Ref { on_delete, .. }) => *on_delete = read_on_delete(argument)?,
        (words::MINIMUM | words::MAXIMUM, _) => {
            return Err(misplaced(argument, "a number, a price, a timestamp or a date"));
        }
        (words::SCALE, _) => return Err(misplaced(argument, "a `Decimal`")),
        (words::CURRENCIES, _) => return Err(misplaced(argument, "a `Price`")),
        (words::SHOW | words::ON_DELETE, _) => return Err(misplaced(argument, "a `Ref`")),
        (words::MIN_LENGTH | words::MAX_LENGTH | words::PATTERN | words::FORMAT, _) => {
            return Err(misplaced(argument, "a `String`"));
        }
        _ => return Err(words::IN_FIELD.unknown(argument)),
    }
    Ok(())
}

fn misplaced(argument: &Argument, of: &str) -> Error {
    Error::new_spanned(&argument.name, format!("`{}` is for {of}", argument.name.text()))
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
