//! What the commands of `Payment` do.

use super::Commands;
use super::transaction::take_back;
use crate::generated::payment::{PaymentCommands, Refund, RefundOutput};
use crate::generated::{PaymentStatus, TransactionStatus};
use restwell::{Call, Rejection, handlers};

#[handlers]
impl PaymentCommands for Commands {
    async fn refund(&self, call: Call<Refund>) -> Result<RefundOutput, Rejection> {
        let mut payment = call.entity;
        let amount = call.input.amount;
        if payment.status == Some(PaymentStatus::Refunded) {
            return Err(Rejection::new("AlreadyRefunded", "the money was given back already"));
        }
        if amount.currency() != payment.amount.currency() || amount.minor() > payment.amount.minor() {
            let paid = payment.amount.amount_text();
            return Err(Rejection::new("MoreThanPaid", "is not a part of the {paid} that were paid")
                .at("amount.amount")
                .with("paid", paid));
        }
        let purchase = call.transaction.find(payment.transaction).await?;
        payment.status = Some(PaymentStatus::Refunded);
        call.transaction.update(payment).await?;
        // it may have been cancelled before, or with another payment
        if purchase.status != Some(TransactionStatus::Cancelled) {
            take_back(purchase, &call.transaction).await?;
        }
        Ok(RefundOutput { refunded_amount: Some(amount), refunded_at: Some(call.transaction.now()) })
    }
}
