//! Whether the server takes writes: what became of the last ones.
//!
//! A server whose disk is full, or that was set to read only, answers reads, and says nothing of its state unless it is
//! asked to write. So a failed write is remembered, and only a trial write shows whether another would succeed.

use super::Postgres;
use super::retry::TransactionOptions;
use super::schema::{self, ServerMode};
use super::single_statements::SingleStatements;
use crate::store::sql::Session;
use crate::store::{Refusal, StoreError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio_postgres::error::SqlState;

/// Writes 1 MiB, as many bytes as a body may have: a full disk takes a smaller write where a larger one has failed, in
/// the space that is left of that. The text is one that the server cannot compress.
const FILL_PROBE: &str = "INSERT INTO \"_restwell\" (\"key\", \"value\") \
                          SELECT 'probe', string_agg(md5(CAST(random() AS text)), '') FROM generate_series(1, 32768) \
                          ON CONFLICT (\"key\") DO UPDATE SET \"value\" = excluded.\"value\"";
const DROP_PROBE: &str = "DELETE FROM \"_restwell\" WHERE \"key\" = 'probe'";

/// Why the last write failed, if the server takes no others either.
#[derive(Debug, Default)]
pub(super) struct WriteHealth(Mutex<Option<StoreError>>);

impl WriteHealth {
    /// Notes why a write failed.
    pub(super) fn failed(&self, error: StoreError) {
        *self.failure() = Some(error);
    }

    fn failure(&self) -> MutexGuard<'_, Option<StoreError>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether an error of a write says that the server takes no others either: it lacks disk, memory or connections, its
/// disk fails, or it takes no writes at all.
pub(super) fn takes_no_writes(error: &tokio_postgres::Error) -> bool {
    error.code().is_some_and(|code| {
        ["53", "58"].iter().any(|class| code.code().starts_with(class)) || *code == SqlState::READ_ONLY_SQL_TRANSACTION
    })
}

impl Postgres {
    /// Whether the server takes writes. A write is tried where the last one failed, or where the server says that it
    /// only reads.
    pub(super) async fn check_writes(&self) -> Result<(), Refusal> {
        let mode = self.read(|connection| async move {
            let mode = schema::mode(&SingleStatements::on(&connection)).await?;
            if mode == ServerMode::ReadOnly {
                // it is a setting of the session that may have changed for others
                connection.retire();
            }
            Ok(mode)
        });
        let has_failed = || self.commits.health.failure().is_some();
        match mode.await? {
            ServerMode::Standby => {
                Err(StoreError::Unavailable("the server takes no writes: it is a standby".to_owned()).into())
            }
            ServerMode::Writing if !has_failed() => Ok(()),
            ServerMode::Writing | ServerMode::ReadOnly => {
                self.probe().await?;
                *self.commits.health.failure() = None;
                Ok(())
            }
        }
    }

    /// Tries a write, durably, and takes it back.
    async fn probe(&self) -> Result<(), Refusal> {
        for statement in [FILL_PROBE, DROP_PROBE] {
            let write = self.transact(TransactionOptions::queued(), |session| async move {
                session.execute(statement, &[]).await?;
                Ok(())
            });
            write.await?;
        }
        Ok(())
    }
}
