//! The handlers of the commands of `Result`.

use crate::generated::result::{
    Call, CallOutput, Commands, Register, Rejection, ResultCommands, SelfCommand,
};
use restwell::{handlers, not_ready};

#[handlers]
impl ResultCommands for super::Commands {
    async fn call(
        &self,
        call: restwell::Call<Call>,
    ) -> Result<CallOutput, restwell::Rejection> {
        not_ready!(call)
    }
    async fn rejection(
        &self,
        call: restwell::Call<Rejection>,
    ) -> Result<(), restwell::Rejection> {
        not_ready!(call)
    }
    async fn commands(
        &self,
        call: restwell::Call<Commands>,
    ) -> Result<(), restwell::Rejection> {
        not_ready!(call)
    }
    async fn register(
        &self,
        call: restwell::Call<Register>,
    ) -> Result<(), restwell::Rejection> {
        not_ready!(call)
    }
    async fn self_(
        &self,
        call: restwell::Call<SelfCommand>,
    ) -> Result<(), restwell::Rejection> {
        not_ready!(call)
    }
}
