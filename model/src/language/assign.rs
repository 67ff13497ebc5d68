//! Sets the keys that a front end has read, all at once.
//!
//! The name of a key is that of a member in the model's JSON, so no reader repeats the list of keys.

use super::Type;
use crate::field::Field;
use crate::resource::{Command, Operation, Resource, View};
use crate::service::Service;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

macro_rules! with_keys {
    ($($part:ty),* $(,)?) => {
        $(
            impl $part {
                /// The same with these keys set, in the form that the JSON of the model has. Fields are added later:
                /// a null among their defaults and examples would be read as no key.
                #[must_use]
                pub fn with_keys(self, keys: Map<String, Value>) -> Self {
                    if keys.is_empty() { self } else { extended(&self, keys).unwrap_or(self) }
                }
            }
        )*
    };
}

with_keys!(Command, Operation, Resource, Service, Type, View);

impl Field {
    /// The same with these keys set, in the form that the JSON of the model has. `default` and `example` are kept: a
    /// null there would be read as no key.
    #[must_use]
    pub fn with_keys(mut self, keys: Map<String, Value>) -> Self {
        if keys.is_empty() {
            return self;
        }
        let (default, example) = (self.default.take(), self.example.take());
        let read = extended(&self, keys).unwrap_or(self);
        Self { default, example, ..read }
    }
}

/// A value with members of its JSON replaced; `None` if one of them has the wrong form.
fn extended<T: Serialize + DeserializeOwned>(value: &T, keys: Map<String, Value>) -> Option<T> {
    let mut json = serde_json::to_value(value).ok()?;
    json.as_object_mut()?.extend(keys);
    serde_json::from_value(json).ok()
}
