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

use super::{Decimals, Describe, Mismatch, Ref, Registry, Resource, Stored, Typed};
use form::{WireField, WireForm};
use read::{EntityReader, WireReader};
use restwell_model::scalar::{Timestamp, uuid_text};
use restwell_model::{self as model, Service, Value, Version};
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, Unexpected, Visitor};
use serde::ser::{Error as _, SerializeMap};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value as Json};
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

/// The JSON of an entity that a path accepts: without the fields that a version or view does not have, and without
/// those that only the service sets. `view` is the name of a view, or empty for the resource itself; `version` is as
/// in media types: `public.v1`. Unlike serde's, it has the write-only fields, since these are sent.
///
/// ```
/// use restwell::{Resource, typed::only};
///
/// #[derive(Debug, Clone, Resource)]
/// #[resource(view(sale, operations(list)))]
/// pub struct Offer {
///     pub name: String,
///     #[field(views(sale))]
///     pub cost: Option<i64>,
///     #[field(read_only)]
///     pub sold: Option<i64>,
/// }
///
/// let offer = Offer { name: "Lamp".to_owned(), cost: Some(7), sold: None };
/// assert_eq!(only(&offer, "", "public.v1")?.to_string(), r#"{"name":"Lamp"}"#);
/// assert_eq!(only(&offer, "sale", "public.v1")?.to_string(), r#"{"cost":7,"name":"Lamp"}"#);
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
///
/// The resource has no such view, it is not a version, or a value cannot be written.
pub fn only<R: Resource>(entity: &R, view: &str, version: &str) -> Result<Json, String> {
    let resource: model::Resource = serde_json::from_str(R::MODEL).map_err(|error| error.to_string())?;
    let version: Version = version.parse().map_err(|_| format!("`{version}` is not a version"))?;
    let found = resource.views.iter().find(|known| known.name == view);
    if found.is_none() && !view.is_empty() {
        return Err(format!("{} has no view `{view}`", R::NAME));
    }
    let form = form::<R>();
    let (WireForm::Object(fields), Value::Object(values)) = (Result::as_ref(&form)?, entity.to_value()) else {
        return Err("a resource is an object".to_owned());
    };
    let mut members = Map::new();
    for ((field, value), described) in fields.iter().zip(&values).zip(&resource.fields) {
        if described.is_in(version, found) && !described.is_ignored_in_requests() {
            let value = WireValue { form: &field.form, value, details: None };
            members.insert(field.name.clone(), serde_json::to_value(value).map_err(|error| error.to_string())?);
        }
    }
    Ok(Json::Object(members))
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
pub fn preset<T: Describe, V: Typed>(index: usize) -> V {
    converted_preset::<T, V>(index, V::from_value)
}

/// The default of a field of decimals with this scale, as [`preset`].
///
/// # Panics
///
/// As [`preset`].
#[must_use]
pub fn preset_units<T: Describe, V: Decimals>(index: usize, scale: u32) -> V {
    converted_preset::<T, V>(index, |value| V::from_units(value, scale))
}

/// What a field without a default has that is not given.
#[must_use]
pub fn absent<V: Default>() -> V {
    V::default()
}

fn converted_preset<T: Describe, V>(index: usize, from_value: impl FnOnce(Value) -> Result<V, Mismatch>) -> V {
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
        let value = self.value.to_value();
        let (id, times, details) = (self.id, (self.created_at, self.updated_at), self.details.as_deref());
        WireEntity { form, id, times, value: &value, details }.serialize(serializer)
    }
}

/// An entity with its form.
struct WireEntity<'a> {
    form: &'a WireForm,
    id: Uuid,
    /// When it was created, and changed last.
    times: (Timestamp, Timestamp),
    value: &'a Value,
    details: Option<&'a ResponseDetails>,
}

impl Serialize for WireEntity<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (WireForm::Object(fields), Value::Object(values)) = (self.form, self.value) else {
            return Err(S::Error::custom("a resource is an object"));
        };
        let mut map = serializer.serialize_map(None)?;
        let [id, created_at, updated_at] = COMMON;
        map.serialize_entry(id, &self.id)?;
        map.serialize_entry(created_at, &self.times.0)?;
        map.serialize_entry(updated_at, &self.times.1)?;
        write_members(fields, values, self.details, &mut map)?;
        map.end()
    }
}

/// An entity of a model that no derive describes, read from a response and written again as `Stored` does both.
///
/// # Errors
///
/// It cannot be read, or not be written.
pub fn written_again(service: &Service, resource: &str, json: &str) -> Result<String, String> {
    let resource = service.resource(resource).ok_or("there is no such resource")?;
    let form = WireForm::compile(service, &DescribedType::Resource(Box::new(resource.clone())))?;
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let read = deserializer.deserialize_map(EntityReader(&form)).map_err(|error| error.to_string())?;
    let times = (read.created_at, read.updated_at);
    let entity = WireEntity { form: &form, id: read.id, times, value: &read.value, details: Some(&read.details) };
    serde_json::to_string(&entity).map_err(|error| error.to_string())
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
