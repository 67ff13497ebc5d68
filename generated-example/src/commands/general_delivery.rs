//! What the commands of `GeneralDelivery` do.

use super::Commands;
use crate::generated::general_delivery::{Collect, CollectOutput, GeneralDeliveryCommands};
use restwell::{Call, Rejection, handlers};

#[handlers]
impl GeneralDeliveryCommands for Commands {
    async fn collect(&self, call: Call<Collect>) -> Result<CollectOutput, Rejection> {
        let (delivery, now) = (call.entity, call.transaction.now());
        if delivery.stored_until < now.date() {
            return Err(Rejection::new("StoredTooLong", "the parcel was kept until {storedUntil}")
                .with("storedUntil", delivery.stored_until.to_string()));
        }
        Ok(CollectOutput { collected_at: Some(now) })
    }
}
