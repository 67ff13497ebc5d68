//! What a statement binds that is known when it runs: the time, and the date in a time zone.

use crate::scalar::{Date, Timestamp, Timezone};
use crate::value::Value;

/// A value that depends on the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoundTime {
    /// The time.
    Now,
    /// The date in a time zone.
    Today(Timezone),
}

impl BoundTime {
    /// What stands for it among bound values, none of which is absent or an object.
    pub(super) fn placeholder(self) -> Value {
        match self {
            Self::Now => Value::Absent,
            Self::Today(zone) => Value::Object(vec![Value::Text(zone.as_str().to_owned())]),
        }
    }

    /// What a bound value stands for; `None` of one that is what it is.
    #[must_use]
    pub fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Absent => Some(Self::Now),
            Value::Object(members) => match members.as_slice() {
                [Value::Text(zone)] => Timezone::parse(zone).map(Self::Today),
                _ => None,
            },
            _ => None,
        }
    }

    /// What it is at a time: milliseconds or days; `None` of a date outside the years 0001 to 9999.
    #[must_use]
    pub fn at(self, now: Timestamp) -> Option<i64> {
        match self {
            Self::Now => Some(now.millis()),
            Self::Today(zone) => now.date_in(zone).map(Date::days),
        }
    }
}
