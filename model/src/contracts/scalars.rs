//! The schemas of single values: forms as patterns, never as `format: date-time`, because clients would then write
//! other forms than the service takes.

use super::json_tree::{JsonTree, object, texts};
use crate::field::{Format, Type};
use crate::input::MAX_JSON_DEPTH;
use crate::language::{DEFAULT_JSON_BYTES, ScalarType, TextExamples};
use crate::pattern::Pattern;
use crate::scalar::{Country, Currency};

/// A UUID in lower case (§2.2).
pub(super) const UUID_PATTERN: &str = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$";
const TIMESTAMP_PATTERN: &str = "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])\
                                 T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}Z$";
const DATE_PATTERN: &str = "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$";
const TIME_PATTERN: &str = "^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}$";
/// At least one character that is not blank.
const NOT_BLANK: &str = "\\S";

/// How a value is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SchemaUsage {
    /// Sent in a body; with the constraints of its type.
    Sent {
        /// A blank text is refused. Otherwise it is null.
        is_not_blank: bool,
    },
    /// Sent to compare: without constraints.
    Compared,
    /// Received. Stored values may be older than a constraint.
    Received,
}

impl SchemaUsage {
    /// Whether a client sends it.
    pub(super) fn is_request(self) -> bool {
        self != Self::Received
    }
}

/// A schema, and the name under which all schemas share it.
pub(super) struct ScalarSchema {
    pub(super) schema: JsonTree,
    /// `None`: it is written where it is used.
    pub(super) shared_as: Option<&'static str>,
}

/// The schema of a value of a scalar type.
pub(super) fn scalar(ty: &Type, usage: SchemaUsage) -> ScalarSchema {
    let text = |pattern: &str| object([("type", "string".into()), ("pattern", pattern.into())]);
    let alone = |schema| ScalarSchema { schema, shared_as: None };
    let shared = |name, schema| ScalarSchema { schema, shared_as: Some(name) };
    let has_limits = matches!(usage, SchemaUsage::Sent { .. });
    match ty {
        Type::String { .. } => alone(string(ty, usage)),
        Type::Integer { minimum, maximum } => alone(
            object([("type", "integer".into()), ("format", "int64".into())])
                .with_some("minimum", minimum.filter(|_| has_limits))
                .with_some("maximum", maximum.filter(|_| has_limits)),
        ),
        Type::Number { minimum, maximum } => alone(
            object([("type", "number".into()), ("format", "double".into())])
                .with_some("minimum", minimum.filter(|_| has_limits))
                .with_some("maximum", maximum.filter(|_| has_limits)),
        ),
        Type::Decimal { scale, .. } => alone(text(&decimal_pattern(*scale, usage))),
        Type::Boolean => alone(object([("type", "boolean".into())])),
        Type::Uuid => shared("Uuid", text(UUID_PATTERN).with("format", "uuid").with("description", "In lower case.")),
        Type::Timestamp { .. } => shared(
            "Timestamp",
            text(TIMESTAMP_PATTERN)
                .with("description", "A time in UTC with exactly three digits of a second.")
                .with("examples", texts(["2026-12-01T08:00:00.000Z"])),
        ),
        Type::Date { .. } => shared("CalendarDate", text(DATE_PATTERN).with("examples", texts(["2026-12-01"]))),
        Type::Time => shared(
            "TimeOfDay",
            text(TIME_PATTERN)
                .with("description", "Without a time zone: clients show it unchanged.")
                .with("examples", texts(["08:30:00.000"])),
        ),
        Type::Country if usage.is_request() => shared("CountryCodeInput", codes("ISO 3166 alpha-2.", Country::codes())),
        Type::Country => shared("CountryCode", text("^[A-Z]{2}$").with("description", "ISO 3166 alpha-2.")),
        Type::Currency if usage.is_request() => shared("CurrencyCodeInput", codes("ISO 4217.", Currency::codes())),
        Type::Currency => shared("CurrencyCode", text("^[A-Z]{3}$").with("description", "ISO 4217.")),
        // null is said where it is used
        Type::Json { .. } if has_limits => {
            // linters want `items` wherever there may be an array
            let types = texts(["object", "array", "string", "number", "boolean"]);
            alone(object([("type", types), ("items", object([]))]))
        }
        Type::Json { .. } => alone(object([])),
        // never a single value
        Type::Price { .. } | Type::Ref { .. } | Type::Array { .. } | Type::Map { .. } | Type::Named { .. } => {
            alone(object([]))
        }
        other => match other.scalar().and_then(ScalarType::text_examples) {
            Some(TextExamples { schema, pattern, note, example, .. }) => {
                shared(schema, text(pattern).with_some("description", *note).with("examples", texts([*example])))
            }
            None => alone(object([])),
        },
    }
}

