//! What the commands of `Contest` do.

use super::Commands;
use crate::generated::ContestStatus;
use crate::generated::contest::{Award, AwardOutput, ContestCommands};
use restwell::{Call, Rejection, handlers};

#[handlers]
impl ContestCommands for Commands {
    async fn award(&self, call: Call<Award>) -> Result<AwardOutput, Rejection> {
        let mut contest = call.entity;
        if contest.status == Some(ContestStatus::Awarded) {
            return Err(Rejection::new("AlreadyAwarded", "the contest has its winner already"));
        }
        if call.input.winner == contest.organizer {
            return Err(Rejection::new("OrganizerCannotWin", "holds the contest, and cannot win it").at("winner.id"));
        }
        contest.winner = Some(call.input.winner);
        contest.status = Some(ContestStatus::Awarded);
        call.transaction.update(contest).await?;
        Ok(AwardOutput { awarded_at: Some(call.transaction.now()) })
    }
}
