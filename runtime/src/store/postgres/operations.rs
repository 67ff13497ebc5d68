//! What the store does, each as single statements or in a transaction.

use super::groups;
use super::locks::Locks;
use super::queued_write::GroupOutcome;
use super::retry::TransactionOptions;
use super::shared_write::{self, SharedWrite};
use super::single_statements::SingleStatements;
use super::transaction::PostgresTransaction;
use super::{Postgres, merging, read};
use crate::fair_queue::Turn;
use crate::plan::cell::Cell;
use crate::plan::query::Query;
use crate::plan::render::Render;
use crate::plan::statements::RowQuery;
use crate::plan::viewer::Viewer;
use crate::plan::{ColumnIndex, ResourceIndex};
use crate::store::sql;
use crate::store::{
    Backlog, Batch, Change, ChangeKind, CommandExpiry, CommandPage, CommandQuery, Entity, NewCommand, NewSearch,
    PrunedPortion, Read, ReadResult, Record, Refusal, RepresentationId, Step, Store, StoreError, StoreFuture,
    StoredSearch,
};
use restwell_model::Problem;
use std::collections::HashMap;
use std::sync::Arc;
use uuid::Uuid;

impl Store for Postgres {
    fn get(
        &self,
        at: RepresentationId,
        id: Uuid,
        viewer: Viewer,
    ) -> StoreFuture<'_, Result<Option<Entity>, StoreError>> {
        Box::pin(self.read(move |connection| {
            let viewer = viewer.clone();
            async move {
                let plan = &self.plans.resources[at.resource];
                let (session, representation) = (SingleStatements::on(&connection), plan.representation(at));
                let seen = (viewer.sight(&self.plans, at.resource), &viewer);
                // what depends on the caller is read for each of them
                if representation.select_seen(&plan.table, seen.0, &viewer, id).is_some() {
                    return read::entity(&session, &self.plans, at, id, seen).await;
                }
                let (one, many) = (&representation.select_one, &representation.select_many);
                let row = merging::row_by_id(&connection, (one, many), id).await?;
                read::entity_of(&session, &self.plans, at, (id, row), seen).await
            }
        }))
    }

    fn show(
        &self,
        shown: Arc<Render>,
        bodies: Vec<Vec<u8>>,
        viewer: Viewer,
    ) -> StoreFuture<'_, Result<Vec<Vec<u8>>, StoreError>> {
        let rows: Arc<Vec<_>> = Arc::new(bodies.into_iter().map(|body| vec![Cell::of_json(body)]).collect());
        Box::pin(self.read(move |connection| {
            let (shown, rows, viewer) = (Arc::clone(&shown), Arc::clone(&rows), viewer.clone());
            async move { read::shown(&SingleStatements::on(&connection), &shown, &rows, &viewer).await }
        }))
    }

    fn read_places(&self) -> usize {
        self.reading.max_size()
    }

    fn shows(
        &self,
        at: RepresentationId,
        id: Uuid,
        caller: Uuid,
        viewer: Viewer,
    ) -> StoreFuture<'_, Result<bool, StoreError>> {
        Box::pin(self.read(move |connection| {
            let viewer = viewer.clone();
            async move { sql::shows(&SingleStatements::on(&connection), &self.plans, at, id, (caller, &viewer)).await }
        }))
    }

    fn list(&self, at: RepresentationId, query: Query, turn: Turn) -> StoreFuture<'_, Result<Vec<u8>, StoreError>> {
        Box::pin(async move {
            let (plans, query) = (&*self.plans, &query);
            let read = |session: Arc<PostgresTransaction>| async move {
                Ok(read::page(&session, plans, &self.counts, at, query).await?)
            };
            let page = match query.varies_with_caller() {
                true => self.planned_page(turn, read).await,
                false => self.snapshot(Some(turn), read).await,
            };
            page.map_err(|refusal| narrowed(failed(refusal), query))
        })
    }

    fn write(&self, change: Change) -> StoreFuture<'_, Result<Entity, Refusal>> {
        Box::pin(async move {
            let plans = &*self.plans;
            let id = [change.id];
            // nobody else knows the id of a new entity
            let entities: &[Uuid] = if matches!(change.kind, ChangeKind::Create(_)) { &[] } else { &id };
            let _entity = self.lock_entities(entities).await?;
            let (change, lane) = match self.groups.write(change, self.commits.waiting()).await {
                GroupOutcome::Done(outcome) => return outcome,
                GroupOutcome::Alone(change, lane) => (*change, lane),
            };
            let (change, locks) = (&change, Locks::of_changes(plans, [&change]));
            let options = TransactionOptions {
                locks: locks.into(),
                rolls_back: change.is_dry_run,
                ..TransactionOptions::queued()
            };
            let done = self
                .transact(options, |session| async move { sql::apply(&*session, plans, &mut change.clone()).await });
            groups::in_lane(lane, done).await
        })
    }

    fn inspect(&self, change: Change, turn: Turn) -> StoreFuture<'_, Result<Vec<Problem>, Refusal>> {
        Box::pin(async move {
            let (plans, change) = (&*self.plans, &change);
            self.snapshot(
                Some(turn),
                |session| async move { sql::inspect(&*session, plans, &mut change.clone()).await },
            )
            .await
        })
    }

    fn create_search(&self, new: NewSearch) -> StoreFuture<'_, Result<(), Refusal>> {
        Box::pin(async move {
            let new = &new;
            // those of one client come one after the other, and wait here rather than with a connection
            let _share = self.lock_entities(&[sql::share_key(&new.share)]).await?;
            self.transact(TransactionOptions::queued(), |session| async move {
                Ok(sql::insert_search(&*session, new).await?)
            })
            .await
        })
    }

    fn search(&self, id: Uuid) -> StoreFuture<'_, Result<Option<StoredSearch>, StoreError>> {
        Box::pin(async move {
            self.read(|connection| async move { sql::find_search(&SingleStatements::on(&connection), id).await }).await
        })
    }

    fn look(&self, look: Read, except: Vec<Uuid>) -> StoreFuture<'_, Result<ReadResult, StoreError>> {
        Box::pin(async move {
            let (plans, look, except) = (&*self.plans, &look, &*except);
            if let Read::One(resource, id) = look {
                let RowQuery { one, many } = &plans.resources[*resource].statements.row;
                let row =
                    self.read(|connection| async move { merging::row_by_id(&connection, (one, many), *id).await });
                return Ok(ReadResult { rows: row.await?.into_iter().collect(), count: 0 });
            }
            let work =
                |session: Arc<PostgresTransaction>| async move { Ok(sql::look(&*session, plans, look, except).await?) };
            self.snapshot(None, work).await.map_err(failed)
        })
    }

    fn count_each(
        &self,
        resource: ResourceIndex,
        column: ColumnIndex,
        to: Vec<Uuid>,
        query: Query,
    ) -> StoreFuture<'_, Result<HashMap<Uuid, u64>, StoreError>> {
        Box::pin(async move {
            let (table, to, query) = (&self.plans.resources[resource].table, &*to, &query);
            let work = |session: Arc<PostgresTransaction>| async move {
                Ok(sql::count_each(&*session, table, column, (to, query)).await?)
            };
            self.snapshot(None, work).await.map_err(failed)
        })
    }

    fn count_apart(&self, queries: Vec<(ResourceIndex, Query)>) -> StoreFuture<'_, Result<Vec<u64>, StoreError>> {
        Box::pin(async move {
            let (plans, queries) = (&*self.plans, &*queries);
            let work = |session: Arc<PostgresTransaction>| async move {
                Ok(sql::count_apart(&*session, plans, queries).await?)
            };
            self.snapshot(None, work).await.map_err(failed)
        })
    }

    fn look_after(&self, look: Read, after: Vec<Step>) -> StoreFuture<'_, Result<ReadResult, Refusal>> {
        Box::pin(async move {
            let (plans, look, after) = (&*self.plans, &look, &*after);
            // what it read is verified when it commits
            let locks = Locks::of_steps(plans, after.iter().filter(|step| matches!(step, Step::Write(_))));
            self.transact(
                TransactionOptions {
                    locks: locks.into(),
                    has_steps: true,
                    rolls_back: true,
                    ..TransactionOptions::queued()
                },
                |session: Arc<PostgresTransaction>| async move { sql::look_after(&*session, plans, look, after).await },
            )
            .await
        })
    }

    fn commit(&self, batch: Batch) -> StoreFuture<'_, Result<Vec<Entity>, Refusal>> {
        Box::pin(async move {
            let plans = &*self.plans;
            let locks = Locks::of_steps(plans, &batch.steps);
            // what shares a transaction is of different entities
            let entities: Vec<_> = match batch.may_share(plans) {
                true => shared_write::entities(&batch).collect(),
                false => {
                    let of_command = batch.conclusion.as_ref().map(|conclusion| conclusion.record.entity);
                    of_command.into_iter().chain(locks.guarding()).collect()
                }
            };
            let _entities = self.lock_entities(&entities).await?;
            let (batch, lane) = match self.groups.write(batch, self.commits.waiting()).await {
                GroupOutcome::Done(outcome) => return outcome,
                GroupOutcome::Alone(batch, lane) => (batch, lane),
            };
            let options = TransactionOptions {
                locks: locks.into(),
                has_steps: true,
                rolls_back: batch.is_dry_run,
                ..TransactionOptions::queued()
            };
            let batch = &*batch;
            let done = self.transact(options, |session| async move { sql::commit(&*session, plans, batch).await });
            groups::in_lane(lane, done).await
        })
    }

    fn accept(&self, command: NewCommand) -> StoreFuture<'_, Result<(Record, bool), Refusal>> {
        Box::pin(async move {
            let (command, lane) = match self.groups.write(command, self.commits.waiting()).await {
                GroupOutcome::Done(outcome) => return outcome,
                GroupOutcome::Alone(command, lane) => (command, lane),
            };
            let (plans, command) = (&*self.plans, &*command);
            let options = TransactionOptions { rolls_back: command.is_dry_run, ..TransactionOptions::queued() };
            let done = self.transact(options, |session| async move { sql::accept(&*session, plans, command).await });
            groups::in_lane(lane, done).await
        })
    }

    fn command(&self, id: Uuid) -> StoreFuture<'_, Result<Option<Record>, StoreError>> {
        Box::pin(self.read(move |connection| async move {
            let RowQuery { one, many } = &*sql::FIND_COMMAND;
            let row = merging::row_by_id(&connection, (one, many), id).await?;
            Ok(row.and_then(|row| sql::command_record(row, &self.plans)))
        }))
    }

    fn commands(&self, list: CommandQuery, turn: Turn) -> StoreFuture<'_, Result<CommandPage, StoreError>> {
        Box::pin(async move {
            let (plans, list) = (&*self.plans, &list);
            let page = self
                .snapshot(Some(turn), |session| async move { Ok(sql::command_page(&*session, plans, list).await?) });
            page.await.map_err(|refusal| narrowed(failed(refusal), &list.query))
        })
    }

    fn prune_commands(&self, expiry: CommandExpiry, portion: u32) -> StoreFuture<'_, Result<PrunedPortion, Refusal>> {
        Box::pin(self.transact(TransactionOptions::queued(), move |session| async move {
            Ok(sql::prune_commands(&*session, expiry, portion).await?)
        }))
    }

    fn claim(
        &self,
        hooked: Arc<[ResourceIndex]>,
        lease: i64,
        limit: u32,
    ) -> StoreFuture<'_, Result<Vec<Record>, Refusal>> {
        Box::pin(async move {
            let hooked = &*hooked;
            self.transact(TransactionOptions::queued(), |session| async move {
                sql::claim(&*session, &self.plans, hooked, lease, limit).await
            })
            .await
        })
    }

    fn postpone(&self, held: (Uuid, i64), pause: i64, errors: String) -> StoreFuture<'_, Result<(), Refusal>> {
        Box::pin(async move {
            let errors = &*errors;
            self.transact(TransactionOptions::queued(), |session| async move {
                sql::postpone(&*session, held, pause, errors).await
            })
            .await
        })
    }

    fn hold(&self, held: Vec<(Uuid, i64)>, lease: i64) -> StoreFuture<'_, Result<(), Refusal>> {
        Box::pin(async move {
            let held = &*held;
            self.transact(
                TransactionOptions::queued(),
                |session| async move { sql::hold(&*session, held, lease).await },
            )
            .await
        })
    }

    fn backlog(&self) -> StoreFuture<'_, Result<Backlog, StoreError>> {
        Box::pin(self.read(|connection| async move { sql::backlog(&SingleStatements::on(&connection)).await }))
    }

    fn checks_are_free(&self) -> bool {
        false
    }

    fn check(&self) -> StoreFuture<'_, Result<(), Refusal>> {
        Box::pin(self.check_writes())
    }

    fn close(&self) -> StoreFuture<'_, ()> {
        self.events.stop();
        self.groups.close();
        self.writing.close();
        self.reading.close();
        self.end();
        Box::pin(std::future::ready(()))
    }
}

/// The error of a read that took too long, with what would make this query cheaper.
fn narrowed(error: StoreError, query: &Query) -> StoreError {
    match error {
        StoreError::TooCostly(_) => StoreError::TooCostly(query.narrow().to_owned()),
        error => error,
    }
}

/// The error of a failed read.
pub(super) fn failed(refusal: Refusal) -> StoreError {
    refusal.into()
}
