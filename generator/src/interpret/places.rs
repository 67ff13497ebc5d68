//! From places in the model to places in the files.

use crate::source::Span;
use crate::yaml::{Entry, Kind, Node};
use restwell_model::ModelPath;
use restwell_model::check::Key;
use std::collections::HashMap;

/// Where each definition stands.
#[derive(Debug, Default)]
pub struct Places<'a> {
    service: Option<Place<'a>>,
    definitions: HashMap<String, Place<'a>>,
    /// What each file's document defines.
    documents: HashMap<usize, String>,
}

/// Where one definition stands.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// What defines it: a document, or the field or items that it is written in.
    pub node: &'a Node,
    /// What names it: the value after `resource:`, or the field's key.
    pub name: Span,
}

/// What a path leads to.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// Where to point.
    pub span: Span,
    /// What stands there; `None` where the path leads to a key, or to something that is not there.
    pub node: Option<&'a Node>,
}

impl<'a> Places<'a> {
    /// The service document.
    #[must_use]
    pub fn service(&self) -> Option<Place<'a>> {
        self.service
    }

    /// A definition.
    #[must_use]
    pub fn definition(&self, name: &str) -> Option<Place<'a>> {
        self.definitions.get(name).copied()
    }

    /// Each definition with that of its document and the index of its file.
    pub fn documents(&self) -> impl Iterator<Item = (&str, &str, usize)> {
        self.definitions.iter().filter_map(|(name, place)| {
            let file = place.node.span.file;
            Some((name.as_str(), self.documents.get(&file)?.as_str(), file))
        })
    }

    pub(super) fn set_service(&mut self, node: &'a Node, name: Span) {
        self.service = Some(Place { node, name });
    }

    /// Notes a definition. The first of a file is its document's own.
    pub(super) fn add(&mut self, name: &str, node: &'a Node, span: Span) {
        self.documents.entry(node.span.file).or_insert_with(|| name.to_owned());
        self.definitions.insert(name.to_owned(), Place { node, name: span });
    }

    /// What a path leads to: a key or a value, or the nearest one above it that is there.
    #[must_use]
    pub fn resolve(&self, path: &ModelPath) -> Option<Target<'a>> {
        let place = match &path.definition {
            Some(name) => self.definition(name)?,
            None => self.service?,
        };
        // until a key is followed, a definition is pointed at by its name
        let (mut node, mut key) = (place.node, Some(place.name));
        for step in &path.keys {
            match follow(node, step) {
                Some(Step::Entry(entry)) => (node, key) = (&entry.value, Some(entry.key.span)),
                Some(Step::Item(item)) => (node, key) = (item, None),
                None => return Some(Target { span: key.unwrap_or(node.span), node: None }),
            }
        }
        Some(match key {
            Some(key) if path.of_key || path.keys.is_empty() => Target { span: key, node: None },
            Some(key) => Target { span: pointable(node).unwrap_or(key), node: Some(node) },
            None => Target { span: node.span, node: Some(node) },
        })
    }
}

/// Where a step of a path leads.
enum Step<'a> {
    Entry(&'a Entry),
    Item(&'a Node),
}

fn follow<'a>(node: &'a Node, step: &Key) -> Option<Step<'a>> {
    match (step, &node.kind) {
        (Key::Name(name), Kind::Mapping(_)) => node.entry(name).map(Step::Entry),
        (Key::Name(name), Kind::Sequence(items)) => items.iter().find(|item| item.text() == Some(name)).map(Step::Item),
        (Key::Index(index), Kind::Sequence(items)) => items.get(*index).map(Step::Item),
        // `access: owner` is a list of one
        (Key::Index(0), Kind::Scalar { .. }) => Some(Step::Item(node)),
        _ => None,
    }
}

/// The span of a value that is shown as such; for a whole mapping its key says more, and so it does for nothing.
fn pointable(node: &Node) -> Option<Span> {
    let is_shown = matches!(&node.kind, Kind::Scalar { text, .. } if !text.is_empty()) || !node.items().is_empty();
    is_shown.then_some(node.span)
}
