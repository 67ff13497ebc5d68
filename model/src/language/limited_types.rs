//! The rows of the scalar types with keys: limits, patterns, digits.

use super::Literal::{Number, Text, Texts};
use super::keys::{KeySpec, Limit, Part, bound, key};
use super::types::{DEFAULT_JSON_BYTES, DEFAULT_SCALE};
use super::{JsonForm, KeyShape, KeyTable, Order, RustType, ScalarReader, ScalarType, Type};
use crate::check::constraints;
use crate::input::Scalar;
use crate::tables::ColumnKind;

pub(super) static STRING: ScalarType = ScalarType {
    keys: KeyTable {
        what: "string",
        description: "Unicode text. An empty or blank text is null.",
        keys: &[
            bound("minLength", KeyShape::Count, Limit::Least, "The least number of characters.", Number(1)),
            bound("maxLength", KeyShape::Count, Limit::Most, "The greatest number of characters.", Number(75)),
            bound(
                "pattern",
                KeyShape::Text,
                Limit::Exact,
                "A regular expression that must match somewhere in the text. `\\d` and `\\w` are ASCII.",
                Text("^[A-Z]{3}-[0-9]{2}$"),
            ),
            bound("format", KeyShape::Format, Limit::Exact, "The format of the text: `email` or `uri`.", Text("uri")),
        ],
    },
    plain: Type::string(),
    rust: RustType::Prelude("String"),
    columns: &[("", ColumnKind::Text)],
    json: JsonForm::Text,
    order: Order::Sort,
    reader: ScalarReader::Own(Scalar::of_string),
    check: constraints::of_string,
};

pub(super) static INTEGER: ScalarType = ScalarType {
    keys: KeyTable {
        what: "integer",
        description: "A signed 64-bit integer.",
        keys: &[least(KeyShape::Integer, Number(0)), most(KeyShape::Integer, Number(1000))],
    },
    plain: Type::Integer { minimum: None, maximum: None },
    rust: RustType::Prelude("i64"),
    columns: &[("", ColumnKind::Integer)],
    json: JsonForm::Integer,
    order: Order::Ranges,
    reader: ScalarReader::Own(Scalar::of_integer),
    check: constraints::of_integer,
};

pub(super) static NUMBER: ScalarType = ScalarType {
    keys: KeyTable {
        what: "number",
        description: "A finite double-precision number. For money and other exact values use `price` or `decimal`.",
        keys: &[least(KeyShape::Number, Number(0)), most(KeyShape::Number, Number(1))],
    },
    plain: Type::Number { minimum: None, maximum: None },
    rust: RustType::Prelude("f64"),
    columns: &[("", ColumnKind::Real)],
    json: JsonForm::Number,
    order: Order::Ranges,
    reader: ScalarReader::Own(Scalar::of_number),
    check: constraints::of_number,
};

pub(super) static DECIMAL: ScalarType = ScalarType {
    keys: KeyTable {
        what: "decimal",
        description: "An exact decimal number, a string in JSON: `\"1.50\"`.",
        keys: &[
            key("scale", KeyShape::Count, "The number of digits after the decimal point.")
                .part(Part::Constraint)
                .example(Number(3))
                .default(Number(DEFAULT_SCALE)),
            least(KeyShape::Decimal, Text("0.00")),
            most(KeyShape::Decimal, Text("999.99")),
        ],
    },
    plain: Type::Decimal { minimum: None, maximum: None, scale: DEFAULT_SCALE },
    rust: RustType::Library("Decimal"),
    columns: &[("", ColumnKind::Integer)],
    json: JsonForm::Decimal { scale: DEFAULT_SCALE },
    order: Order::Ranges,
    reader: ScalarReader::Own(Scalar::of_decimal),
    check: constraints::of_decimal,
};

pub(super) static TIMESTAMP: ScalarType = ScalarType {
    keys: KeyTable {
        what: "timestamp",
        description: "A time in UTC, exactly `yyyy-MM-ddTHH:mm:ss.SSSZ`.",
        keys: &[
            least(KeyShape::Timestamp, Text("2000-01-01T00:00:00.000Z")),
            most(KeyShape::Timestamp, Text("2099-12-31T23:59:59.999Z")),
        ],
    },
    plain: Type::Timestamp { minimum: None, maximum: None },
    rust: RustType::Library("Timestamp"),
    columns: &[("", ColumnKind::Integer)],
    json: JsonForm::Timestamp,
    order: Order::Ranges,
    reader: ScalarReader::Own(Scalar::of_timestamp),
    check: constraints::of_timestamp,
};

pub(super) static DATE: ScalarType = ScalarType {
    keys: KeyTable {
        what: "date",
        description: "A date, `yyyy-MM-dd`.",
        keys: &[least(KeyShape::Date, Text("2000-01-01")), most(KeyShape::Date, Text("2099-12-31"))],
    },
    plain: Type::Date { minimum: None, maximum: None },
    rust: RustType::Library("Date"),
    columns: &[("", ColumnKind::Integer)],
    json: JsonForm::Date,
    order: Order::Ranges,
    reader: ScalarReader::Own(Scalar::of_date),
    check: constraints::of_date,
};

pub(super) static PRICE: ScalarType = ScalarType {
    keys: KeyTable {
        what: "price",
        description: "An amount and a currency: `{ amount: \"9.50\", currency: PLN }`.",
        keys: &[
            least(KeyShape::Decimal, Text("0.01")),
            most(KeyShape::Decimal, Text("9999999.99")),
            bound(
                "currencies",
                KeyShape::Texts,
                Limit::Among,
                "The accepted currencies. Default: all.",
                Texts(&["PLN", "EUR"]),
            ),
        ],
    },
    plain: Type::Price { minimum: None, maximum: None, currencies: Vec::new() },
    rust: RustType::Library("Price"),
    columns: &[("_amount", ColumnKind::Integer), ("_currency", ColumnKind::Text)],
    json: JsonForm::Price,
    order: Order::Sort,
    // two scalars: `Scalar::of_price`
    reader: ScalarReader::Own(|_| None),
    check: constraints::of_price,
};

pub(super) static JSON: ScalarType = ScalarType {
    keys: KeyTable {
        what: "json",
        description: "Any JSON value, at most 32 levels deep. It is kept as it was sent, numbers with their digits.",
        keys: &[bound(
            "maxBytes",
            KeyShape::Count,
            Limit::Most,
            "The greatest number of bytes, as the value is written without blanks.",
            Number(4096),
        )
        .default(Number(DEFAULT_JSON_BYTES))],
    },
    plain: Type::Json { max_bytes: None },
    rust: RustType::OfCrate("serde_json", "Value"),
    columns: &[("", ColumnKind::Json)],
    json: JsonForm::Any,
    order: Order::None("values of any form have no order"),
    // a whole text, not one scalar: `AnyJson`
    reader: ScalarReader::Own(|_| None),
    check: constraints::of_json,
};

const fn least(shape: KeyShape, example: super::Literal) -> KeySpec {
    bound("minimum", shape, Limit::Least, "The smallest value that is accepted.", example)
}

const fn most(shape: KeyShape, example: super::Literal) -> KeySpec {
    bound("maximum", shape, Limit::Most, "The largest value that is accepted.", example)
}
