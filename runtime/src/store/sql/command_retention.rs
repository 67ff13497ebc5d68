//! Finished commands: pruned to their ids some time after their end, and deleted after as long again.
//!
//! The row stays where it is when it is pruned, so that its id is never free in between.

use super::{Session, SqlFailure};
use crate::plan::cell::CellRef;
use crate::store::commands::{PRUNED, number};
use crate::store::{CommandExpiry, PrunedPortion};
use restwell_model::events::CommandStatus;
use restwell_model::tables::Dialect;
use std::time::Instant;

/// Prunes and deletes a portion of at most `portion` commands.
pub(in crate::store) async fn prune<S: Session>(
    session: &S,
    expiry: CommandExpiry,
    portion: u32,
) -> Result<PrunedPortion, SqlFailure> {
    let begun = Instant::now();
    let others = match S::DIALECT {
        Dialect::Sqlite => "",
        // what another instance is at is left to it
        Dialect::Postgres => " FOR UPDATE SKIP LOCKED",
    };
    // the index gives the ids in this order
    let ids = |status: i64| {
        format!(
            "\"id\" IN (SELECT \"id\" FROM \"_restwell_commands\" WHERE \"status\" = {status} AND \"status\" > 0 \
             AND \"updated_at\" >= ?1 AND \"updated_at\" < ?2 ORDER BY \"updated_at\" LIMIT ?3{others}) \
             RETURNING \"updated_at\""
        )
    };
    let delete = format!("DELETE FROM \"_restwell_commands\" WHERE {}", ids(PRUNED));
    let prune = |status: CommandStatus| {
        format!(
            "UPDATE \"_restwell_commands\" SET \"status\" = {PRUNED}, \"caller\" = NULL, \"input\" = '', \
             \"output\" = NULL, \"errors\" = NULL, \"trace_parent\" = NULL WHERE {}",
            ids(number(status))
        )
    };
    let statements = [
        (delete, expiry.forgotten),
        (prune(CommandStatus::Successful), expiry.finished),
        (prune(CommandStatus::Failed), expiry.finished),
    ];
    let (mut commands, mut until) = (0, expiry.from);
    for ((statement, before), from) in statements.into_iter().zip(&mut until.0) {
        let rest = i64::from(portion).saturating_sub_unsigned(commands);
        if rest > 0 {
            let values = [CellRef::Int(*from), CellRef::Int(before), CellRef::Int(rest)];
            let rows = session.rows(&statement, &values).await?;
            commands += rows.len() as u64;
            *from = rows.iter().filter_map(|row| row.first()?.borrow().int()).fold(*from, i64::max);
        }
    }
    Ok(PrunedPortion { commands, until, took: begun.elapsed() })
}
