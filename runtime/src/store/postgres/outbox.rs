//! The outbox of PostgreSQL.

use super::Postgres;
use super::events::number;
use super::operations::failed;
use super::retry::TransactionOptions;
use super::single_statements::SingleStatements;
use crate::store::outbox::{
    EventPosition, ExpiredEvents, Expiry, Follower, Outbox, Seek, SelectedPage, Selection, StoredEvent,
};
use crate::store::sql::outbox;
use crate::store::{LeaseName, Refusal, StoreError, StoreFuture};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

impl Outbox for Postgres {
    fn events(&self, after: i64) -> StoreFuture<'_, Result<Vec<StoredEvent>, StoreError>> {
        Box::pin(
            self.read(move |connection| async move { outbox::page(&SingleStatements::on(&connection), after).await }),
        )
    }

    fn selected_events(
        &self,
        after: i64,
        selection: Arc<Selection>,
    ) -> StoreFuture<'_, Result<SelectedPage, StoreError>> {
        Box::pin(self.read(move |connection| {
            let selection = Arc::clone(&selection);
            async move { outbox::selected(&SingleStatements::on(&connection), after, &selection).await }
        }))
    }

    fn mark(&self, which: Seek) -> StoreFuture<'_, Result<Option<EventPosition>, StoreError>> {
        if which != Seek::Newest {
            return Box::pin(
                self.read(
                    move |connection| async move { outbox::mark(&SingleStatements::on(&connection), which).await },
                ),
            );
        }
        Box::pin(async move {
            // events of changes that were acknowledged before this call must have positions
            let newest = self.transact(TransactionOptions::queued(), |session| async move {
                number(&*session).await?;
                Ok(outbox::mark(&*session, which).await?)
            });
            newest.await.map_err(failed)
        })
    }

    fn cursor_secret(&self, new: String) -> StoreFuture<'_, Result<String, StoreError>> {
        Box::pin(async move {
            let known =
                self.read(|connection| async move { outbox::cursor_secret(&SingleStatements::on(&connection)).await });
            if let Some(known) = known.await? {
                return Ok(known);
            }
            let new = &*new;
            let kept = self.transact(TransactionOptions::queued(), |session| async move {
                Ok(outbox::keep_cursor_secret(&*session, new).await?)
            });
            kept.await.map_err(failed)
        })
    }

    fn commits(&self) -> watch::Receiver<u64> {
        self.events.commits()
    }

    fn leads(&self, name: LeaseName, lease: Duration) -> StoreFuture<'_, Result<bool, StoreError>> {
        let instance = self.events.instance();
        Box::pin(self.read(move |connection| async move {
            outbox::lead(&SingleStatements::on(&connection), instance, name, lease).await
        }))
    }

    fn followed(&self, follower: Follower) -> StoreFuture<'_, Result<Option<i64>, StoreError>> {
        Box::pin(self.read(move |connection| async move {
            outbox::followed(&SingleStatements::on(&connection), follower).await
        }))
    }

    fn set_followed(&self, follower: Follower, position: i64) -> StoreFuture<'_, Result<(), Refusal>> {
        Box::pin(self.transact(TransactionOptions::queued(), move |session| async move {
            Ok(outbox::set_followed(&*session, follower, position).await?)
        }))
    }

    fn drop_events(&self, expiry: Expiry) -> StoreFuture<'_, Result<ExpiredEvents, Refusal>> {
        Box::pin(self.transact(TransactionOptions::queued(), move |session| async move {
            Ok(outbox::drop_portion(&*session, expiry).await?)
        }))
    }
}
