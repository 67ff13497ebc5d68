//! What a transaction's own reads find: its changes, laid over what is committed.
//!
//! The row that each change leaves is made once, in memory, and a read of the database passes over the entities that
//! have one. So a read costs what it finds, however many changes come before it, takes no locks and undoes nothing.
//! Whether the changes are valid is decided when they are committed, and there each read is repeated after them.
//!
//! A deletion may change entities of other resources (`onDelete`), which only the database knows. Reads of these are
//! none of this module: they execute the changes (`Store::look_after`).

use crate::plan::cell::Cell;
use crate::plan::query::Query;
use crate::plan::{Plans, ResourceIndex};
use crate::store::{Change, ChangeKind, Read, ReadResult, Store, StoreError, changed_row};
use restwell_model::tables::ID;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use uuid::Uuid;

/// Rows that are read at a time because they are about to change.
const MAX_ROWS_AT_ONCE: usize = 1_000;

/// What the changes of a list of steps leave, as far as they were looked at.
#[derive(Default)]
pub(super) struct Overlay {
    /// Steps of the list that it contains.
    pub(super) steps: usize,
    rows: HashMap<ResourceIndex, HashMap<Uuid, ChangedRow>>,
    /// Rows that were read because they are about to change, as they were then.
    known: HashMap<(ResourceIndex, Uuid), Vec<Cell>>,
    /// Resources of which deletions may have changed more entities.
    cascaded: BTreeSet<ResourceIndex>,
}

/// An entity that was changed.
#[derive(Clone)]
struct ChangedRow {
    /// `None`: it was deleted.
    cells: Option<Vec<Cell>>,
    /// Whether it is committed, in an earlier state.
    is_stored: bool,
}

/// The overlays of a list of steps and of those that it is within, the innermost last.
pub(super) struct Overlays<'a> {
    pub(super) store: &'a dyn Store,
    pub(super) plans: &'a Plans,
    pub(super) levels: Vec<tokio::sync::OwnedMutexGuard<Overlay>>,
}

