//! Finished commands: pruned to their ids some time after their end, and deleted after as long again.
//!
//! The row stays where it is when it is pruned, so that its id is never free in between.

use super::{Session, SqlFailure};
use crate::plan::cell::CellRef;
use crate::store::CommandExpiry;
use crate::store::commands::{PRUNED, number};
use restwell_model::events::CommandStatus;
use restwell_model::tables::Dialect;

/// Commands that are pruned or deleted at once, so that writes do not wait long. The others are next.
const MAX_PRUNED: i64 = 100;

/// Prunes and deletes a portion; how many.
pub(in crate::store) async fn prune<S: Session>(session: &S, expiry: CommandExpiry) -> Result<u64, SqlFailure> {
    let others = match S::DIALECT {
        Dialect::Sqlite => "",
        // what another instance is at is left to it
        Dialect::Postgres => " FOR UPDATE SKIP LOCKED",
    };
    let portion = |status: i64| {
        format!(
            "\"status\" = {status} AND \"id\" IN (SELECT \"id\" FROM \"_restwell_commands\" \
             WHERE \"status\" = {status} AND \"status\" > 0 AND \"updated_at\" < ?1 ORDER BY \"updated_at\" LIMIT ?2{others})"
        )
    };
    let mut done = 0;
    let delete = format!("DELETE FROM \"_restwell_commands\" WHERE {}", portion(PRUNED));
    done += session.execute(&delete, &[CellRef::Int(expiry.forgotten), CellRef::Int(MAX_PRUNED)]).await?;
    for status in [CommandStatus::Successful, CommandStatus::Failed] {
        let prune = format!(
            "UPDATE \"_restwell_commands\" SET \"status\" = {PRUNED}, \"caller\" = NULL, \"input\" = '', \
             \"output\" = NULL, \"errors\" = NULL, \"trace_parent\" = NULL WHERE {}",
            portion(number(status))
        );
        done += session.execute(&prune, &[CellRef::Int(expiry.finished), CellRef::Int(MAX_PRUNED)]).await?;
    }
    Ok(done)
}
