//! What the commands of `Shipment` do.

use super::Commands;
use crate::generated::ShipmentStatus;
use crate::generated::shipment::{Dispatch, DispatchOutput, ShipmentCommands};
use restwell::{Call, Rejection, handlers};

#[handlers]
impl ShipmentCommands for Commands {
    async fn dispatch(&self, call: Call<Dispatch>) -> Result<DispatchOutput, Rejection> {
        let mut shipment = call.entity;
        if shipment.status != Some(ShipmentStatus::Prepared) {
            return Err(Rejection::new("AlreadyDispatched", "the carrier has the parcel already"));
        }
        let delivery_date = self.carriers.announce(call.id, &call.input.tracking_number).await?;
        let now = call.transaction.now();
        shipment.status = Some(ShipmentStatus::Dispatched);
        shipment.dispatched_at = Some(now);
        call.transaction.update(shipment).await?;
        Ok(DispatchOutput { dispatched_at: Some(now), delivery_date })
    }
}
