//! Numbers of matches that were counted before. A page says how many entities match; where many do, counting them
//! takes longer than the page. A number is kept with the state of the database in which it was counted, and is used
//! only for pages of the same state: counts stay exact.

use crate::plan::ResourceIndex;
use crate::plan::cell::Cell;
use crate::plan::query::Query;
use quick_cache::sync::Cache;
use restwell_model::tables::Table;
use std::fmt::{self, Write};

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
        let mut key = KeyBytes::default();
        key.add(&resource.position().to_le_bytes())?;
        // the values first: if they fit, the conditions on them are short. A condition begins with a space, a value
        // with a letter
        query.values().try_for_each(|value| key.add_cell(value))?;
        query.write_conditions(table, &mut key).ok()?;
        Some(Self(key.0.into_boxed_slice()))
    }
}

/// A key in the making, which has at most [`MAX_KEY_BYTES`]. What does not fit any more is `None`.
#[derive(Default)]
struct KeyBytes(Vec<u8>);

impl KeyBytes {
    fn add(&mut self, bytes: &[u8]) -> Option<()> {
        let fits = self.0.len() + bytes.len() <= MAX_KEY_BYTES;
        fits.then(|| self.0.extend_from_slice(bytes))
    }

    fn add_cell(&mut self, cell: &Cell) -> Option<()> {
        cell.write_bytes(|bytes| self.add(bytes))
    }
}

impl Write for KeyBytes {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.add(text.as_bytes()).ok_or(fmt::Error)
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
        let mut key = KeyBytes::default();
        values.iter().try_for_each(|value| key.add_cell(value)).expect("they fit");
        key.0
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
    fn a_key_is_bounded() {
        let mut key = KeyBytes::default();
        assert_eq!(key.add_cell(&Cell::Text("a".repeat(MAX_KEY_BYTES))), None);
        assert!(key.0.len() < MAX_KEY_BYTES);
        assert_eq!(key.add(&vec![b'a'; MAX_KEY_BYTES - key.0.len()]), Some(()));
        assert!(write!(key, "a").is_err());
        assert_eq!(key.0.len(), MAX_KEY_BYTES);
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
