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
    /// References to parts that are written in place if they are used once.
    repeated: BTreeSet<String>,
}

impl Components {
    pub(super) fn new(prefix: &'static str) -> Self {
        Self { prefix, parts: BTreeMap::new(), reserved: BTreeSet::new(), repeated: BTreeSet::new() }
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

    /// The part that this name stands for, and its own name, if this is one for a reference to it.
    pub(super) fn resolve<'c>(&'c self, name: &'c str) -> Option<(&'c str, &'c JsonTree)> {
        let part = self.parts.get(name)?;
        match reference_of(part).and_then(|reference| reference.strip_prefix(self.prefix)) {
            Some(other) => self.resolve(other),
            None => Some((name, part)),
        }
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

    /// The same for a part that is written in place if nothing else refers to it: [`write_single`] does so.
    pub(super) fn share_repeated(&mut self, names: &[String], part: JsonTree) -> JsonTree {
        let reference = self.share(names, part);
        self.repeated.extend(reference_of(&reference).map(str::to_owned));
        reference
    }

    /// References to the parts that are written in place if they are used once.
    pub(super) fn repeated(&self) -> impl Iterator<Item = String> + use<'_> {
        self.repeated.iter().cloned()
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

/// Writes those of these parts of a document that are used once in the place of the reference to them.
pub(super) fn write_single(document: &mut JsonTree, references: impl Iterator<Item = String>) {
    let mut uses: BTreeMap<String, usize> = references.map(|reference| (reference, 0)).collect();
    count(document, &mut uses);
    let single = uses.into_iter().filter(|(_, uses)| *uses == 1).map(|(reference, _)| reference);
    let mut parts: BTreeMap<String, JsonTree> = BTreeMap::new();
    for reference in single {
        if let Some(part) = take(document, &reference) {
            parts.insert(reference, part);
        }
    }
    replace(document, &mut parts);
}

fn count(tree: &JsonTree, uses: &mut BTreeMap<String, usize>) {
    if let Some(uses) = reference_of(tree).and_then(|reference| uses.get_mut(reference)) {
        *uses += 1;
    }
    match tree {
        JsonTree::Object(members) => members.iter().for_each(|(_, member)| count(member, uses)),
        JsonTree::List(items) => items.iter().for_each(|item| count(item, uses)),
        JsonTree::Null | JsonTree::Bool(_) | JsonTree::Number(_) | JsonTree::Text(_) => {}
    }
}

/// Takes a part out of a document: `#/components/responses/NotFound`.
fn take(document: &mut JsonTree, reference: &str) -> Option<JsonTree> {
    let mut words: Vec<_> = reference.strip_prefix("#/")?.split('/').collect();
    let name = words.pop()?;
    let mut tree = document;
    for word in words {
        let JsonTree::Object(members) = tree else { return None };
        tree = members.iter_mut().find(|(known, _)| known == word).map(|(_, member)| member)?;
    }
    let JsonTree::Object(parts) = tree else { return None };
    let place = parts.iter().position(|(known, _)| known == name)?;
    Some(parts.remove(place).1)
}

fn replace(tree: &mut JsonTree, parts: &mut BTreeMap<String, JsonTree>) {
    if let Some(part) = reference_of(tree).and_then(|reference| parts.remove(reference)) {
        *tree = part;
    }
    match tree {
        JsonTree::Object(members) => members.iter_mut().for_each(|(_, member)| replace(member, parts)),
        JsonTree::List(items) => items.iter_mut().for_each(|item| replace(item, parts)),
        JsonTree::Null | JsonTree::Bool(_) | JsonTree::Number(_) | JsonTree::Text(_) => {}
    }
}

/// What an object refers to that is a reference and nothing else.
fn reference_of(tree: &JsonTree) -> Option<&str> {
    match tree {
        JsonTree::Object(members) => match members.as_slice() {
            [(key, JsonTree::Text(reference))] if key == "$ref" => Some(reference),
            _ => None,
        },
        _ => None,
    }
}

/// These names, then the first one with numbers.
fn candidates(names: &[String]) -> impl Iterator<Item = String> {
    let first = names.first().cloned().unwrap_or_default();
    names.iter().cloned().chain((2_u32..).map(move |number| format!("{first}{number}")))
}
