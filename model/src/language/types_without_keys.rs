//! The rows of the scalar types without keys of their own. Those of texts of one form are in the file of the type.

use super::scalar_type::without_rules;
use super::{JsonForm, KeyTable, Order, RustType, ScalarReader, ScalarType, Type};
use crate::input::Scalar;
use crate::tables::ColumnKind;

pub(super) static BOOLEAN: ScalarType = ScalarType {
    keys: without_keys("boolean", "`true` or `false`."),
    plain: Type::Boolean,
    rust: RustType::Prelude("bool"),
    columns: &[("", ColumnKind::Boolean)],
    json: JsonForm::Boolean,
    order: Order::Sort,
    reader: ScalarReader::Own(|_| Some(Scalar::Boolean)),
    check: without_rules,
};

pub(super) static UUID: ScalarType = ScalarType {
    keys: without_keys("uuid", "A UUID in lower case."),
    plain: Type::Uuid,
    rust: RustType::Library("Uuid"),
    columns: &[("", ColumnKind::Uuid)],
    json: JsonForm::Uuid,
    order: Order::Sort,
    reader: ScalarReader::Own(|_| Some(Scalar::Uuid)),
    check: without_rules,
};

pub(super) static TIME: ScalarType = ScalarType {
    keys: without_keys("time", "A time of day without a time zone, exactly `HH:mm:ss.SSS`."),
    plain: Type::Time,
    rust: RustType::Library("Time"),
    columns: &[("", ColumnKind::Integer)],
    json: JsonForm::Time,
    order: Order::Ranges,
    reader: ScalarReader::Own(|_| Some(Scalar::Time)),
    check: without_rules,
};

const fn without_keys(what: &'static str, description: &'static str) -> KeyTable {
    KeyTable { what, description, keys: &[] }
}
