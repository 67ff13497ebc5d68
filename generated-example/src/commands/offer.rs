//! What the commands of `Offer` do.

use super::Commands;
use crate::generated::offer::{End, EndOutput, OfferCommands, Renew, RenewOutput};
use restwell::{Call, Rejection, handlers};

#[handlers]
impl OfferCommands for Commands {
    async fn renew(&self, call: Call<Renew>) -> Result<RenewOutput, Rejection> {
        let mut offer = call.entity;
        let ending_at = call.input.duration.after(call.input.from_date);
        let Some(ending_at) = ending_at.filter(|time| *time > call.transaction.now()) else {
            return Err(Rejection::new("EndsInThePast", "would be over before it began").at("duration"));
        };
        offer.ending_at = Some(ending_at);
        call.transaction.update(offer).await?;
        Ok(RenewOutput { ending_at: Some(ending_at) })
    }

    async fn end(&self, call: Call<End>) -> Result<EndOutput, Rejection> {
        Ok(EndOutput { ended_at: call.entity.ending_at })
    }
}
