//! Entities that were read before, rendered: who reads one of them again takes no snapshot of the database, which costs
//! more than the rest of the read.
//!
//! An entity is known in one representation, as all callers see it. It is used as long as no commit has changed its row
//! (`versions`), so that a read gives what the database would, also right after a change.

use super::versions::{RowVersion, TableVersions};
use crate::store::{Entity, RepresentationId, StoreError};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use std::sync::Arc;
use uuid::Uuid;

/// Bytes that all of them may take. The least used ones go.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// Bytes of one that is kept.
const MAX_ENTITY_BYTES: usize = 16 * 1024;
/// What one takes beside its representation.
const OVERHEAD_BYTES: u64 = 256;
/// What one is expected to take.
const USUAL_BYTES: u64 = 1024;

/// What is known, of whom.
type EntityKey = (RepresentationId, Uuid);

/// An entity, and the number of the row that it was read from, unless it depends on who reads.
pub(super) struct ReadRow {
    pub(super) entity: Entity,
    pub(super) row: Option<i64>,
}

/// The entities that were read.
pub(super) struct KnownEntities {
    known: Cache<EntityKey, Arc<KeptEntity>, EntityBytes, foldhash::fast::RandomState>,
    versions: Arc<TableVersions>,
}

#[derive(Debug)]
struct KeptEntity {
    entity: Entity,
    version: RowVersion,
}

#[derive(Debug, Clone)]
struct EntityBytes;

impl Weighter<EntityKey, Arc<KeptEntity>> for EntityBytes {
    fn weight(&self, _: &EntityKey, known: &Arc<KeptEntity>) -> u64 {
        OVERHEAD_BYTES + known.entity.body.capacity() as u64
    }
}

impl KnownEntities {
    /// None yet.
    pub(super) fn new(versions: Arc<TableVersions>) -> Self {
        let usual = (MAX_BYTES / USUAL_BYTES) as usize;
        let known =
            Cache::with(usual, MAX_BYTES, EntityBytes, foldhash::fast::RandomState::default(), Default::default());
        Self { known, versions }
    }

    /// An entity, as known or as `read` gives it.
    pub(super) fn get(
        &self,
        (at, id): EntityKey,
        read: impl FnOnce() -> Result<Option<ReadRow>, StoreError>,
    ) -> Result<Option<Entity>, StoreError> {
        let known = self.known.get(&(at, id));
        if let Some(known) = known.as_ref().filter(|known| self.versions.is_current(known.version)) {
            return Ok(Some(known.entity.clone()));
        }
        // whether a commit comes between: for one that has changed, its row tells; for others, the table does
        let row_before = known.and_then(|known| self.versions.again(known.version));
        let table_before = self.versions.of(at.resource);
        let Some(ReadRow { entity, row }) = read()? else { return Ok(None) };
        let row_now = row.and_then(|row| self.versions.of_row(at.resource, row));
        let is_same_row = row_before.is_some() && row_before == row_now;
        let is_same_table = table_before.is_some() && table_before == self.versions.of(at.resource);
        if let Some(version) = row_now.filter(|_| is_same_row || is_same_table)
            && entity.body.len() <= MAX_ENTITY_BYTES
        {
            self.known.insert((at, id), Arc::new(KeptEntity { entity: entity.clone(), version }));
        }
        Ok(Some(entity))
    }

