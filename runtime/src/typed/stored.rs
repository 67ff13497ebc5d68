//! An entity as a team's code has it: its fields as the struct that was derived for, and what every entity has.

use super::Ref;
use restwell_model::scalar::Timestamp;
use std::ops::{Deref, DerefMut};
use uuid::Uuid;

/// An entity of `R` as it is stored (§2.3). Its fields are reached directly: `offer.name`.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored<R> {
    /// Its id.
    pub id: Uuid,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// Its fields.
    pub value: R,
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

impl<R> Stored<R> {
    /// A reference to it.
    #[must_use]
    pub const fn reference(&self) -> Ref<R> {
        Ref::to(self.id)
    }
}

impl<R> From<&Stored<R>> for Ref<R> {
    fn from(entity: &Stored<R>) -> Self {
        entity.reference()
    }
}
