//! What a handler gets.

use crate::auth::caller::Caller;
use crate::logic::transaction::Transaction;
use crate::typed::{Command, Stored};
use std::fmt;
use uuid::Uuid;

/// One execution of a command: who wants what done to which entity, and the transaction to do it in.
///
/// ```
/// # use restwell::{Call, Command, Rejection, Resource};
/// # #[derive(Debug, Clone, Resource)] pub struct Offer { pub name: String }
/// /// Gives an offer another name.
/// #[derive(Debug, Clone, Command)]
/// #[command(on = Offer)]
/// pub struct Rename {
///     pub name: String,
/// }
///
/// async fn rename(call: Call<Rename>) -> Result<(), Rejection> {
///     let mut offer = call.entity;
///     offer.name = call.input.name;
///     call.transaction.update(offer).await
/// }
/// ```
pub struct Call<C: Command> {
    /// The command's id, made by the client: the idempotency key for what is done elsewhere.
    pub id: Uuid,
    /// Who sent it; `None` if it is open to anyone and has no credentials.
    pub caller: Option<Caller>,
    /// The entity that it is a command of.
    pub entity: Stored<C::On>,
    /// What the client sent.
    pub input: C,
    /// Reads and changes, done with the command's end or not at all.
    pub transaction: Transaction,
}

impl<C: Command> fmt::Debug for Call<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("id", &self.id).field("command", &C::NAME).finish_non_exhaustive()
    }
}
