//! Orders renames, because a new name may still be the old name of another item.

use super::moves::temporary;
use std::collections::HashSet;

/// The renames in an order in which no name is taken twice. Where they go round in a circle, one takes a name for a
/// while.
pub(super) fn ordered(mut renames: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut ordered = Vec::with_capacity(renames.len());
    while !renames.is_empty() {
        let taken: HashSet<_> = renames.iter().map(|(old, _)| old.clone()).collect();
        let (free, waiting): (Vec<_>, Vec<_>) = renames.into_iter().partition(|(_, new)| !taken.contains(new));
        renames = waiting;
        if free.is_empty() {
            // all wait for each other
            let (old, new) = renames.remove(0);
            let between = temporary(&old);
            ordered.push((old, between.clone()));
            renames.push((between, new));
        }
        ordered.extend(free);
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The final name of each item, by its old name.
    fn carried_out(renames: &[(&str, &str)]) -> Vec<(String, String)> {
        let renames: Vec<_> = renames.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned())).collect();
        let mut names: Vec<_> = renames.iter().map(|(old, _)| (old.clone(), old.clone())).collect();
        for (old, new) in ordered(renames) {
            assert!(!names.iter().any(|(_, now)| *now == new), "{new} is taken");
            let found = names.iter_mut().find(|(_, now)| *now == old);
            found.expect("the name is there").1 = new;
        }
        names
    }

    fn assert_done(renames: &[(&str, &str)]) {
        let expected: Vec<_> = renames.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned())).collect();
        assert_eq!(carried_out(renames), expected);
    }

    #[test]
    fn chains_begin_at_their_end_and_circles_are_broken() {
        assert_done(&[("a", "x"), ("b", "y")]);
        assert_done(&[("a", "b"), ("b", "c"), ("c", "d")]);
        assert_done(&[("a", "b"), ("b", "a")]);
        assert_done(&[("a", "b"), ("b", "c"), ("c", "a"), ("d", "e")]);
    }
}
