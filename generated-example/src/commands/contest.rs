//! What the commands of `Contest` do.

use super::Commands;
use crate::generated::contest::{Award, AwardOutput, ContestCommands};
use restwell::{Call, Rejection, handlers};

#[handlers]
impl ContestCommands for Commands {
    async fn award(&self, call: Call<Award>) -> Result<AwardOutput, Rejection> {
        let mut contest = call.entity;
        contest.winner = Some(call.input.winner);
        call.transaction.update(contest).await?;
        Ok(AwardOutput { awarded_at: Some(call.transaction.now()) })
    }
}
