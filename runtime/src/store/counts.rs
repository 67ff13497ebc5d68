//! Numbers of matches that were counted before. A page says how many entities match; where many do, counting them
//! takes longer than the page. A number is kept with the state of the database in which it was counted, and is used
//! only for pages of the same state: counts stay exact.

use crate::plan::ResourceIndex;
use crate::plan::cell::Cell;
use crate::plan::query::Query;
use quick_cache::sync::Cache;
use restwell_model::tables::Table;

/// Numbers that are kept. The least used ones go.
const MAX_COUNTS: usize = 4096;
/// The longest conditions, with their values, whose number is kept.
const MAX_KEY_BYTES: usize = 1024;

/// Numbers of matches; `S` is a state of the database.
#[derive(Debug)]
pub(super) struct KnownCounts<S>(Cache<CountKey, (S, u64)>);

/// What is counted: the resource, the conditions, the values that they bind.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct CountKey(Box<[u8]>);

impl CountKey {
    /// What a query counts; `None` where that is too long to be kept.
    pub(super) fn of(resource: ResourceIndex, table: &Table, query: &Query) -> Option<Self> {
        let mut sql = String::new();
        query.conditions(table, &mut sql);
        let mut key = resource.position().to_le_bytes().to_vec();
        key.extend_from_slice(sql.as_bytes());
        for value in query.values() {
            if key.len() > MAX_KEY_BYTES {
                return None;
            }
            write_value(value, &mut key);
        }
        (key.len() <= MAX_KEY_BYTES).then(|| Self(key.into_boxed_slice()))
    }
}

/// Different values are written as different bytes, and none as the beginning of another.
fn write_value(value: &Cell, key: &mut Vec<u8>) {
    match value {
        Cell::Null => key.push(0),
        Cell::Int(number) => {
            key.push(1);
            key.extend_from_slice(&number.to_le_bytes());
        }
        Cell::Real(number) => {
            key.push(2);
            key.extend_from_slice(&number.to_le_bytes());
        }
        Cell::Text(text) => {
            key.push(3);
            key.extend_from_slice(&text.len().to_le_bytes());
            key.extend_from_slice(text.as_bytes());
        }
        Cell::Uuid(id) => {
            key.push(4);
            key.extend_from_slice(id.as_bytes());
        }
    }
}

impl<S: Clone + PartialEq> KnownCounts<S> {
    /// None yet.
    pub(super) fn new() -> Self {
        Self(Cache::new(MAX_COUNTS))
    }

    /// The number in this state of the database, if it was counted.
    pub(super) fn get(&self, key: &CountKey, state: &S) -> Option<u64> {
        self.0.get(key).and_then(|(counted_in, count)| (counted_in == *state).then_some(count))
    }

    /// Keeps a number that was counted in a state of the database.
    pub(super) fn keep(&self, key: CountKey, state: S, count: u64) {
        self.0.insert(key, (state, count));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(values: &[Cell]) -> Vec<u8> {
        let mut key = Vec::new();
        values.iter().for_each(|value| write_value(value, &mut key));
        key
    }

    #[test]
    fn other_values_have_other_keys() {
        let text = |text: &str| Cell::Text(text.to_owned());
        let keys = [
            key(&[text("ab"), text("c")]),
            key(&[text("a"), text("bc")]),
            key(&[text("abc")]),
            key(&[Cell::Int(1)]),
            key(&[Cell::Real(1.0)]),
            key(&[Cell::Null]),
            key(&[Cell::Uuid(uuid::Uuid::nil())]),
        ];
        for (at, one) in keys.iter().enumerate() {
            assert!(keys[at + 1..].iter().all(|other| other != one), "{at}");
        }
    }

    #[test]
    fn a_number_is_of_one_state() {
        let counts = KnownCounts::new();
        let key = CountKey(Box::from(&b"offers"[..]));
        counts.keep(key.clone(), 1, 7);
        assert_eq!((counts.get(&key, &1), counts.get(&key, &2)), (Some(7), None));
        counts.keep(key.clone(), 2, 8);
        assert_eq!((counts.get(&key, &1), counts.get(&key, &2)), (None, Some(8)));
    }
}
