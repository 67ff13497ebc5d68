//! How a value is written: the shape of a type, for JSON out of neutral values.

use restwell_model::language::{JsonForm, TypeClass};
use restwell_model::scalar::{Date, Time, Timestamp, amount, decimal, uuid_text};
use restwell_model::{Checked, Field, Kind, Type, Value};

/// The written form of a type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Form {
    /// A scalar type or an enum.
    Scalar(JsonForm),
    /// An id.
    Reference,
    /// Named fields.
    Object(FieldForms),
    /// A list.
    Array(Box<Form>),
    /// Values under free names.
    Map(Box<Form>),
}

/// The names and forms of an object's fields, in the model's order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FieldForms {
    names: Vec<FieldNames>,
    /// In the model's order.
    pub(crate) forms: Vec<Form>,
}

/// The names of a field: the present one, under which it is stored, then the former one if it has one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FieldNames {
    present: String,
    former: Option<String>,
}

impl FieldNames {
    /// Those of a field.
    pub(crate) fn of(field: &Field) -> Self {
        Self { present: field.name.clone(), former: field.former().map(|(name, _)| name.to_owned()) }
    }

    /// The present one.
    pub(crate) fn present(&self) -> &str {
        &self.present
    }

    /// Those under which it is written.
    pub(crate) fn written(&self, names: WrittenNames) -> impl Iterator<Item = &str> {
        let former = self.former.as_deref().filter(|_| names == WrittenNames::All);
        std::iter::once(self.present()).chain(former)
    }
}

/// Under which names a field is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum WrittenNames {
    /// The present one, as in what is stored.
    Present,
    /// The former one as well, as in responses.
    All,
}

impl FieldForms {
    /// The forms of these fields.
    pub(crate) fn of(service: &Checked, fields: &[Field]) -> Self {
        Self {
            names: fields.iter().map(FieldNames::of).collect(),
            forms: fields.iter().map(|field| Form::of(service, &field.ty)).collect(),
        }
    }

    /// The present names, in the model's order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(FieldNames::present)
    }

    /// Writes the members of an object with these values, without the braces. Absent values are left out.
    pub(crate) fn write_members(&self, value: &Value, names: WrittenNames, out: &mut Vec<u8>) {
        let Value::Object(values) = value else { return };
        let fields = self.names.iter().zip(&self.forms).zip(values).filter(|(_, value)| **value != Value::Absent);
        let mut is_first = true;
        for ((field, form), value) in fields {
            for name in field.written(names) {
                if !is_first {
                    out.push(b',');
                }
                is_first = false;
                write_text(name.as_bytes(), out);
                out.push(b':');
                form.write_named(value, names, out);
            }
        }
    }

    /// The values as a JSON object, as they are stored in columns of JSON.
    pub(crate) fn to_json(&self, value: &Value) -> String {
        let mut json = b"{".to_vec();
        self.write_members(value, WrittenNames::Present, &mut json);
        json.push(b'}');
        String::from_utf8_lossy(&json).into_owned()
    }
}

impl Form {
    /// The form of a type.
    pub(crate) fn of(service: &Checked, ty: &Type) -> Self {
        match service.kind(ty) {
            Kind::Enum(_) => Self::Scalar(JsonForm::Text),
            Kind::Object(object) => Self::Object(FieldForms::of(service, &object.fields)),
            Kind::Array(items) => Self::Array(Box::new(Self::of(service, items))),
            Kind::Map(values) => Self::Map(Box::new(Self::of(service, values))),
            Kind::Scalar(Type::Ref { .. }) => Self::Reference,
            Kind::Scalar(ty) => Self::Scalar(scalar_form(ty)),
        }
    }

    /// Writes a value as JSON, minified (§2.4.12), as it is stored.
    pub(crate) fn write(&self, value: &Value, out: &mut Vec<u8>) {
        self.write_named(value, WrittenNames::Present, out);
    }

    /// The same, under these names of its fields.
    fn write_named(&self, value: &Value, names: WrittenNames, out: &mut Vec<u8>) {
        match (self, value) {
            (Self::Scalar(form), value) => write_scalar(*form, value, out),
            (Self::Reference, Value::Uuid(id)) => {
                out.extend_from_slice(b"{\"id\":\"");
                uuid_text::write(id, out);
                out.extend_from_slice(b"\"}");
            }
            (Self::Array(items), Value::List(values)) => {
                sequence(out, b'[', b']', values, |value, out| items.write_named(value, names, out));
            }
            (Self::Map(form), Value::Map(entries)) => {
                sequence(out, b'{', b'}', entries, |(name, value), out| {
                    write_text(name.as_bytes(), out);
                    out.push(b':');
                    form.write_named(value, names, out);
                });
            }
            (Self::Object(fields), Value::Object(_)) => {
                out.push(b'{');
                fields.write_members(value, names, out);
                out.push(b'}');
            }
            _ => out.extend_from_slice(b"null"),
        }
    }
}

/// What stands in JSON for a value that is not there, or not seen.
pub(crate) fn blank(ty: &Type) -> &'static str {
    match ty {
        Type::Array { .. } => "[]",
        Type::Map { .. } => "{}",
        _ => "null",
    }
}

