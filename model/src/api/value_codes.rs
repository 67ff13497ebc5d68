//! Which errors a value in a body or a parameter can have (§7.1): those of its type, and those of its constraints.

use super::values::{Property, ValueType};
use crate::error::ErrorCode;
use crate::field::{Format, Type};
use crate::input::Reading;
use crate::language::ScalarReader;
use std::collections::BTreeSet;

/// The errors of a value that a body has.
pub(super) fn add_value(value: &ValueType<'_>, reading: Reading, codes: &mut BTreeSet<ErrorCode>) {
    match value {
        // any value is one of it
        ValueType::Scalar(Type::Json { .. }) => codes.extend([
            ErrorCode::InvalidText,
            ErrorCode::TooManyBytes,
            ErrorCode::TooDeep,
            ErrorCode::NumberTooLong,
        ]),
        ValueType::Scalar(ty) => {
            add_reading(value, codes);
            add_constraints(ty, codes);
        }
        ValueType::Enum(_) | ValueType::Amount | ValueType::Words(_) => add_reading(value, codes),
        ValueType::Price(ty) => {
            add_object(codes);
            codes.extend([ErrorCode::Required, ErrorCode::InvalidText]);
            codes.extend([ErrorCode::InvalidAmount, ErrorCode::InvalidCurrency]);
            add_constraints(ty, codes);
        }
        ValueType::Reference { .. } => codes.extend([
            ErrorCode::WrongType,
            ErrorCode::Required,
            ErrorCode::InvalidText,
            ErrorCode::InvalidUuid,
            ErrorCode::NotFound,
        ]),
        ValueType::Object { properties, .. } => {
            add_object(codes);
            properties.iter().for_each(|property| add_property(property, reading, codes));
        }
        ValueType::Array { items, bounds } => {
            codes.extend([ErrorCode::WrongType, ErrorCode::Required]);
            codes.extend(bounds.min_items.map(|_| ErrorCode::TooFewItems));
            codes.extend(bounds.max_items.map(|_| ErrorCode::TooManyItems));
            codes.extend(bounds.unique_items.then_some(ErrorCode::DuplicateItem));
            // an item has no stored one that could be immutable
            add_value(items, Reading::Create, codes);
        }
        ValueType::Map { values, bounds } => {
            codes.extend([ErrorCode::WrongType, ErrorCode::Required, ErrorCode::InvalidText, ErrorCode::InvalidName]);
            codes.extend(bounds.min_items.map(|_| ErrorCode::TooFewItems));
            codes.insert(ErrorCode::TooManyItems);
            codes.extend(bounds.pattern.map(|_| ErrorCode::NameMismatch));
            add_value(values, Reading::Create, codes);
        }
        ValueType::Criterion { value, .. } => {
            // an item may be null, an object may have an unknown key or an `isNull` that is not a boolean
            add_object(codes);
            codes.insert(ErrorCode::Required);
            add_reading(value, codes);
        }
        ValueType::Schema(_) | ValueType::Any => {}
    }
}

fn add_object(codes: &mut BTreeSet<ErrorCode>) {
    codes.extend([ErrorCode::WrongType, ErrorCode::UnknownProperty]);
}

fn add_property(property: &Property<'_>, reading: Reading, codes: &mut BTreeSet<ErrorCode>) {
    if property.is_ignored {
        return;
    }
    if property.is_required || !property.is_nullable {
        codes.insert(ErrorCode::Required);
    }
    if reading == Reading::Update && property.field.is_some_and(|field| field.immutable) {
        codes.insert(ErrorCode::Immutable);
    }
    if property.field.is_some_and(|field| field.formerly.is_some() && !field.is_ignored_in_requests()) {
        codes.insert(ErrorCode::NamesDiffer);
    }
    add_value(&property.value, reading, codes);
}

/// The errors of a single value that is not one of its type.
pub(super) fn add_reading(value: &ValueType<'_>, codes: &mut BTreeSet<ErrorCode>) {
    codes.extend([ErrorCode::WrongType, ErrorCode::InvalidText]);
    match value {
        ValueType::Scalar(ty) => codes.extend(reading_codes(ty)),
        ValueType::Enum(_) | ValueType::Words(_) => {
            codes.insert(ErrorCode::UnknownValue);
        }
        ValueType::Amount => {
            codes.insert(ErrorCode::InvalidAmount);
        }
        ValueType::Price(_)
        | ValueType::Reference { .. }
        | ValueType::Object { .. }
        | ValueType::Array { .. }
        | ValueType::Map { .. }
        | ValueType::Criterion { .. }
        | ValueType::Schema(_)
        | ValueType::Any => {}
    }
}

fn reading_codes(ty: &Type) -> Vec<ErrorCode> {
    if let Some(ScalarReader::Text(form, _)) = ty.scalar().map(|scalar| scalar.reader) {
        return vec![form.error];
    }
    match ty {
        // beyond 64 bits
        Type::Integer { .. } => vec![ErrorCode::TooSmall, ErrorCode::TooLarge],
        Type::Decimal { .. } => vec![ErrorCode::InvalidDecimal, ErrorCode::TooManyDigits],
        Type::Uuid | Type::Ref { .. } => vec![ErrorCode::InvalidUuid],
        Type::Timestamp { .. } => vec![ErrorCode::InvalidTimestamp, ErrorCode::NotUtc],
        Type::Date { .. } => vec![ErrorCode::InvalidDate],
        Type::Time => vec![ErrorCode::InvalidTime],
        Type::Price { .. } => vec![ErrorCode::InvalidAmount, ErrorCode::InvalidCurrency],
        // the rest is read without errors of its own; the test of spoilt values notices a type that is not
        _ => Vec::new(),
    }
}

/// The errors of a value that breaks a constraint of its type.
fn add_constraints(ty: &Type, codes: &mut BTreeSet<ErrorCode>) {
    let mut add = |is_there: bool, code| codes.extend(is_there.then_some(code));
    let (has_minimum, has_maximum) = match ty {
        Type::String { min_length, max_length, pattern, format } => {
            add(min_length.is_some(), ErrorCode::TooShort);
            add(max_length.is_some(), ErrorCode::TooLong);
            add(pattern.is_some(), ErrorCode::PatternMismatch);
            add(*format == Some(Format::Email), ErrorCode::NotEmail);
            add(*format == Some(Format::Uri), ErrorCode::NotUri);
            (false, false)
        }
        Type::Integer { minimum, maximum } => (minimum.is_some(), maximum.is_some()),
        Type::Number { minimum, maximum } => (minimum.is_some(), maximum.is_some()),
        Type::Decimal { minimum, maximum, .. } => (minimum.is_some(), maximum.is_some()),
        Type::Timestamp { minimum, maximum } => (minimum.is_some(), maximum.is_some()),
        Type::Date { minimum, maximum } => (minimum.is_some(), maximum.is_some()),
        Type::Price { minimum, maximum, currencies } => {
            add(!currencies.is_empty(), ErrorCode::CurrencyNotAllowed);
            (minimum.is_some(), maximum.is_some())
        }
        // the rest has no limits
        _ => (false, false),
    };
    add(has_minimum, ErrorCode::TooSmall);
    add(has_maximum, ErrorCode::TooLarge);
}
