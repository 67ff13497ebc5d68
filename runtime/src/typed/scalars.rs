//! The scalar types: which neutral value each is kept as.

use super::{Mismatch, Typed};
use restwell_model::Value;
use restwell_model::input::canonical_json;
use restwell_model::scalar::{self, Date, Price, Time, Timestamp};
use uuid::Uuid;

/// `$pattern => $read` takes a value of that kind, or refuses it with `None`; `$this => $value` gives it back.
macro_rules! typed {
    ($type:ty, $form:literal, $pattern:pat => $read:expr, $this:ident => $value:expr) => {
        impl Typed for $type {
            fn from_value(value: Value) -> Result<Self, Mismatch> {
                let read = match &value {
                    $pattern => $read,
                    _ => None,
                };
                read.ok_or_else(|| Mismatch::expected($form, &value))
            }

            fn to_value(&self) -> Value {
                let $this = self;
                $value
            }
        }
    };
}

typed!(i64, "an integer", Value::Int(int) => Some(*int), this => Value::Int(*this));
typed!(f64, "a number", Value::Float(float) => Some(*float), this => Value::Float(*this));
typed!(bool, "a boolean", Value::Bool(truth) => Some(*truth), this => Value::Bool(*this));
typed!(Uuid, "a UUID", Value::Uuid(id) => Some(*id), this => Value::Uuid(*this));
typed!(Timestamp, "a timestamp", Value::Int(ms) => Self::from_millis(*ms), this => Value::Int(this.millis()));
typed!(Date, "a date", Value::Int(days) => Self::from_days(*days), this => Value::Int(this.days()));
typed!(Time, "a time", Value::Int(ms) => Self::from_millis(*ms), this => Value::Int(this.millis()));
typed!(
    Price, "a price",
    Value::Price(minor, currency) => Some(Self::new(*minor, *currency)),
    this => Value::Price(this.minor(), this.currency())
);

macro_rules! typed_as_text {
    ($($variant:ident, $type:ident, $file:ident, $name:literal, $form:literal;)*) => {
        $(typed!(scalar::$type, $name, Value::Text(text) => Self::parse(text), this => Value::Text(this.to_string()));)*
    };
}

restwell_model::with_text_types!(typed_as_text);

/// JSON of any form. Its numbers are those of `serde_json`, with the digits of a double. Those of a stored entity that
/// a team's code leaves as they were keep theirs (`plan/exact_digits`).
impl Typed for serde_json::Value {
    fn from_value(value: Value) -> Result<Self, Mismatch> {
        match &value {
            Value::Json(text) => serde_json::from_str(text).map_err(|_| Mismatch::expected("JSON", &value)),
            Value::Null => Ok(Self::Null),
            _ => Err(Mismatch::expected("JSON", &value)),
        }
    }

    fn to_value(&self) -> Value {
        if self.is_null() {
            return Value::Null;
        }
        let text = self.to_string();
        Value::Json(canonical_json(&text).unwrap_or(text))
    }
}

/// Moved, not copied, unlike the small ones above.
impl Typed for String {
    fn from_value(value: Value) -> Result<Self, Mismatch> {
        crate::typed::text(value)
    }

    fn to_value(&self) -> Value {
        Value::Text(self.clone())
    }
}
