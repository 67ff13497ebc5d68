//! Maps places in the model to places in the files.

use crate::source::Span;
use crate::yaml::{Entry, Node, NodeKind};
use restwell_model::ModelPath;
use restwell_model::check::Key;
use std::collections::HashMap;

/// The place of each definition.
#[derive(Debug, Default)]
pub struct SourceMap<'a> {
    service: Option<DefinitionPlace<'a>>,
    definitions: HashMap<String, DefinitionPlace<'a>>,
    /// The definition of each file's document.
    documents: HashMap<usize, String>,
}

/// The place of one definition.
#[derive(Debug, Clone, Copy)]
pub struct DefinitionPlace<'a> {
    /// The document, or the field or items with the inline definition.
    pub node: &'a Node,
    /// Its name: the value after `resource:`, or the key of the field.
    pub name: Span,
}

/// The source of a path.
#[derive(Debug, Clone, Copy)]
pub struct SourceTarget<'a> {
    /// The span for a diagnostic.
    pub span: Span,
    /// The node; `None` if the path refers to a key, or to a node that does not exist.
    pub node: Option<&'a Node>,
}

impl<'a> SourceMap<'a> {
    /// The service document.
    #[must_use]
    pub fn service(&self) -> Option<DefinitionPlace<'a>> {
        self.service
    }

    /// A definition.
    #[must_use]
    pub fn definition(&self, name: &str) -> Option<DefinitionPlace<'a>> {
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
        self.service = Some(DefinitionPlace { node, name });
    }

    /// Notes a definition. The first of a file is its document's own.
    pub(super) fn add(&mut self, name: &str, node: &'a Node, span: Span) {
        self.documents.entry(node.span.file).or_insert_with(|| name.to_owned());
        self.definitions.insert(name.to_owned(), DefinitionPlace { node, name: span });
    }

    /// What a path leads to: a key or a value, or the nearest one above it that is there.
    #[must_use]
    pub fn resolve(&self, path: &ModelPath) -> Option<SourceTarget<'a>> {
        let place = match &path.definition {
            Some(name) => self.definition(name)?,
            None => self.service?,
        };
        // until a key is followed, a definition is pointed at by its name
        let (mut node, mut key) = (place.node, Some(place.name));
        for step in &path.keys {
            match follow(node, step) {
                Some(Destination::Entry(entry)) => (node, key) = (&entry.value, Some(entry.key.span)),
                Some(Destination::Item(item)) => (node, key) = (item, None),
                None => return Some(SourceTarget { span: key.unwrap_or(node.span), node: None }),
            }
        }
        Some(match key {
            Some(key) if path.of_key || path.keys.is_empty() => SourceTarget { span: key, node: None },
            Some(key) => SourceTarget { span: pointable(node).unwrap_or(key), node: Some(node) },
            None => SourceTarget { span: node.span, node: Some(node) },
        })
    }
}

/// The destination of one step of a path.
enum Destination<'a> {
    Entry(&'a Entry),
    Item(&'a Node),
}

fn follow<'a>(node: &'a Node, step: &Key) -> Option<Destination<'a>> {
    match (step, &node.kind) {
        (Key::Name(name), NodeKind::Mapping(_)) => node.entry(name).map(Destination::Entry),
        (Key::Name(name), NodeKind::Sequence(items)) => {
            items.iter().find(|item| item.text() == Some(name)).map(Destination::Item)
        }
        (Key::Index(index), NodeKind::Sequence(items)) => items.get(*index).map(Destination::Item),
        // `access: owner` is a list of one
        (Key::Index(0), NodeKind::Scalar { .. }) => Some(Destination::Item(node)),
        _ => None,
    }
}

/// The span of a value, if the value itself is worth showing. For a mapping or an empty value the key is clearer.
fn pointable(node: &Node) -> Option<Span> {
    let is_shown = matches!(&node.kind, NodeKind::Scalar { text, .. } if !text.is_empty()) || !node.items().is_empty();
    is_shown.then_some(node.span)
}
