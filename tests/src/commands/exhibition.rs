//! The commands of Exhibitions.

use super::Commands;
use crate::generated::exhibition::{ExhibitionCommands, Extend};
use restwell::{Call, Rejection, handlers};

#[handlers]
impl ExhibitionCommands for Commands {
    async fn extend(&self, call: Call<Extend>) -> Result<(), Rejection> {
        let mut exhibition = call.entity;
        exhibition.ends_at = Some(call.input.ends_at);
        call.transaction.update(exhibition).await
    }
}
