//! The values of keys, in the form of the table of keys.

use crate::attribute::Argument;
use crate::common::{self, date};
use crate::symbol;
use restwell_model::field::{Filter, Uniqueness};
use restwell_model::language::{self, Case, KeyShape, KeySpec, Literal};
use restwell_model::resource::Through;
use restwell_model::scalar::Timestamp;
use restwell_model::{Format, OnDelete, Secret, Type, names};
use serde::Serialize;
use serde_json::{Map, Value};
use syn::{Error, Result};

/// Sets one constraint on the type. On an array or a map, constraints other than its own apply to its items or values;
/// so do those in `items(…)` and `values(…)`.
pub(crate) fn put(ty: &mut Type, argument: &Argument) -> Result<()> {
    let inner = match ty {
        Type::Array { items, .. } if argument.name.text() == symbol::ITEMS => Some(items),
        Type::Map { values, .. } if argument.name.text() == symbol::VALUES => Some(values),
        _ => None,
    };
    if let Some(inner) = inner {
        return argument.list()?.iter().try_for_each(|argument| put(inner, argument));
    }
    let Some(key) = symbol::key(ty.key_table(), argument) else {
        return match ty {
            Type::Array { items: inner, .. } | Type::Map { values: inner, .. } => put(inner, argument),
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
        KeyShape::Switch if key.default == Some(Literal::Flag(true)) => json(argument, argument.truth()?),
        KeyShape::Switch => json(argument, argument.flag()?),
        KeyShape::Name(Case::Camel) => json(argument, argument.field()?),
        KeyShape::Text | KeyShape::Prose | KeyShape::Name(_) | KeyShape::Path | KeyShape::Duration => {
            json(argument, argument.text()?)
        }
        KeyShape::Through => json(argument, through(argument)?),
        KeyShape::Access => json(argument, common::access(argument)?),
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
        KeyShape::Filter => json(argument, read_filter(argument)?),
        KeyShape::Unique => json(argument, read_uniqueness(argument)?),
        KeyShape::Names(..) => json(argument, argument.fields()?),
        KeyShape::Versions => json(argument, common::versions(argument)?),
        KeyShape::Formerly(of) => json(argument, common::former_name(of, argument)?),
        KeyShape::Deprecations => json(argument, common::announcements(argument)?),
        KeyShape::Condition => json(argument, argument.text()?),
        KeyShape::Conditions | KeyShape::Assignments => json(argument, assignments(argument)?),
        KeyShape::States => json(argument, argument.words()?),
        KeyShape::Allow => json(argument, common::allow(argument)?),
        // more than a value, or said by something else than an argument
        KeyShape::Type
        | KeyShape::Combinations
        | KeyShape::Operations
        | KeyShape::Views
        | KeyShape::Commands
        | KeyShape::Fields
        | KeyShape::Items
        | KeyShape::Values
        | KeyShape::Search
        | KeyShape::Contact
        | KeyShape::License
        | KeyShape::Users
        | KeyShape::Claims
        | KeyShape::Roles
        | KeyShape::Required
        | KeyShape::Rules
        | KeyShape::Lifecycle
        | KeyShape::Transitions
        | KeyShape::AllowedChanges
        | KeyShape::Default
        | KeyShape::Example => Err(symbol::unknown_in_field(argument)),
    }
}

/// Adds the value of a key to those that are set together.
pub(crate) fn collect(keys: &mut Map<String, Value>, key: &KeySpec, argument: &Argument) -> Result<()> {
    keys.insert(key.name.to_owned(), value(key, argument)?);
    Ok(())
}

/// `set(ending_at = "now")`, `conditions(is_open = "endingAt > now")`
fn assignments(argument: &Argument) -> Result<Map<String, Value>> {
    let mut texts = Map::new();
    for item in argument.list()? {
        let name = names::camel(&item.name.text());
        if texts.insert(name.clone(), item.text()?.into()).is_some() {
            return Err(Error::new_spanned(&item.name, format!("`{name}` appears twice")));
        }
    }
    Ok(texts)
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
        ["json"] => "a `serde_json::Value`",
        ["array", "map"] => "a `Vec` or a `BTreeMap`",
        ["string", "map"] => "a `String`, or the names of a `BTreeMap`",
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

/// `filter`, or `filter(not, starts_with)`.
fn read_filter(argument: &Argument) -> Result<Filter> {
    if argument.is_flag() {
        return Ok(Filter::On);
    }
    let one = |item: &Argument| {
        let word = names::camel(&item.item()?);
        let found = language::MATCHES.iter().find(|(known, _)| *known == word).map(|(_, it)| *it);
        let known = || language::MATCHES.iter().map(|(known, _)| format!("`{}`", names::snake(known)));
        found.ok_or_else(|| Error::new_spanned(item, format!("write one of {}", Vec::from_iter(known()).join(", "))))
    };
    let help = "write `filter` without a value, or with a list: `filter(not)`";
    let list = argument.list().map_err(|_| Error::new_spanned(argument, help))?;
    list.iter().map(one).collect::<Result<_>>().map(Filter::With)
}

/// `unique`, or `unique = ignore_case`.
fn read_uniqueness(argument: &Argument) -> Result<Uniqueness> {
    if argument.is_flag() {
        return Ok(Uniqueness::Exact);
    }
    let known = argument.word().ok().and_then(|word| {
        let word = names::camel(&word);
        language::UNIQUENESS.iter().find(|(known, _)| *known == word).map(|(_, unique)| *unique)
    });
    known.ok_or_else(|| Error::new_spanned(argument, "write `unique` without a value, or `unique = ignore_case`"))
}

fn through(argument: &Argument) -> Result<Through> {
    argument.text()?.try_into().map_err(|error: String| Error::new_spanned(argument.place(), error))
}

fn timestamp(argument: &Argument) -> Result<Timestamp> {
    argument.parsed("a timestamp like 2027-06-30T12:00:00.000Z", |text| Timestamp::parse(text).ok())
}
