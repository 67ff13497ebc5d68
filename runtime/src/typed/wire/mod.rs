//! Serde of the types that derives describe: in JSON as the service itself reads and writes them (§2.4).
//!
//! A derive emits two calls, of [`serialize`] and [`deserialize`]. Both work along a [`WireForm`], compiled once per
//! type from its description, and use the conversions that the type has anyway. So a type costs no code of its own, and
//! its JSON follows from the model alone. `Deserialize` checks types and formats; the rules of the model (lengths,
//! bounds, patterns) are for the service.

mod details;
mod form;
mod read;
mod shown;
mod write;

pub(super) use details::ResponseDetails;
pub(super) use form::DescribedType;

use super::{Describe, Mismatch, Ref, Registry, Resource, Stored, Typed};
use form::{WireField, WireForm};
use read::{EntityReader, WireReader};
use restwell_model::Value;
use restwell_model::scalar::{Timestamp, uuid_text};
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, Unexpected, Visitor};
use serde::ser::{Error as _, SerializeMap};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};
use uuid::Uuid;
use write::{WireValue, write_members};

/// What every entity has (§2.3), in the order of its JSON.
pub(super) const COMMON: [&str; 3] = ["id", "createdAt", "updatedAt"];

/// The form of a type, or why it has none: its description contradicts itself.
type Compiled = Result<WireForm, String>;

/// The forms of the types that were read or written so far.
static FORMS: LazyLock<RwLock<HashMap<TypeId, Arc<Compiled>>>> = LazyLock::new(RwLock::default);

fn form<T: Describe>() -> Arc<Compiled> {
    let id = TypeId::of::<T>();
    let known = FORMS.read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned();
    known.unwrap_or_else(|| {
        let compiled = Registry::describing::<T>().and_then(|(ty, service)| WireForm::compile(&service, &ty));
        let mut forms = FORMS.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(forms.entry(id).or_insert_with(|| Arc::new(compiled)))
    })
}

/// What a derived `Serialize` does.
///
/// # Errors
///
/// The serializer's, and a decimal with more digits than its `scale`.
pub fn serialize<T: Describe + Typed, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    let form = form::<T>();
    let form = Result::as_ref(&form).map_err(S::Error::custom)?;
    WireValue { form, value: &value.to_value(), details: None }.serialize(serializer)
}

/// What a derived `Deserialize` does. Unknown properties are ignored, for a newer service may have more of them.
///
/// # Errors
///
/// The deserializer's, a property that is missing, and a value of another type or format.
pub fn deserialize<'de, T: Describe + Typed, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let form = form::<T>();
    let form = Result::as_ref(&form).map_err(D::Error::custom)?;
    let value = WireReader::of(form).deserialize(deserializer)?;
    T::from_value(value).map_err(D::Error::custom)
}

/// The default of a field, by its position: what the field has in a struct that is made without it.
///
/// # Panics
///
/// The default is none of the field's type. No service with such a description starts.
#[must_use]
pub fn preset<T: Describe, V>(index: usize, from_value: impl FnOnce(Value) -> Result<V, Mismatch>) -> V {
    let default = match &*form::<T>() {
        Ok(WireForm::Object(fields)) => Ok(fields.get(index).and_then(WireField::absent).unwrap_or_default()),
        Ok(_) => Ok(Value::Null),
        Err(reason) => Err(reason.clone()),
    };
    match default.and_then(|value| from_value(value).map_err(|mismatch| mismatch.to_string())) {
        Ok(value) => value,
        Err(reason) => panic!("the default of a field of `{}`: {reason}", T::NAME),
    }
}

/// The representation, as `GET` responds with it: the whole one, or what the response had that it was read from.
impl<R: Resource> Serialize for Stored<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let form = form::<R>();
        let form = Result::as_ref(&form).map_err(S::Error::custom)?;
        let (WireForm::Object(fields), Value::Object(values)) = (form, self.value.to_value()) else {
            return Err(S::Error::custom("a resource is an object"));
        };
        let mut map = serializer.serialize_map(None)?;
        let [id, created_at, updated_at] = COMMON;
        map.serialize_entry(id, &self.id)?;
        map.serialize_entry(created_at, &self.created_at)?;
        map.serialize_entry(updated_at, &self.updated_at)?;
        write_members(fields, &values, self.details.as_deref(), &mut map)?;
        map.end()
    }
}

impl<'de, R: Resource> Deserialize<'de> for Stored<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let form = form::<R>();
        let form = Result::as_ref(&form).map_err(D::Error::custom)?;
        let entity = deserializer.deserialize_map(EntityReader(form))?;
        let value = R::from_value(entity.value).map_err(D::Error::custom)?;
        let details = (!entity.details.is_empty()).then(|| Box::new(entity.details));
        Ok(Self { details, ..Self::new(entity.id, entity.created_at, entity.updated_at, value) })
    }
}

/// `{"id":"…"}`
impl<T> Serialize for Ref<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("id", &self.id)?;
        map.end()
    }
}

/// Reads the id; what is shown beside it is ignored.
impl<'de, T> Deserialize<'de> for Ref<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(RefVisitor(PhantomData))
    }
}

struct RefVisitor<T>(PhantomData<fn() -> T>);

impl<'de, T> Visitor<'de> for RefVisitor<T> {
    type Value = Ref<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a reference like {\"id\": …}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ref<T>, A::Error> {
        let mut id = None;
        while let Some(key) = map.next_key::<String>()? {
            if key == COMMON[0] {
                id = Some(map.next_value::<WireId>()?.0);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        id.map(Ref::to).ok_or_else(|| A::Error::missing_field("id"))
    }
}

/// An id, in its one form.
struct WireId(Uuid);

impl<'de> Deserialize<'de> for WireId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let id = uuid_text::parse(&text).map(Self);
        id.ok_or_else(|| D::Error::invalid_value(Unexpected::Str(&text), &"a UUID in lower case"))
    }
}

/// An entity that was read.
struct ReadEntity {
    id: Uuid,
    created_at: Timestamp,
    updated_at: Timestamp,
    value: Value,
    details: ResponseDetails,
}