impl Overlays<'_> {
    /// Adds changes to the innermost. `steps`: how many steps it then covers.
    pub(super) async fn extend(&mut self, changes: Vec<Change>, steps: usize) -> Result<(), StoreError> {
        let mut stored = self.stored_rows(&changes).await?;
        for change in &changes {
            self.add(change, &mut stored);
        }
        if let Some(innermost) = self.levels.last_mut() {
            innermost.steps = steps;
        }
        Ok(())
    }

    /// What a read finds; `None` if only the database knows.
    pub(super) async fn look(&self, read: &Read) -> Result<Option<ReadResult>, StoreError> {
        let (resource, others) = match read {
            Read::One(resource, _) => (resource, Some(Vec::new())),
            Read::Many(resource, query) | Read::Count(resource, query) | Read::CountTo(resource, query) => {
                (resource, query.others())
            }
        };
        let Some(others) = others else { return Ok(None) };
        let is_unknown =
            |level: &Overlay| level.cascaded.contains(resource) || others.iter().any(|other| level.changes(*other));
        if self.levels.iter().any(|level| is_unknown(level)) {
            return Ok(None);
        }
        match read {
            Read::One(resource, id) => match (self.row(*resource, *id), self.known(*resource, *id)) {
                (Some(row), _) => Ok(Some(ReadResult { rows: row.cells.iter().cloned().collect(), count: 0 })),
                (None, Some(cells)) => Ok(Some(ReadResult { rows: vec![cells.clone()], count: 0 })),
                (None, None) => self.store.look(read.clone(), Vec::new()).await.map(Some),
            },
            Read::Many(resource, query) => {
                let Some((except, found)) = self.matches(*resource, query) else { return Ok(None) };
                self.page(*resource, query, except, found).await.map(Some)
            }
            Read::Count(resource, query) => {
                let Some((except, found)) = self.matches(*resource, query) else { return Ok(None) };
                let stored = self.store.look(read.clone(), except).await?;
                Ok(Some(ReadResult { count: stored.count + found.len() as u64, ..stored }))
            }
            Read::CountTo(resource, query) => {
                let Some((except, found)) = self.matches(*resource, query) else { return Ok(None) };
                let stored = self.store.look(read.clone(), except).await?;
                let count = (stored.count + found.len() as u64).min(query.limit.into());
                Ok(Some(ReadResult { count, ..stored }))
            }
        }
    }

    /// A page of what is stored and of changed rows.
    async fn page(
        &self,
        resource: ResourceIndex,
        query: &Query,
        except: Vec<Uuid>,
        found: Vec<&[Cell]>,
    ) -> Result<ReadResult, StoreError> {
        let (limit, most) = (query.limit as usize, u32::try_from(found.len()).unwrap_or(u32::MAX));
        // each changed row before the page moves its beginning by one
        let moved = most.min(query.offset);
        let stored = Query { offset: query.offset - moved, limit: query.limit.saturating_add(moved), ..query.clone() };
        let stored = self.store.look(Read::Many(resource, stored), except).await?;
        if found.is_empty() {
            return Ok(stored);
        }
        let mut rows: Vec<_> = stored.rows.iter().map(Vec::as_slice).chain(found).collect();
        rows.sort_by(|one, other| query.compare(one, other));
        let page = rows.into_iter().skip(moved as usize).take(limit);
        Ok(ReadResult { rows: page.map(<[Cell]>::to_vec).collect(), count: 0 })
    }

    /// Of the changed entities of a resource: those that a read of the database has to pass over, and the rows that a
    /// query finds among them. `None` if only the database can say.
    fn matches(&self, resource: ResourceIndex, query: &Query) -> Option<(Vec<Uuid>, Vec<&[Cell]>)> {
        let mut changed = BTreeMap::new();
        for rows in self.levels.iter().filter_map(|level| level.rows.get(&resource)) {
            changed.extend(rows.iter());
        }
        let except = changed.iter().filter(|(_, row)| row.is_stored).map(|(id, _)| **id).collect();
        let mut found = Vec::new();
        for cells in changed.values().filter_map(|row| row.cells.as_deref()) {
            if query.accepts(cells)? {
                found.push(cells);
            }
        }
        Some((except, found))
    }

    /// What is known of an entity, the innermost first.
    fn row(&self, resource: ResourceIndex, id: Uuid) -> Option<&ChangedRow> {
        self.levels.iter().rev().find_map(|level| level.rows.get(&resource)?.get(&id))
    }

    /// What was read of an entity that no change has touched.
    fn known(&self, resource: ResourceIndex, id: Uuid) -> Option<&Vec<Cell>> {
        self.levels.iter().rev().find_map(|level| level.known.get(&(resource, id)))
    }

    /// The committed rows that changes are about to replace, where no change has replaced them before.
    async fn stored_rows(&self, changes: &[Change]) -> Result<HashMap<(ResourceIndex, Uuid), Vec<Cell>>, StoreError> {
        let mut stored = HashMap::new();
        let mut missing = BTreeMap::<ResourceIndex, BTreeSet<Uuid>>::new();
        for Change { at, id, kind, .. } in changes {
            let is_replaced = matches!(kind, ChangeKind::Update(_) | ChangeKind::Put(_));
            if is_replaced && self.row(at.resource, *id).is_none() {
                match self.known(at.resource, *id) {
                    Some(cells) => _ = stored.insert((at.resource, *id), cells.clone()),
                    None => _ = missing.entry(at.resource).or_default().insert(*id),
                }
            }
        }
        for (resource, ids) in missing {
            let ids: Vec<_> = ids.into_iter().collect();
            for ids in ids.chunks(MAX_ROWS_AT_ONCE) {
                let found = self.store.look(Read::of_ids(resource, ids), Vec::new()).await?;
                let rows = found.rows.into_iter().filter_map(|row| Some(((resource, row.get(ID)?.uuid()?), row)));
                stored.extend(rows);
            }
        }
        Ok(stored)
    }

    /// Adds a change to the innermost. One that the store is going to refuse, since the entity is not there, leaves
    /// nothing.
    fn add(&mut self, change: &Change, stored: &mut HashMap<(ResourceIndex, Uuid), Vec<Cell>>) {
        let (resource, id) = (change.at.resource, change.id);
        let plan = &self.plans.resources[resource];
        let known = self.row(resource, id).cloned();
        let is_stored = known.as_ref().is_none_or(|row| row.is_stored);
        let current = || match known {
            Some(row) => row.cells,
            None => stored.remove(&(resource, id)),
        };
        let row = match change.kind.clone() {
            ChangeKind::Create(value) => {
                Some(ChangedRow { cells: Some(changed_row::created(plan, change, value)), is_stored: false })
            }
            ChangeKind::Put(value) => current().map(|current| ChangedRow {
                cells: Some(changed_row::replaced(plan, change, value, &current)),
                is_stored,
            }),
            ChangeKind::Update(value) => current().map(|current| ChangedRow {
                cells: Some(changed_row::updated(plan, change, value, &current).0),
                is_stored,
            }),
            ChangeKind::Delete => Some(ChangedRow { cells: None, is_stored }),
        };
        let cascaded = match change.kind {
            ChangeKind::Delete => self.plans.changed_by_deletion(resource),
            _ => BTreeSet::new(),
        };
        if let Some(innermost) = self.levels.last_mut() {
            innermost.cascaded.extend(cascaded);
            if let Some(row) = row {
                innermost.rows.entry(resource).or_default().insert(id, row);
            }
        }
    }
}

impl Overlay {
    /// Takes note of rows of a resource, which are about to change. Those of the portion before are done.
    pub(super) fn know(&mut self, resource: ResourceIndex, rows: &[Vec<Cell>]) {
        let ids = rows.iter().filter_map(|row| Some(((resource, row.get(ID)?.uuid()?), row.clone())));
        self.known = ids.collect();
    }

    /// Whether it may leave entities of a resource in another state.
    fn changes(&self, resource: ResourceIndex) -> bool {
        self.cascaded.contains(&resource) || self.rows.contains_key(&resource)
    }
}
