//! What stored commands and searches call their resource, and commands themselves.
//!
//! A request that uses a former name stores it: while an update goes on, a program that knows nothing else serves the
//! same clients. One that knows both names finds what was stored under either.

/// The names, the present one first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredNames([String; 2]);

impl StoredNames {
    /// The present name and the former one, which is the same if there is none.
    pub(super) fn new(names: [&str; 2]) -> Self {
        Self(names.map(str::to_owned))
    }

    /// A name that never was another one.
    pub(crate) fn one(name: &str) -> Self {
        Self::new([name; 2])
    }

    /// The name that a request stores.
    pub(crate) fn of(&self, is_former: bool) -> &str {
        &self.0[usize::from(is_former)]
    }

    /// Each name once.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        let count = if self.0[0] == self.0[1] { 1 } else { 2 };
        self.0.iter().take(count).map(String::as_str)
    }

    /// Both names, also where they are the same.
    pub(crate) fn both(&self) -> [&str; 2] {
        [&self.0[0], &self.0[1]]
    }

    /// Whether one of them is this one.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.iter().any(|known| known == name)
    }
}
