//! A reference to another entity (§2.4.9).

use super::{Mismatch, Typed};
use restwell_model::Value;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use uuid::Uuid;

/// The id of an entity of `T`. What a response shows beside it (`show(name)`) is put there when it is rendered; an
/// entity that was read from a response has it: [`Stored::shown`](super::Stored::shown).
pub struct Ref<T> {
    /// The other entity's id.
    pub id: Uuid,
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

impl<T> From<Ref<T>> for Uuid {
    fn from(reference: Ref<T>) -> Self {
        reference.id
    }
}

impl<T> Typed for Ref<T> {
    fn from_value(value: Value) -> Result<Self, Mismatch> {
        match value {
            Value::Uuid(id) => Ok(Self::to(id)),
            other => Err(Mismatch::expected("a reference", &other)),
        }
    }

    fn to_value(&self) -> Value {
        Value::Uuid(self.id)
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

impl<T> PartialOrd for Ref<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Ref<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.id.cmp(&other.id)
    }
}

impl<T> Hash for Ref<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}
