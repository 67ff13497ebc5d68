//! One example for each type: always the same value, moved into the limits of the type.

use crate::field::Format;
use crate::language::Type;
use crate::scalar::{Date, Timestamp, decimal};
use rust_decimal::Decimal;
use serde_json::{Value as Json, json};

/// The id of every example.
pub const EXAMPLE_ID: &str = "01890a5d-ac96-774b-bcce-b302099a8057";
/// The amount of every example of a price.
pub const EXAMPLE_AMOUNT: &str = "12.30";

/// Characters of an example: a text that has to be longer has none.
const MAX_LENGTH: u32 = 4096;

/// An example of a scalar type, in JSON; `None` for a text with a pattern, for one that has to be long, and for types
/// that are not scalar.
#[must_use]
pub fn example(ty: &Type) -> Option<Json> {
    match ty {
        Type::String { pattern: Some(_), .. } => None,
        Type::String { min_length: Some(least), .. } if *least > MAX_LENGTH => None,
        Type::String { min_length, max_length, format, .. } => Some(text(*min_length, *max_length, *format).into()),
        Type::Integer { minimum, maximum } => Some(within(1, *minimum, *maximum).into()),
        Type::Number { minimum, maximum } => Some(within(1.5, *minimum, *maximum).into()),
        Type::Decimal { minimum, maximum, scale } => decimal_text(within(Decimal::ONE, *minimum, *maximum), *scale),
        Type::Boolean => Some(true.into()),
        Type::Uuid => Some(EXAMPLE_ID.into()),
        Type::Timestamp { minimum, maximum } => {
            let time = Timestamp::parse("2026-12-01T08:00:00.000Z").ok()?;
            Some(within(time, *minimum, *maximum).to_string().into())
        }
        Type::Date { minimum, maximum } => {
            Some(within(Date::parse("2026-12-01")?, *minimum, *maximum).to_string().into())
        }
        Type::Time => Some("08:30:00.000".into()),
        Type::Price { minimum, maximum, currencies } => {
            let amount = decimal_text(within(EXAMPLE_AMOUNT.parse().ok()?, *minimum, *maximum), 2)?;
            let currency = currencies.first().map_or("EUR", String::as_str);
            Some(json!({ "amount": amount, "currency": currency }))
        }
        Type::Json { .. } => Some(json!(1)),
        Type::Ref { .. } | Type::Array { .. } | Type::Map { .. } | Type::Named { .. } => None,
        // texts of one form
        other => Some(other.scalar()?.text_examples()?.example.into()),
    }
}

/// A decimal of JSON with `scale` digits; `None` if it has more.
#[must_use]
pub fn decimal_text(number: Decimal, scale: u32) -> Option<Json> {
    let units = decimal::parse(&number.to_string(), scale).ok()?;
    let mut out = Vec::new();
    decimal::write(units, scale, &mut out);
    String::from_utf8(out).ok().map(Json::from)
}

fn within<T: PartialOrd>(value: T, minimum: Option<T>, maximum: Option<T>) -> T {
    match (minimum, maximum) {
        (Some(minimum), _) if value < minimum => minimum,
        (_, Some(maximum)) if value > maximum => maximum,
        _ => value,
    }
}

fn text(min_length: Option<u32>, max_length: Option<u32>, format: Option<Format>) -> String {
    let sample = match format {
        None => "Example",
        Some(Format::Email) => "jan@example.com",
        Some(Format::Uri) => "https://example.com/",
    };
    let least = min_length.unwrap_or(0) as usize;
    let longer = sample.chars().chain("x".chars().cycle());
    let most = max_length.map_or(usize::MAX, |length| length as usize);
    longer.take(sample.len().max(least).min(most)).collect()
}
