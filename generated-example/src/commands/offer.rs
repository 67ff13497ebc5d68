//! What the commands of `Offer` do.

use super::Commands;
use crate::generated::OfferStatus;
use crate::generated::offer::{End, EndOutput, OfferCommands, Renew, RenewOutput};
use restwell::{Call, Rejection, handlers};

#[handlers]
impl OfferCommands for Commands {
    async fn renew(&self, call: Call<Renew>) -> Result<RenewOutput, Rejection> {
        let mut offer = call.entity;
        if offer.status != Some(OfferStatus::Ended) {
            return Err(Rejection::new("OfferStillActive", "the offer has not ended yet"));
        }
        let ending_at = call.input.duration.after(call.input.from_date);
        let Some(ending_at) = ending_at.filter(|time| *time > call.transaction.now()) else {
            return Err(Rejection::new("EndsInThePast", "would be over before it began").at("duration"));
        };
        offer.status = Some(OfferStatus::Active);
        offer.ending_at = Some(ending_at);
        call.transaction.update(offer).await?;
        Ok(RenewOutput { ending_at: Some(ending_at) })
    }

    async fn end(&self, call: Call<End>) -> Result<EndOutput, Rejection> {
        let mut offer = call.entity;
        if offer.status == Some(OfferStatus::Ended) {
            return Err(Rejection::new("OfferEnded", "the offer has ended already"));
        }
        let now = call.transaction.now();
        offer.status = Some(OfferStatus::Ended);
        offer.ending_at = Some(now);
        call.transaction.update(offer).await?;
        Ok(EndOutput { ended_at: Some(now) })
    }
}
