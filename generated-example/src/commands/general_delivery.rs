//! What the commands of `GeneralDelivery` do.

use super::Commands;
use crate::generated::GeneralDeliveryStatus;
use crate::generated::general_delivery::{Collect, CollectOutput, GeneralDeliveryCommands};
use restwell::{Call, Rejection, handlers};

#[handlers]
impl GeneralDeliveryCommands for Commands {
    async fn collect(&self, call: Call<Collect>) -> Result<CollectOutput, Rejection> {
        let mut delivery = call.entity;
        if delivery.status != Some(GeneralDeliveryStatus::Waiting) {
            return Err(Rejection::new("NotWaiting", "the parcel is not at the post office any more"));
        }
        let now = call.transaction.now();
        if delivery.stored_until < now.date() {
            return Err(Rejection::new("StoredTooLong", "the parcel was kept until {storedUntil}")
                .with("storedUntil", delivery.stored_until.to_string()));
        }
        delivery.status = Some(GeneralDeliveryStatus::Collected);
        call.transaction.update(delivery).await?;
        Ok(CollectOutput { collected_at: Some(now) })
    }
}
