//! What the commands of `Shipment` do.

use super::Commands;
use crate::generated::shipment::{Dispatch, DispatchOutput, ShipmentCommands};
use restwell::{Call, Rejection, handlers};

#[handlers]
impl ShipmentCommands for Commands {
    async fn dispatch(&self, call: Call<Dispatch>) -> Result<DispatchOutput, Rejection> {
        let delivery_date = self.carriers.announce(call.id, &call.input.tracking_number).await?;
        Ok(DispatchOutput { dispatched_at: call.entity.dispatched_at, delivery_date })
    }
}
