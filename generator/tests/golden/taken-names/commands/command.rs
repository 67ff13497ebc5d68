//! The handlers of the commands of `Command`.

use super::Commands;
use crate::generated::command::{CommandCommand, CommandCommandOutput, CommandCommands};
use restwell::{Call, Rejection, handlers, not_ready};

#[handlers]
impl CommandCommands for Commands {
    async fn command(
        &self,
        call: Call<CommandCommand>,
    ) -> Result<CommandCommandOutput, Rejection> {
        not_ready!(call)
    }
}
