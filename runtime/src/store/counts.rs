//! Numbers of matches that were counted before. A page says how many entities match; where many do, counting them
//! takes longer than the page. A number is kept with the state of the database in which it was counted, and is used
//! only for pages of the same state: counts stay exact.
//!
//! What a condition on a reference leaves may also be counted as all less what it excludes: a database counts all rows
//! faster than it tests each. The numbers before tell whether little is excluded.

use crate::plan::ResourceIndex;
use crate::plan::cell::Cell;
use crate::plan::query::{Difference, Query};
use quick_cache::sync::Cache;
use restwell_model::tables::Table;
use std::fmt::{self, Write};

/// Numbers that are kept. The least used ones go.
const MAX_COUNTS: usize = 4096;
/// A difference is counted if a condition excludes at most a quarter of all rows, and if the table that they refer to
/// has at most a quarter as many rows.
const LITTLE: u64 = 4;
/// The longest conditions, with their values, whose number is kept.
const MAX_KEY_BYTES: usize = 1024;

/// Numbers of matches; `S` is a state of the database.
#[derive(Debug)]
pub(super) struct KnownCounts<S>(Cache<CountKey, (Option<S>, u64)>);

/// How to count what a query finds that is the difference of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// As it is: much is excluded, or many rows are referred to.
    Directly,
    /// The same, and besides all and the rows that are referred to, so that they are known the next time.
    DirectlyAndAll,
    /// All less what is excluded.
    ByDifference,
}

/// What is counted to decide it: all, and the rows that are referred to.
#[derive(Debug)]
pub(super) struct DifferenceKeys {
    pub(super) all: CountKey,
    pub(super) referenced: CountKey,
}

impl DifferenceKeys {
    /// Of a difference that a query of a resource is; `None` where that is too long to be kept.
    pub(super) fn of(resource: ResourceIndex, table: &Table, difference: &Difference) -> Option<Self> {
        let mut referenced = KeyBytes::default();
        // no resource has this number
        referenced.add(&usize::MAX.to_le_bytes())?;
        referenced.add(difference.referenced.as_bytes())?;
        let referenced = CountKey(referenced.0.into_boxed_slice());
        Some(Self { all: CountKey::of(resource, table, &difference.all)?, referenced })
    }
}

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
        self.0.get(key).and_then(|(counted_in, count)| (counted_in.as_ref() == Some(state)).then_some(count))
    }

    /// The number in some state of the database.
    fn last(&self, key: &CountKey) -> Option<u64> {
        self.0.get(key).map(|(_, count)| count)
    }

    /// How to count what a query finds that is a difference, by the last numbers.
    pub(super) fn way(&self, query: &CountKey, difference: &DifferenceKeys) -> Way {
        let DifferenceKeys { all, referenced } = difference;
        match (self.last(query), self.last(all), self.last(referenced)) {
            (_, None, _) | (_, _, None) => Way::DirectlyAndAll,
            (Some(found), Some(all), Some(referenced))
                if all.saturating_sub(found) <= all / LITTLE && referenced <= all / LITTLE =>
            {
                Way::ByDifference
            }
            _ => Way::Directly,
        }
    }

    /// Keeps a number that was counted in a state of the database; in no certain one, it tells how to count later.
    pub(super) fn keep(&self, key: CountKey, state: Option<S>, count: u64) {
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
        counts.keep(key.clone(), Some(1), 7);
        assert_eq!((counts.get(&key, &1), counts.get(&key, &2)), (Some(7), None));
        counts.keep(key.clone(), Some(2), 8);
        assert_eq!((counts.get(&key, &1), counts.get(&key, &2)), (None, Some(8)));
        counts.keep(key.clone(), None, 9);
        assert_eq!((counts.get(&key, &2), counts.last(&key)), (None, Some(9)));
    }

    #[test]
    fn a_difference_is_counted_where_little_is_excluded() {
        let way = |found: Option<u64>, all: Option<u64>, referenced: Option<u64>| {
            let counts = KnownCounts::<u32>::new();
            let [seen, of, users] = [&b"seen"[..], b"all", b"users"].map(|name| CountKey(Box::from(name)));
            for (key, count) in [(&seen, found), (&of, all), (&users, referenced)] {
                count.into_iter().for_each(|count| counts.keep(key.clone(), None, count));
            }
            counts.way(&seen, &DifferenceKeys { all: of, referenced: users })
        };
        assert_eq!(way(Some(9), None, Some(1)), Way::DirectlyAndAll);
        assert_eq!(way(Some(9), Some(9), None), Way::DirectlyAndAll);
        assert_eq!(way(None, Some(9), Some(1)), Way::Directly);
        // of all, a quarter may be excluded; the numbers may be of different states
        for (found, expected) in [(74, Way::Directly), (75, Way::ByDifference), (200, Way::ByDifference)] {
            assert_eq!(way(Some(found), Some(100), Some(25)), expected);
        }
        assert_eq!(way(Some(100), Some(100), Some(26)), Way::Directly);
    }
}
