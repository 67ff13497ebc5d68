//! A command on offers, for what measures commands.

use crate::model;
use restwell::{Call, Command, Rejection};

/// Puts one more into stock.
#[derive(Debug, Clone, Command)]
#[command(on = model::Offer)]
pub(crate) struct Restock {}

/// Does it.
pub(crate) async fn restock(call: Call<Restock>) -> Result<(), Rejection> {
    let mut offer = call.entity;
    offer.stock += 1;
    call.transaction.update(offer).await
}
