//! Reads of single rows that arrive while another one by the same statement is under way: one statement reads all of
//! them.
//!
//! The first one is sent alone and at once. Those that come before its answer wait for it, and are then read together;
//! those that come meanwhile wait for that, and so on. So an idle service is as fast as the database, and the busier a
//! service is, the fewer statements it sends for each read.

use super::connection::Connection;
use crate::plan::cell::{Cell, CellRef};
use crate::store::StoreError;
use crate::store::sql::SqlFailure;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use uuid::Uuid;

/// Reads of one statement; more wait for the next one.
const MAX_READS: usize = 32;

/// What a read gives: the row with an id, if there is one.
type RowResult = Result<Option<Vec<Cell>>, StoreError>;

/// A request that waits for the row with this id.
type RowRequest = (Uuid, oneshot::Sender<RowResult>);

/// The reads of one connection: a statement for several rows is in the map while it, or the one for a single row, is
/// under way.
#[derive(Debug, Default)]
pub(super) struct MergedReads(Mutex<HashMap<Arc<str>, Vec<RowRequest>>>);

impl MergedReads {
    fn under_way(&self) -> MutexGuard<'_, HashMap<Arc<str>, Vec<RowRequest>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How a read is done.
enum Place {
    /// It is the only one, and is sent at once.
    First(First),
    /// It waits for the running statement, and receives its row from the next one.
    Waiting(oneshot::Receiver<RowResult>),
}

/// The only read by its statement. When it is over, those that have come meanwhile are done.
struct First(Option<Lead>);

/// What is under way for a statement.
struct Lead {
    connection: Arc<Connection>,
    many: Arc<str>,
}

/// The row with an id, by a statement for one row, or with others by one for many; the id is its first column.
pub(super) async fn row_by_id(
    connection: &Arc<Connection>,
    (one, many): (&str, &Arc<str>),
    id: Uuid,
) -> Result<Option<Vec<Cell>>, SqlFailure> {
    match Place::of(connection, many, id) {
        Place::First(_first) => {
            let rows = async {
                let statement = connection.statement(one).await?;
                connection.rows(&statement, &[CellRef::Uuid(id)]).await
            };
            Ok(rows.await.map_err(|error| connection.failed(&error))?.into_iter().next())
        }
        Place::Waiting(row) => {
            let gone = |_| StoreError::Unavailable("a read was broken off".to_owned());
            Ok(row.await.map_err(gone)??)
        }
    }
}

impl Place {
    fn of(connection: &Arc<Connection>, many: &Arc<str>, id: Uuid) -> Self {
        let mut under_way = connection.merged.under_way();
        if let Some(waiting) = under_way.get_mut(many) {
            let (answer, row) = oneshot::channel();
            waiting.push((id, answer));
            return Self::Waiting(row);
        }
        under_way.insert(Arc::clone(many), Vec::new());
        Self::First(First(Some(Lead { connection: Arc::clone(connection), many: Arc::clone(many) })))
    }
}

impl Lead {
    /// The next requests to read, without those of disconnected clients. If there are none, the statement is idle
    /// again.
    fn next(&self) -> Vec<RowRequest> {
        let mut under_way = self.connection.merged.under_way();
        let Some(waiting) = under_way.get_mut(&self.many) else { return Vec::new() };
        waiting.retain(|(_, answer)| !answer.is_closed());
        if waiting.is_empty() {
            under_way.remove(&self.many);
            return Vec::new();
        }
        let rest = waiting.split_off(waiting.len().min(MAX_READS));
        std::mem::replace(waiting, rest)
    }

    /// Leaves those who wait without an answer.
    fn give_up(&self) {
        self.connection.merged.under_way().remove(&self.many);
    }

    /// Reads for those who wait, until nobody does.
    async fn follow(self, mut waiting: Vec<RowRequest>) {
        while !waiting.is_empty() {
            self.read(waiting).await;
            waiting = self.next();
        }
    }

    async fn read(&self, waiting: Vec<RowRequest>) {
        let mut answers: HashMap<Uuid, Vec<oneshot::Sender<RowResult>>> = HashMap::new();
        for (id, answer) in waiting {
            answers.entry(id).or_default().push(answer);
        }
        let ids: Vec<_> = answers.keys().copied().collect();
        let found = match self.rows(&ids).await {
            Ok(rows) => {
                for row in rows {
                    // the id is the first column of every table
                    let id = row.first().and_then(Cell::uuid);
                    let asking = id.and_then(|id| answers.remove(&id)).unwrap_or_default();
                    tell(asking, &Ok(Some(row)));
                }
                Ok(None)
            }
            Err(failure) => Err(failure.into()),
        };
        tell(answers.into_values().flatten().collect(), &found);
    }

    async fn rows(&self, ids: &[Uuid]) -> Result<Vec<Vec<Cell>>, SqlFailure> {
        let rows = async {
            let statement = self.connection.statement(&self.many).await?;
            self.connection.rows_by_ids(&statement, ids).await
        };
        rows.await.map_err(|error| self.connection.failed(&error))
    }
}

fn tell(asking: Vec<oneshot::Sender<RowResult>>, found: &RowResult) {
    for answer in asking {
        // fails if the client has disconnected
        let _ = answer.send(found.clone());
    }
}

impl Drop for First {
    fn drop(&mut self) {
        let Some(lead) = self.0.take() else { return };
        let waiting = lead.next();
        if waiting.is_empty() {
            return;
        }
        match Handle::try_current() {
            Ok(runtime) => _ = runtime.spawn(lead.follow(waiting)),
            // the thread ends, and with it all that waits here
            Err(_) => lead.give_up(),
        }
    }
}
