//! Erasing a person: all that a database holds of a user, in one transaction.
//!
//! The user's row is deleted, with the entities that the user owns and those that `onDelete` names. Then follows what
//! Restwell keeps beside them: the commands of these entities, the person's input to other commands, searches, and
//! events. An event of a deleted entity becomes `deleted`; positions, ids and order are kept, so that readers can
//! continue. An event that showed the person's data (`show`) gets the present state, which no longer has it.
//!
//! Rows are read in pages or one by one. Only the ids of deleted entities are in memory.

mod commands;
mod events;
mod person;
mod rows;
mod searches;

use super::Session;
use super::delete::Detach;
use crate::observe::trace::Trace;
use crate::plan::Plans;
use crate::store::erasure::{EraseRefusal, Erasure, ErasureRequest};
use person::Person;

/// Rows that are read at a time.
const PAGE: i64 = 100;

/// An erasure that has begun. The events are still to be done.
pub(in crate::store) struct Erasing<'a, S> {
    session: &'a S,
    plans: &'a Plans,
    person: Person,
    /// The entities that are gone.
    detach: Detach<'a, S>,
    erasure: Erasure,
}

impl<'a, S: Session> Erasing<'a, S> {
    /// Erases entities, commands and searches. Waits for concurrent changes of these entities, so that
    /// their events exist afterwards.
    pub(in crate::store) async fn begin(
        session: &'a S,
        plans: &'a Plans,
        request: &ErasureRequest,
    ) -> Result<Self, EraseRefusal> {
        let mut detach = Detach::of_person(session, plans, request.now, request.person);
        let mut person = rows::gather(&mut detach, request.person).await?;
        person.remember_former(session, plans).await?;
        let mut erasure = Erasure::default();
        let mut reasons = rows::hindrances(&detach).await?;
        reasons.extend(commands::erase(session, &person, &mut erasure).await?);
        if !reasons.is_empty() {
            return Err(EraseRefusal::Hindered(reasons));
        }
        rows::delete(&detach, &mut erasure).await?;
        searches::erase(session, &person, &mut erasure).await?;
        Ok(Self { session, plans, person, detach, erasure })
    }

    /// Erases what events after a position hold; the last position.
    pub(in crate::store) async fn events(&mut self, after: i64) -> Result<i64, EraseRefusal> {
        events::erase(self.session, self.plans, &self.person, after, &mut self.erasure).await
    }

    /// Writes the events of the changes.
    pub(in crate::store) async fn finish(self) -> Result<Erasure, EraseRefusal> {
        self.detach.announce(&Trace::new()).await?;
        Ok(self.erasure)
    }
}

/// The position before all events.
pub(in crate::store) const BEGINNING: i64 = crate::store::outbox::START;
