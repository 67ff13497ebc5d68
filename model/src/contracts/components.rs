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
    /// How often parts are used that are written in place if they are used once.
    uses: BTreeMap<String, usize>,
}

impl Components {
    pub(super) fn new(prefix: &'static str) -> Self {
        Self { prefix, parts: BTreeMap::new(), reserved: BTreeSet::new(), uses: BTreeMap::new() }
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

    /// The same for a part that is written in place if nothing else refers to it: [`Self::write_single`] does so.
    pub(super) fn share_repeated(&mut self, names: &[String], part: JsonTree) -> JsonTree {
        let reference = self.share(names, part);
        *self.uses.entry(self.name_in(&reference)).or_default() += 1;
        reference
    }

    /// Writes parts that are used once in the place of the reference to them.
    pub(super) fn write_single(&mut self, tree: &mut JsonTree) {
        match tree {
            JsonTree::Object(members) => {
                if let [(key, JsonTree::Text(_))] = members.as_slice()
                    && key == "$ref"
                {
                    let name = self.name_in(tree);
                    if self.uses.get(&name) == Some(&1)
                        && let Some(part) = self.parts.remove(&name)
                    {
                        *tree = part;
                    }
                    return;
                }
                members.iter_mut().for_each(|(_, member)| self.write_single(member));
            }
            JsonTree::List(items) => items.iter_mut().for_each(|item| self.write_single(item)),
            JsonTree::Null | JsonTree::Bool(_) | JsonTree::Number(_) | JsonTree::Text(_) => {}
        }
    }

    /// The name of a part of these in a reference; empty if it refers to something else.
    fn name_in(&self, reference: &JsonTree) -> String {
        match reference.get("$ref") {
            Some(JsonTree::Text(path)) => path.strip_prefix(self.prefix).unwrap_or_default().to_owned(),
            _ => String::new(),
        }
    }

    /// Adds a member to a part.
    pub(super) fn extend(&mut self, name: &str, member: &str, value: JsonTree) {
        if let Some(part) = self.parts.get_mut(name) {
            *part = std::mem::replace(part, JsonTree::Null).with(member, value);
        }
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
