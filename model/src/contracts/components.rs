//! Parts of a document that are written once and referred to.

use super::json_tree::{JsonTree, object};
use std::collections::{BTreeMap, BTreeSet};

/// The components of one kind, by name.
#[derive(Debug)]
pub(super) struct Components {
    /// What stands before the name in a reference: `#/components/schemas/`.
    prefix: &'static str,
    parts: BTreeMap<String, JsonTree>,
    /// Names that are kept for parts that come later.
    reserved: BTreeSet<String>,
}

impl Components {
    pub(super) fn new(prefix: &'static str) -> Self {
        Self { prefix, parts: BTreeMap::new(), reserved: BTreeSet::new() }
    }

    /// Keeps a name, and gives it back; or the name with a number, if it is kept already.
    pub(super) fn reserve(&mut self, name: &str) -> String {
        let free = candidates(&[name.to_owned()]).find(|name| !self.reserved.contains(name)).unwrap_or_default();
        self.reserved.insert(free.clone());
        free
    }

    /// Whether there is a part of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.parts.contains_key(name)
    }

    /// Adds a part under a name that was reserved for it.
    pub(super) fn insert(&mut self, name: &str, part: JsonTree) {
        self.parts.insert(name.to_owned(), part);
    }

    /// A reference to a part of a name.
    pub(super) fn reference(&self, name: &str) -> JsonTree {
        object([("$ref", format!("{}{name}", self.prefix).into())])
    }

    /// A reference to a part that has the first of these names that is free, or that has this part already; with a
    /// number after the first name if none is.
    pub(super) fn share(&mut self, names: &[String], part: JsonTree) -> JsonTree {
        let is_fit = |name: &String| match self.parts.get(name) {
            Some(known) => *known == part,
            None => !self.reserved.contains(name),
        };
        let name = candidates(names).find(is_fit).unwrap_or_default();
        let reference = self.reference(&name);
        self.parts.insert(name, part);
        reference
    }

    /// All of them, sorted by name.
    pub(super) fn into_tree(self) -> JsonTree {
        JsonTree::Object(self.parts.into_iter().collect())
    }
}

/// These names, then the first one with numbers.
fn candidates(names: &[String]) -> impl Iterator<Item = String> {
    let first = names.first().cloned().unwrap_or_default();
    names.iter().cloned().chain((2_u32..).map(move |number| format!("{first}{number}")))
}