/// The form of a scalar type or an enum.
pub(crate) fn scalar_form(ty: &Type) -> JsonForm {
    match ty.class() {
        TypeClass::Scalar(scalar) => scalar.form(ty),
        // an enum is text
        TypeClass::Ref(_) | TypeClass::Array(_) | TypeClass::Map(_) | TypeClass::Named(_) => JsonForm::Text,
    }
}

/// Writes a value of a scalar type or an enum.
pub(crate) fn write_scalar(form: JsonForm, value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Text(text) => write_text(text.as_bytes(), out),
        Value::Json(text) => out.extend_from_slice(text.as_bytes()),
        Value::Uuid(id) => quoted(out, |out| uuid_text::write(id, out)),
        Value::Bool(value) => out.extend_from_slice(if *value { b"true" } else { b"false" }),
        Value::Int(number) => write_int(form, *number, out),
        Value::Float(number) => write_float(*number, out),
        Value::Price(minor, currency) => write_price(*minor, currency.as_str().as_bytes(), out),
        _ => out.extend_from_slice(b"null"),
    }
}

/// Writes what a whole number stands for.
pub(crate) fn write_int(form: JsonForm, number: i64, out: &mut Vec<u8>) {
    match form {
        JsonForm::Boolean => out.extend_from_slice(if number == 0 { b"false" } else { b"true" }),
        JsonForm::Number => write_float(number as f64, out),
        JsonForm::Decimal { scale } => quoted(out, |out| decimal::write(number, scale, out)),
        JsonForm::Timestamp => optional(out, Timestamp::from_millis(number), Timestamp::write),
        JsonForm::Date => optional(out, Date::from_days(number), Date::write),
        JsonForm::Time => optional(out, Time::from_millis(number), Time::write),
        JsonForm::Text | JsonForm::Uuid | JsonForm::Integer | JsonForm::Price | JsonForm::Any => {
            out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
        }
    }
}

/// Writes the items with commas between them.
pub(crate) fn sequence<T>(
    out: &mut Vec<u8>,
    open: u8,
    close: u8,
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(T, &mut Vec<u8>),
) {
    out.push(open);
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write(item, out);
    }
    out.push(close);
}

/// Writes a JSON string. The bytes are UTF-8: they come from requests, which were checked, or from the store.
pub(crate) fn write_text(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    let mut rest = text;
    while let Some(at) = first_escaped(rest) {
        out.extend_from_slice(&rest[..at]);
        write_escape(rest[at], out);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

fn is_escaped(byte: &u8) -> bool {
    matches!(byte, 0..=0x1f | b'"' | b'\\')
}

/// Where the first byte is that needs an escape.
fn first_escaped(text: &[u8]) -> Option<usize> {
    let (words, _) = text.as_chunks::<8>();
    let plain = words.iter().take_while(|word| !has_escaped(u64::from_ne_bytes(**word))).count() * 8;
    text[plain..].iter().position(is_escaped).map(|at| plain + at)
}

/// Whether one of eight bytes needs an escape: a subtraction borrows from the highest bit of those that are too small.
fn has_escaped(word: u64) -> bool {
    const EACH: u64 = u64::MAX / 255;
    const HIGHEST: u64 = EACH << 7;
    let below = |word: u64, limit: u8| word.wrapping_sub(EACH * u64::from(limit)) & !word;
    let equal = |byte: u8| below(word ^ (EACH * u64::from(byte)), 1);
    (below(word, 0x20) | equal(b'"') | equal(b'\\')) & HIGHEST != 0
}

fn write_escape(byte: u8, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    match byte {
        b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
        b'\n' => out.extend_from_slice(b"\\n"),
        b'\r' => out.extend_from_slice(b"\\r"),
        b'\t' => out.extend_from_slice(b"\\t"),
        _ => {
            out.extend_from_slice(b"\\u00");
            out.extend_from_slice(&[HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
        }
    }
}

/// Writes a double, which is finite: it came from a request or from the store.
pub(crate) fn write_float(number: f64, out: &mut Vec<u8>) {
    match serde_json::Number::from_f64(number) {
        Some(number) => out.extend_from_slice(number.to_string().as_bytes()),
        None => out.extend_from_slice(b"null"),
    }
}

/// Writes `{amount, currency}` (§2.4.7).
pub(crate) fn write_price(minor: i64, currency: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"amount\":\"");
    amount::write(minor, out);
    out.extend_from_slice(b"\",\"currency\":\"");
    out.extend_from_slice(currency);
    out.extend_from_slice(b"\"}");
}

/// Writes a text in quotes that needs no escapes.
pub(crate) fn quoted(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    out.push(b'"');
    write(out);
    out.push(b'"');
}

fn optional<T>(out: &mut Vec<u8>, value: Option<T>, write: impl FnOnce(T, &mut Vec<u8>)) {
    match value {
        Some(value) => quoted(out, |out| write(value, out)),
        None => out.extend_from_slice(b"null"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn serde_reads_what_is_written(text in "[\\x00-\\x7f“é🚲]{0,40}") {
            let mut out = Vec::new();
            write_text(text.as_bytes(), &mut out);
            prop_assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
        }

        #[test]
        fn the_first_byte_that_needs_an_escape_is_found(text in prop::collection::vec(any::<u8>(), 0..40)) {
            prop_assert_eq!(first_escaped(&text), text.iter().position(is_escaped));
        }
    }
}
