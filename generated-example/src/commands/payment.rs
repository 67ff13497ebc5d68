//! What the commands of `Payment` do.

use super::Commands;
use super::transaction::put_back;
use crate::generated::TransactionStatus;
use crate::generated::payment::{PaymentCommands, Refund, RefundOutput};
use crate::generated::transaction::Cancel;
use restwell::{Call, Rejection, handlers};

#[handlers]
impl PaymentCommands for Commands {
    async fn refund(&self, call: Call<Refund>) -> Result<RefundOutput, Rejection> {
        let (payment, amount) = (call.entity, call.input.amount);
        if amount.currency() != payment.amount.currency() || amount.minor() > payment.amount.minor() {
            let paid = payment.amount.amount_text();
            return Err(Rejection::new("MoreThanPaid", "is not a part of the {paid} that were paid")
                .at("amount.amount")
                .with("paid", paid));
        }
        let purchase = call.transaction.find(payment.transaction).await?;
        // what was sent or cancelled before stays so
        if matches!(purchase.status, Some(TransactionStatus::Pending | TransactionStatus::Paid)) {
            let cancelled = call.transaction.transition::<Cancel>(&purchase).await?;
            put_back(&cancelled, &call.transaction).await?;
        }
        Ok(RefundOutput { refunded_amount: Some(amount), refunded_at: Some(call.transaction.now()) })
    }
}
