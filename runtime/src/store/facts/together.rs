//! Reads what the facts of many entities miss: one statement for all of a kind, not one for each.

use super::missing::{CountOf, Missing};
use super::{KnownEntity, KnownFacts};
use crate::plan::cell::Cell;
use crate::plan::query::{Filter, Query, Test};
use crate::plan::{ColumnIndex, Plans, ResourceIndex};
use crate::store::{Read, ReadResult, Store, StoreError};
use restwell_model::tables::ID;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use uuid::Uuid;

/// Entities that one statement reads, or counts what refers to them, at most.
const MAX_READ_TOGETHER: usize = 256;
/// Counts of one reference each in one statement, at most: a power of two.
const MAX_COUNTED_APART: usize = 32;

/// Reads what was asked for and is not known, in so many reads; 0: nothing was. None of these facts is about a written
/// row.
///
/// # Errors
///
/// Those of [`KnownFacts::value`].
pub(crate) async fn read_together<'f, 'a: 'f>(
    plans: &Plans,
    store: &dyn Store,
    facts: impl Iterator<Item = &'f mut KnownFacts<'a>>,
) -> Result<usize, StoreError> {
    let mut asking = Vec::new();
    let (mut entities, mut counts) = (BTreeMap::<ResourceIndex, BTreeSet<Uuid>>::new(), Vec::<Counting>::new());
    for facts in facts {
        let missing = facts.missing.take();
        for one in &missing {
            match one {
                Missing::Entity(resource, id) => _ = entities.entry(*resource).or_default().insert(*id),
                Missing::Count(count) => match counts.iter_mut().find(|counting| counting.is_alike(count)) {
                    Some(counting) => _ = counting.to.insert(count.to),
                    None => counts.push(Counting::of(count)),
                },
            }
        }
        if !missing.is_empty() {
            asking.push((facts, missing));
        }
    }
    let (rows, mut reads) = read_entities(store, entities).await?;
    // those of one reference each differ in what they ask of it, as of memberships in the property of each stay
    let (mut single, many): (Vec<_>, Vec<_>) = counts.iter_mut().partition(|counting| counting.to.len() == 1);
    for counting in many {
        reads += counting.read(plans, store).await?;
    }
    while !single.is_empty() {
        let rest = single.split_off(counted_together(single.len()));
        read_apart(plans, store, single).await?;
        (single, reads) = (rest, reads + 1);
    }
    for (facts, missing) in asking {
        for one in missing {
            match one {
                Missing::Entity(resource, id) => {
                    let entity = rows.get(&(resource, id)).map(|row| KnownEntity::of(&plans.resources[resource], row));
                    facts.entities.insert((resource, id), entity);
                }
                Missing::Count(count) => {
                    let found = counts.iter().find(|counting| counting.is_alike(&count));
                    let count_of = found.and_then(|counting| counting.found.get(&count.to).copied());
                    let result = ReadResult { rows: Vec::new(), count: count_of.unwrap_or_default() };
                    facts.add::<StoreError>(Missing::Count(count), &result)?;
                }
            }
        }
    }
    Ok(reads)
}

/// Rows by their ids, and how many reads they took.
async fn read_entities(
    store: &dyn Store,
    missing: BTreeMap<ResourceIndex, BTreeSet<Uuid>>,
) -> Result<(HashMap<(ResourceIndex, Uuid), Vec<Cell>>, usize), StoreError> {
    let (mut found, mut reads) = (HashMap::new(), 0);
    for (resource, ids) in missing {
        let ids: Vec<_> = ids.into_iter().collect();
        for ids in ids.chunks(MAX_READ_TOGETHER) {
            let rows = store.look(Read::of_ids(resource, ids), Vec::new()).await?.rows;
            reads += 1;
            found.extend(rows.into_iter().filter_map(|row| Some(((resource, row.get(ID)?.uuid()?), row))));
        }
    }
    Ok((found, reads))
}

/// How many counts of one reference each one statement has: of few sizes, so that databases keep its plan.
fn counted_together(left: usize) -> usize {
    left.checked_ilog2().map_or(1, |largest| 1 << largest).min(MAX_COUNTED_APART)
}

/// Reads counts of one reference each, in one statement.
async fn read_apart(plans: &Plans, store: &dyn Store, single: Vec<&mut Counting>) -> Result<(), StoreError> {
    let queries = single.iter().map(|counting| Ok((counting.alike.resource, counting.alike.query(plans, None)?)));
    let found = store.count_apart(queries.collect::<Result<_, StoreError>>()?).await?;
    for (counting, found) in single.into_iter().zip(found) {
        counting.found.insert(counting.alike.to, found);
    }
    Ok(())
}

/// Counts that differ only in what is referred to.
struct Counting {
    alike: CountOf,
    to: BTreeSet<Uuid>,
    /// By what is referred to, where there is something that refers to it.
    found: HashMap<Uuid, u64>,
}

impl Counting {
    fn of(count: &CountOf) -> Self {
        Self { alike: count.clone(), to: BTreeSet::from([count.to]), found: HashMap::new() }
    }

    fn is_alike(&self, count: &CountOf) -> bool {
        let CountOf { resource, column, to: _, condition, limit, except } = &self.alike;
        (*resource, *column, *limit, *except) == (count.resource, count.column, count.limit, count.except)
            && *condition == count.condition
    }

    async fn read(&mut self, plans: &Plans, store: &dyn Store) -> Result<usize, StoreError> {
        let to: Vec<_> = std::mem::take(&mut self.to).into_iter().collect();
        let (resource, column) = (self.alike.resource, self.alike.column);
        for to in to.chunks(MAX_READ_TOGETHER) {
            let query = self.alike.conditions(plans, None)?;
            self.found.extend(store.count_each(resource, column, to.to_vec(), query).await?);
        }
        Ok(to.len().div_ceil(MAX_READ_TOGETHER))
    }
}

impl Read {
    /// The entities of these ids.
    pub(crate) fn of_ids(resource: ResourceIndex, ids: &[Uuid]) -> Self {
        match ids {
            [id] => Self::One(resource, *id),
            ids => {
                let values = ids.iter().copied().map(Cell::Uuid).collect();
                let filter = Filter { column: ColumnIndex::ID, test: Test::OneOf { values, or_null: false } };
                let limit = u32::try_from(ids.len()).unwrap_or(u32::MAX);
                Self::Many(resource, Query { filters: vec![filter], limit, ..Query::default() })
            }
        }
    }
}
