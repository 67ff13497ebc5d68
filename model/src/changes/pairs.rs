//! Pairs the definitions of the old model with those of the new one.

use crate::announcement::Announcement;
use crate::field::Field;
use crate::resource::{Command, Operation, Resource, View};
use std::collections::HashMap;

/// A definition with a name and an optional `renamedFrom`.
pub(crate) trait Renamable {
    fn name(&self) -> &str;
    fn renamed_from(&self) -> Option<&str> {
        None
    }
}

impl Renamable for Operation {
    fn name(&self) -> &str {
        self.kind.word()
    }
}

impl Renamable for View {
    fn name(&self) -> &str {
        &self.name
    }

    fn renamed_from(&self) -> Option<&str> {
        self.formerly.as_ref().map(|former| former.name.as_str())
    }
}

impl Renamable for Command {
    fn name(&self) -> &str {
        &self.name
    }

    fn renamed_from(&self) -> Option<&str> {
        self.formerly.as_ref().map(|former| former.name.as_str())
    }
}

impl Renamable for Announcement {
    fn name(&self) -> &str {
        &self.what
    }
}

/// A value of an enum, or another name in a list.
impl Renamable for String {
    fn name(&self) -> &str {
        self
    }
}

impl Renamable for Resource {
    fn name(&self) -> &str {
        &self.name
    }

    fn renamed_from(&self) -> Option<&str> {
        self.old_name()
    }
}

impl Renamable for Field {
    fn name(&self) -> &str {
        &self.name
    }

    fn renamed_from(&self) -> Option<&str> {
        self.old_name()
    }
}

/// A definition in both models, or in one of them.
pub(crate) enum Pair<'a, T> {
    Both(&'a T, &'a T),
    New(&'a T),
    Old(&'a T),
}

/// Every definition once: the new ones in their order, then the removed ones. One takes the place of that which it was
/// renamed from, and otherwise of that which had its name.
pub(crate) fn pairs<'a, T: Renamable>(old: &'a [T], new: &'a [T]) -> Vec<Pair<'a, T>> {
    let renames = renames(old, new);
    let mut left: HashMap<&str, &T> = old.iter().map(|definition| (definition.name(), definition)).collect();
    let renamed: Vec<_> =
        new.iter().map(|definition| renames.get(definition.name()).and_then(|from| left.remove(from))).collect();
    let found = |(definition, renamed): (&'a T, Option<&'a T>)| match renamed.or_else(|| left.remove(definition.name()))
    {
        Some(before) => Pair::Both(before, definition),
        None => Pair::New(definition),
    };
    let mut pairs: Vec<_> = new.iter().zip(renamed).map(found).collect();
    pairs.extend(old.iter().filter(|definition| left.contains_key(definition.name())).map(Pair::Old));
    pairs
}

/// The new names that definitions get, each with the old one. Not carried out are
///
/// - a rename that the old model has, too: the old definition of this name is the renamed one already,
/// - a rename from what the old model does not have, or from what keeps its name.
fn renames<'a, T: Renamable>(old: &'a [T], new: &'a [T]) -> HashMap<&'a str, &'a str> {
    if new.iter().all(|definition| definition.renamed_from().is_none()) {
        return HashMap::new();
    }
    let before: HashMap<&str, Option<&str>> = old.iter().map(|it| (it.name(), it.renamed_from())).collect();
    let intended = |definition: &'a T| {
        let (name, from) = (definition.name(), definition.renamed_from()?);
        let is_carried_out = before.get(name).is_some_and(|before| *before == Some(from));
        (from != name && !is_carried_out && before.contains_key(from)).then_some((name, from))
    };
    let mut renames: HashMap<_, _> = new.iter().filter_map(intended).collect();
    // what stays gives its values to nothing else, and what would have got them stays, too
    loop {
        let is_kept = |from: &str| !renames.contains_key(from) && new.iter().any(|it| it.name() == from);
        let refused: Vec<_> = renames.iter().filter(|(_, from)| is_kept(from)).map(|(name, _)| *name).collect();
        if refused.is_empty() {
            return renames;
        }
        renames.retain(|name, _| !refused.contains(name));
    }
}

/// The old names of definitions that both models have, each with the new one.
pub(crate) fn new_names<'a, T: Renamable>(old: &'a [T], new: &'a [T]) -> HashMap<&'a str, &'a str> {
    let both = pairs(old, new).into_iter().filter_map(|pair| match pair {
        Pair::Both(old, new) => Some((old.name(), new.name())),
        Pair::New(_) | Pair::Old(_) => None,
    });
    both.collect()
}

/// Whether a name stands for something else than in the old model, though both have it.
pub(crate) fn reuses_names<T: Renamable>(old: &[T], new: &[T]) -> bool {
    let is_old = |name: &str| old.iter().any(|definition| definition.name() == name);
    renames(old, new).keys().any(|name| is_old(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Type;

    /// Fields, written as `name` or `name<former`.
    fn fields(text: &str) -> Vec<Field> {
        let field = |word: &str| match word.split_once('<') {
            Some((name, from)) => Field { renamed_from: Some(from.to_owned()), ..Field::new(name, Type::string()) },
            None => Field::new(word, Type::string()),
        };
        text.split_whitespace().map(field).collect()
    }

    /// The pairs, as `old>new`; `>new` is new, and `old>` is removed.
    fn paired(old: &str, new: &str) -> String {
        let (old, new) = (fields(old), fields(new));
        let shown = |pair: &Pair<'_, Field>| match pair {
            Pair::Both(old, new) => format!("{}>{}", old.name, new.name),
            Pair::New(new) => format!(">{}", new.name),
            Pair::Old(old) => format!("{}>", old.name),
        };
        pairs(&old, &new).iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_rename_comes_before_a_name_that_was_there() {
        assert_eq!(paired("a b", "b<a"), "a>b b>");
        assert_eq!(paired("a b", "a<b b<a"), "b>a a>b");
        assert_eq!(paired("a b c", "b<a c<b"), "a>b b>c c>");
        assert_eq!(paired("a b c", "b<a c<b a<c"), "a>b b>c c>a");
        assert_eq!(paired("a b", "b<a a<x"), "b>b a>a", "`x` was never there, so that `a` stays");
    }

    #[test]
    fn a_rename_is_carried_out_once() {
        assert_eq!(paired("b<a", "b<a c"), "b>b >c");
        assert_eq!(paired("a<b b<a", "a<b b<a c"), "a>a b>b >c");
        assert_eq!(paired("b<a c<b", "b<a c<b d"), "b>b c>c >d");
        assert_eq!(paired("b<z a", "b<a"), "a>b b>", "another rename than that which was carried out");
        assert_eq!(paired("b<a", "c<b"), "b>c");
        assert_eq!(paired("b", "b<a"), "b>b", "an older version had `a`");
    }

    #[test]
    fn what_stays_gives_its_values_to_nothing_else() {
        assert_eq!(paired("a<x", "a<x b<a"), "a>a >b");
        assert_eq!(paired("a<x b", "a<x b<a c<b"), "a>a b>b >c");
    }

    #[test]
    fn a_name_that_stands_for_something_else_is_found() {
        let reuses = |old: &str, new: &str| reuses_names(&fields(old), &fields(new));
        assert!(reuses("a b", "b<a") && reuses("a b", "a<b b<a"));
        assert!(!reuses("a", "b<a") && !reuses("a b", "a b<z") && !reuses("a<b b<a", "a<b b<a"));
    }
}