fn string(ty: &Type, usage: SchemaUsage) -> JsonTree {
    let schema = object([("type", "string".into())]);
    let Type::String { min_length, max_length, pattern, format } = ty else { return schema };
    let format = format.map(|format| match format {
        Format::Email => "email",
        Format::Uri => "uri",
    });
    let SchemaUsage::Sent { is_not_blank } = usage else {
        return schema.with_some("format", format.filter(|_| usage == SchemaUsage::Received));
    };
    let pattern = pattern.as_ref().and_then(Pattern::portable);
    schema
        .with_some("format", format)
        .with_some("minLength", min_length.or(is_not_blank.then_some(1)))
        .with_some("maxLength", *max_length)
        .with_some("pattern", pattern.or_else(|| is_not_blank.then(|| NOT_BLANK.to_owned())))
}

fn decimal_pattern(scale: u32, usage: SchemaUsage) -> String {
    match (scale, usage.is_request()) {
        (0, _) => "^-?[0-9]+$".to_owned(),
        (scale, true) => format!("^-?[0-9]+(\\.[0-9]{{1,{scale}}})?$"),
        (scale, false) => format!("^-?[0-9]+\\.[0-9]{{{scale}}}$"),
    }
}

/// The amount of a price: at most two digits after the point in requests, exactly two in responses.
pub(super) fn amount(usage: SchemaUsage) -> JsonTree {
    let pattern = if usage.is_request() { "^[0-9]{1,16}(\\.[0-9]{1,2})?$" } else { "^[0-9]{1,16}\\.[0-9]{2}$" };
    object([("type", "string".into()), ("pattern", pattern.into())])
}

fn codes(description: &str, codes: Vec<String>) -> JsonTree {
    object([("type", "string".into()), ("description", description.into()), ("enum", texts(codes))])
}

/// The limits that no keyword of JSON Schema says of texts, in words.
pub(super) fn limits(ty: &Type) -> Option<String> {
    let range = |minimum: Option<String>, maximum: Option<String>| match (minimum, maximum) {
        (None, None) => None,
        (Some(minimum), None) => Some(format!("At least {minimum}.")),
        (None, Some(maximum)) => Some(format!("At most {maximum}.")),
        (Some(minimum), Some(maximum)) => Some(format!("From {minimum} to {maximum}.")),
    };
    match ty {
        Type::Decimal { minimum, maximum, .. } | Type::Price { minimum, maximum, .. } => {
            range(minimum.map(|limit| limit.to_string()), maximum.map(|limit| limit.to_string()))
        }
        Type::Timestamp { minimum, maximum } => {
            range(minimum.map(|limit| limit.to_string()), maximum.map(|limit| limit.to_string()))
        }
        Type::Date { minimum, maximum } => {
            range(minimum.map(|limit| limit.to_string()), maximum.map(|limit| limit.to_string()))
        }
        Type::Json { max_bytes } => {
            let bytes = max_bytes.unwrap_or(DEFAULT_JSON_BYTES);
            Some(format!("At most {bytes} bytes without blanks, and {MAX_JSON_DEPTH} levels deep."))
        }
        Type::String { pattern: Some(pattern), .. } | Type::Map { pattern: Some(pattern), .. }
            if pattern.portable().is_none() =>
        {
            let what = if matches!(ty, Type::Map { .. }) { "Each name must" } else { "Must" };
            Some(format!(
                "{what} match the regular expression `{pattern}` (Rust's regex syntax, `\\d` and `\\w` in ASCII)."
            ))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::SCALAR_TYPES;

    /// A new type must not get an empty schema silently. A price is an object of two scalars, JSON may be anything.
    #[test]
    fn every_scalar_type_has_a_schema() {
        for row in SCALAR_TYPES.iter().filter(|row| !matches!(row.plain, Type::Price { .. } | Type::Json { .. })) {
            for usage in [SchemaUsage::Sent { is_not_blank: false }, SchemaUsage::Compared, SchemaUsage::Received] {
                let schema = scalar(&row.plain, usage).schema;
                assert!(schema.get("type").is_some(), "{}: {schema:?}", row.keys.what);
            }
        }
    }
}
