//! The outbox of PostgreSQL.

use super::events::number;
use super::session::Statements;
use super::{Postgres, Way, failed};
use crate::store::outbox::{Dropped, Expiry, Mark, Outbox, SelectedPage, Selection, StoredEvent, Which};
use crate::store::sql::outbox;
use crate::store::{Answer, Refusal, StoreError};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

impl Outbox for Postgres {
    fn events(&self, after: i64) -> Answer<'_, Result<Vec<StoredEvent>, StoreError>> {
        Box::pin(self.read(move |connection| async move { outbox::page(&Statements(&connection), after).await }))
    }

    fn selected_events(&self, after: i64, selection: Arc<Selection>) -> Answer<'_, Result<SelectedPage, StoreError>> {
        Box::pin(self.read(move |connection| {
            let selection = Arc::clone(&selection);
            async move { outbox::selected(&Statements(&connection), after, &selection).await }
        }))
    }

    fn mark(&self, which: Which) -> Answer<'_, Result<Option<Mark>, StoreError>> {
        if which != Which::Newest {
            return Box::pin(
                self.read(move |connection| async move { outbox::mark(&Statements(&connection), which).await }),
            );
        }
        Box::pin(async move {
            // what was acknowledged before somebody asks is not after the newest
            let newest = self.transact(Way::queued(), |session| async move {
                number(&*session).await?;
                Ok(outbox::mark(&*session, which).await?)
            });
            newest.await.map_err(failed)
        })
    }

    fn commits(&self) -> watch::Receiver<u64> {
        self.events.commits()
    }

    fn leads(&self, lease: Duration) -> Answer<'_, Result<bool, StoreError>> {
        let instance = self.events.instance();
        Box::pin(
            self.read(move |connection| async move { outbox::lead(&Statements(&connection), instance, lease).await }),
        )
    }

    fn published(&self) -> Answer<'_, Result<i64, StoreError>> {
        Box::pin(self.read(|connection| async move { outbox::published(&Statements(&connection)).await }))
    }

    fn set_published(&self, position: i64) -> Answer<'_, Result<(), Refusal>> {
        Box::pin(self.transact(Way::queued(), move |session| async move {
            Ok(outbox::set_published(&*session, position).await?)
        }))
    }

    fn drop_events(&self, expiry: Expiry) -> Answer<'_, Result<Dropped, Refusal>> {
        Box::pin(
            self.transact(
                Way::queued(),
                move |session| async move { Ok(outbox::drop_portion(&*session, expiry).await?) },
            ),
        )
    }
}
