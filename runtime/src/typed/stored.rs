//! An entity as a team's code has it: its fields as the struct that was derived for, and what every entity has.

use super::Ref;
use super::wire::ResponseDetails;
use restwell_model::Value;
use restwell_model::scalar::Timestamp;
use serde_json::{Map, Value as Json};
use std::ops::{Deref, DerefMut};
use uuid::Uuid;

/// An entity of `R` as it is stored (§2.3). Its fields are reached directly: `offer.name`.
///
/// It is serialized as `GET` responds with it, and read from such a response: what this shows beside references, and
/// which fields its version or view does not have, stays with it.
#[derive(Debug, Clone)]
pub struct Stored<R> {
    /// Its id.
    pub id: Uuid,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// Its fields.
    pub value: R,
    /// Of the response that it was read from.
    pub(super) details: Option<Box<ResponseDetails>>,
    /// Its values as they were read from the store, if numbers in JSON of any form have other digits there.
    pub(crate) exact: Option<Box<Value>>,
}

impl<R> Deref for Stored<R> {
    type Target = R;

    fn deref(&self) -> &R {
        &self.value
    }
}

impl<R> DerefMut for Stored<R> {
    fn deref_mut(&mut self) -> &mut R {
        &mut self.value
    }
}

/// The details of a response are not its own.
impl<R: PartialEq> PartialEq for Stored<R> {
    fn eq(&self, other: &Self) -> bool {
        (self.id, self.created_at, self.updated_at) == (other.id, other.created_at, other.updated_at)
            && self.value == other.value
    }
}

impl<R: Eq> Eq for Stored<R> {}

impl<R> Stored<R> {
    /// An entity of these fields.
    #[must_use]
    pub const fn new(id: Uuid, created_at: Timestamp, updated_at: Timestamp, value: R) -> Self {
        Self { id, created_at, updated_at, value, details: None, exact: None }
    }

    /// The same with the values that were read from the store.
    pub(crate) fn with_exact(self, exact: Option<Box<Value>>) -> Self {
        Self { exact, ..self }
    }

    /// What the response that it was read from shows beside a reference: `offer.shown("seller", offer.seller)`. The
    /// field has its name in JSON; one inside an object is dotted.
    #[must_use]
    pub fn shown(&self, field: &str, reference: impl Into<Uuid>) -> Map<String, Json> {
        let shown = self.details.as_deref().map(|details| details.shown(field, reference.into())).unwrap_or_default();
        let json = |value| serde_json::to_value(value).unwrap_or_default();
        shown.iter().map(|(name, value)| (name.clone(), json(value))).collect()
    }

    /// A reference to it.
    #[must_use]
    pub const fn reference(&self) -> Ref<R> {
        Ref::to(self.id)
    }
}

impl<R> From<&Stored<R>> for Uuid {
    fn from(entity: &Stored<R>) -> Self {
        entity.id
    }
}

impl<R> From<&Stored<R>> for Ref<R> {
    fn from(entity: &Stored<R>) -> Self {
        entity.reference()
    }
}