    /// Notes what a change has made of an entity, if it was known.
    pub(super) fn changed(&self, key: EntityKey, entity: &Entity, version: RowVersion) {
        if entity.body.len() <= MAX_ENTITY_BYTES {
            // an error means that it is not known
            let _ = self.known.replace(key, Arc::new(KeptEntity { entity: entity.clone(), version }), true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::ResourceIndex;
    use std::cell::Cell;

    const ROW: i64 = 7;

    fn key() -> EntityKey {
        (RepresentationId::canonical(ResourceIndex::from(0)), Uuid::nil())
    }

    fn entity(text: &str) -> Entity {
        Entity { id: Uuid::nil(), owner: None, body: text.as_bytes().to_vec() }
    }

    fn known() -> KnownEntities {
        KnownEntities::new(Arc::new(TableVersions::new(1)))
    }

    /// What is read, and whether the database was asked; `meanwhile` happens after its snapshot.
    fn read(known: &KnownEntities, stored: &str, meanwhile: impl Fn()) -> (String, bool) {
        let is_asked = Cell::new(false);
        let found = known.get(key(), || {
            is_asked.set(true);
            meanwhile();
            Ok(Some(ReadRow { entity: entity(stored), row: Some(ROW) }))
        });
        (String::from_utf8(found.unwrap().unwrap().body).unwrap(), is_asked.get())
    }

    /// A transaction that changes these rows; the state that the last change leaves its row in.
    fn change(known: &KnownEntities, rows: &[i64]) -> Vec<RowVersion> {
        let changes = rows.iter().map(|row| known.versions.left_by(|| known.versions.note(0, *row)).1.unwrap());
        let left = changes.collect();
        known.versions.begin_commit();
        known.versions.end_commit();
        left
    }

    #[test]
    fn an_entity_is_read_once_until_its_row_changes() {
        let known = known();
        assert_eq!(read(&known, "one", || ()), ("one".to_owned(), true));
        assert_eq!(read(&known, "other", || ()), ("one".to_owned(), false));
        change(&known, &[ROW + 1]);
        assert_eq!(read(&known, "other", || ()), ("one".to_owned(), false), "another row");
        change(&known, &[ROW]);
        assert_eq!(read(&known, "two", || ()), ("two".to_owned(), true));
        known.versions.all_changed();
        assert_eq!(read(&known, "three", || ()), ("three".to_owned(), true));
    }

    #[test]
    fn what_a_commit_overtakes_is_not_kept() {
        let known = known();
        // the first time, a commit to any row counts; after that, one to the same row
        let changed = |row: i64| {
            change(&known, &[row]);
        };
        assert_eq!(read(&known, "one", || changed(ROW + 1)), ("one".to_owned(), true));
        assert_eq!(read(&known, "one", || ()), ("one".to_owned(), true), "it was not kept");
        changed(ROW);
        assert_eq!(read(&known, "two", || changed(ROW)), ("two".to_owned(), true));
        assert_eq!(read(&known, "three", || changed(ROW + 1)), ("three".to_owned(), true), "it was not kept");
        assert_eq!(read(&known, "other", || ()), ("three".to_owned(), false), "it was");
    }

    #[test]
    fn while_a_commit_is_under_way_the_database_is_asked() {
        let known = known();
        read(&known, "one", || ());
        known.versions.note(0, ROW);
        assert_eq!(read(&known, "one", || ()), ("one".to_owned(), false), "it is not visible yet");
        known.versions.begin_commit();
        assert_eq!(read(&known, "one or two", || ()), ("one or two".to_owned(), true));
        known.versions.end_commit();
        assert_eq!(read(&known, "two", || ()), ("two".to_owned(), true));
    }

    #[test]
    fn what_a_change_leaves_is_known_unless_another_follows() {
        let known = known();
        let [left] = change(&known, &[ROW])[..] else { panic!("one change") };
        known.changed(key(), &entity("never read"), left);
        assert_eq!(read(&known, "one", || ()), ("one".to_owned(), true), "nobody had asked for it");
        let [first, last] = change(&known, &[ROW, ROW])[..] else { panic!("two changes") };
        known.changed(key(), &entity("between"), first);
        assert_eq!(read(&known, "two", || ()), ("two".to_owned(), true));
        known.changed(key(), &entity("three"), last);
        assert_eq!(read(&known, "two", || ()), ("three".to_owned(), false), "as in the transaction's last change");
        change(&known, &[ROW]);
        known.changed(key(), &entity("three"), last);
        assert_eq!(read(&known, "four", || ()), ("four".to_owned(), true), "a later transaction");
    }

    #[test]
    fn large_ones_and_those_that_depend_on_who_reads_are_not_kept() {
        let known = known();
        let large = "x".repeat(MAX_ENTITY_BYTES + 1);
        assert_eq!(read(&known, &large, || ()), (large.clone(), true));
        assert_eq!(read(&known, "small", || ()), ("small".to_owned(), true));
        let other = (key().0, Uuid::max());
        for _ in 0..2 {
            let mut asked = false;
            let found = known.get(other, || {
                asked = true;
                Ok(Some(ReadRow { entity: entity("for one"), row: None }))
            });
            assert_eq!((found.unwrap(), asked), (Some(entity("for one")), true));
        }
    }
}
