//! Hooks: what a team's own code does after changes were committed, such as mails, indexes, calls of partners.
//!
//! [`HookFinder`] goes over the events and makes a task of each that a hook is for, with the event's id. The executor
//! of commands runs it: one instance at a time, again after a pause where it fails, also after a crash.

mod finder;

pub(crate) use finder::HookFinder;

use super::commands::Invocation;
use super::rejection::Rejection;
use super::transaction::Transaction;
use crate::typed::{Ref, Resource};
use restwell_model::Value;
use restwell_model::scalar::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use uuid::Uuid;

/// What a team does after changes of a resource, once they are committed.
///
/// It runs for each event of the resource, at least once: in one instance, and again where it fails, with longer and
/// longer pauses up to an hour. Events of one entity may overtake each other. Until it succeeds it is RUNNING in
/// `commands list`, with its last error; after a hundred tries it is FAILED, and `commands retry` starts it again.
///
/// ```
/// # use restwell::{Event, EventChange, Hook, Rejection, Resource};
/// # #[derive(Debug, Clone, Resource)] pub struct Offer { pub name: String }
/// # async fn send_mail(_id: &str, _text: &str) -> Result<(), std::io::Error> { Ok(()) }
/// struct OfferMails;
///
/// impl Hook<Offer> for OfferMails {
///     async fn on(&self, event: Event<Offer>) -> Result<(), Rejection> {
///         if event.change != EventChange::Created {
///             return Ok(());
///         }
///         // none: it was deleted meanwhile
///         let Some(offer) = event.transaction.get(event.entity).await? else { return Ok(()) };
///         // the same id each time: a mail server that knows it sends no second mail
///         send_mail(&event.id.to_string(), &format!("{} is for sale", offer.name)).await.map_err(Rejection::upstream)
///     }
/// }
/// # let builder = restwell::Builder::new("shop").resource::<Offer>();
/// let builder = builder.on(OfferMails);
/// ```
pub trait Hook<R: Resource>: Send + Sync + 'static {
    /// Does it for one event.
    ///
    /// # Errors
    ///
    /// Why it could not be done: it is tried again later.
    fn on(&self, event: Event<R>) -> impl Future<Output = Result<(), Rejection>> + Send;
}

/// A change that was committed.
pub struct Event<R: Resource> {
    /// The event's id, the same on streams and on the bus, and each time that the hook runs for it: the idempotency key
    /// for what is done elsewhere.
    pub id: Uuid,
    /// What happened to the entity.
    pub change: EventChange,
    /// The entity. `event.transaction.get(event.entity)` reads it as it is now.
    pub entity: Ref<R>,
    /// When it was changed.
    pub time: Timestamp,
    /// The id of the caller who caused it, where there was one.
    pub actor: Option<Uuid>,
    /// Reads and changes, committed when the hook succeeds: each event's exactly once.
    pub transaction: Transaction,
}

/// What happened to an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EventChange {
    /// It was created.
    Created,
    /// It was replaced or patched, by a request or by code.
    Updated,
    /// It was deleted.
    Deleted,
}

/// What the task of a hook keeps of an event, besides its id and its entity.
#[derive(Serialize, Deserialize)]
struct Happened {
    change: EventChange,
    /// Milliseconds since 1970.
    time: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    actor: Option<Uuid>,
}

impl<R: Resource> fmt::Debug for Event<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event").field("id", &self.id).field("change", &self.change).finish_non_exhaustive()
    }
}

impl<R: Resource> Event<R> {
    /// What a task of a hook is about.
    pub(super) fn of(invocation: Invocation) -> Result<Self, Rejection> {
        let Invocation { id, entity, input, transaction, .. } = invocation;
        let Value::Text(kept) = input else { return Err(Rejection::unforeseen("a hook has no event")) };
        let Happened { change, time, actor } = serde_json::from_str(&kept).map_err(Rejection::unforeseen)?;
        let time = Timestamp::from_millis(time).ok_or_else(|| Rejection::unforeseen("an event has no time"))?;
        Ok(Self { id, change, entity: Ref::to(entity), time, actor, transaction })
    }
}
