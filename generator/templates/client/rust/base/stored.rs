//! An entity as the service has it, and references to one.

use super::values::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use uuid::Uuid;

/// An entity of the service (§2.3). Its fields are reached directly: `offer.name`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Stored<T> {
    /// Its id.
    pub id: Uuid,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// The tag of this state of the entity, for conditional requests. Entities of a list have none.
    #[serde(skip)]
    pub etag: Option<String>,
    /// The id under which the service has logged the request.
    #[serde(skip)]
    pub trace_id: Option<Uuid>,
    /// Its fields.
    #[serde(flatten)]
    pub value: T,
}

impl<T> Stored<T> {
    /// The same entity with other fields: `offer.map(OfferUpdate::from)` keeps the tag, so that an update is refused
    /// if somebody else has changed the entity.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Stored<U> {
        let Self { id, created_at, updated_at, etag, trace_id, value } = self;
        Stored { id, created_at, updated_at, etag, trace_id, value: change(value) }
    }

    /// A reference to it.
    #[must_use]
    pub const fn reference(&self) -> Ref<T> {
        Ref::to(self.id)
    }
}

impl<T> Deref for Stored<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Stored<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

/// The id of an entity of `T`.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Ref<T> {
    /// The other entity's id.
    pub id: Uuid,
    #[serde(skip)]
    target: PhantomData<fn() -> T>,
}

impl<T> Ref<T> {
    /// A reference to the entity of this id.
    #[must_use]
    pub const fn to(id: Uuid) -> Self {
        Self { id, target: PhantomData }
    }
}

impl<T> From<Uuid> for Ref<T> {
    fn from(id: Uuid) -> Self {
        Self::to(id)
    }
}

impl<T> From<&Stored<T>> for Ref<T> {
    fn from(entity: &Stored<T>) -> Self {
        entity.reference()
    }
}

impl<T> From<Ref<T>> for Uuid {
    fn from(reference: Ref<T>) -> Self {
        reference.id
    }
}

// By hand, for a derive would ask the same of `T`, of which no value is here.

impl<T> Clone for Ref<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Ref<T> {}

impl<T> fmt::Debug for Ref<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Ref").field(&self.id).finish()
    }
}

impl<T> PartialEq for Ref<T> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl<T> Eq for Ref<T> {}

impl<T> Hash for Ref<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}
