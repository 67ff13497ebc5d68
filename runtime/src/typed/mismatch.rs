//! A value that does not fit the type it is read into.

use restwell_model::Value;
use std::error::Error;
use std::fmt;

/// What was made of a value.
pub type Conversion<T> = Result<T, Mismatch>;

/// A value of another type than expected. No request causes this, for requests are checked against the model: it says
/// that the stored data, or the model, is of another version than the type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    path: String,
    expected: &'static str,
    found: String,
}

impl Mismatch {
    /// Something else was there than `expected`.
    #[must_use]
    pub fn expected(expected: &'static str, found: &Value) -> Self {
        Self { path: String::new(), expected, found: describe(found) }
    }

    /// A text that none of an enum's variants stands for.
    #[must_use]
    pub fn no_variant(name: &'static str, text: &str) -> Self {
        Self { path: String::new(), expected: name, found: format!("`{text}`") }
    }

    /// The same, inside a field or an item of this name.
    #[must_use]
    pub fn within(mut self, step: impl fmt::Display) -> Self {
        self.path = if self.path.is_empty() { step.to_string() } else { format!("{step}.{}", self.path) };
        self
    }

    /// Where, dotted.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Absent => "nothing".to_owned(),
        Value::Bool(_) => "a boolean".to_owned(),
        Value::Int(_) => "an integer".to_owned(),
        Value::Float(_) => "a number".to_owned(),
        Value::Text(_) => "a text".to_owned(),
        Value::Uuid(_) => "a UUID".to_owned(),
        Value::Price(..) => "a price".to_owned(),
        Value::List(items) => format!("an array of {}", items.len()),
        Value::Map(entries) => format!("a map of {}", entries.len()),
        Value::Json(_) => "JSON".to_owned(),
        Value::Object(fields) => format!("an object of {} fields", fields.len()),
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

impl Error for Mismatch {}
