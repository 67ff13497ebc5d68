//! Reads a mapping with the tables of its keys.

use super::keys::{self, KeySpec, KeyTable};
use super::suggest;
use super::{Interpreter, scalars};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::yaml::{Entry, Node, NodeKind};
use restwell_model::{FaultCode, names};
use std::fmt;

/// The entries of a mapping under the keys of the language.
pub(super) struct Mapping<'a> {
    entries: Vec<(&'static str, &'a Node)>,
}

impl<'a> Mapping<'a> {
    /// The value under a key.
    pub(super) fn get(&self, key: &str) -> Option<&'a Node> {
        self.entries.iter().find(|(known, _)| *known == key).map(|(_, value)| *value)
    }
}

impl<'a> Interpreter<'a> {
    /// Reads a mapping with its tables, and reports every unknown key and every missing required key. `owner` is the
    /// place of the name that the mapping belongs to.
    pub(super) fn mapping(&mut self, node: &'a Node, owner: Span, tables: &[&KeyTable]) -> Option<Mapping<'a>> {
        let NodeKind::Mapping(entries) = &node.kind else {
            self.wrong_type(node, "a mapping", Some("write `key: value` pairs, in `{ … }` or indented".to_owned()));
            return None;
        };
        let mut read = Mapping { entries: Vec::with_capacity(entries.len()) };
        let mut unknown = Vec::new();
        for entry in entries {
            match tables.iter().find_map(|table| table.find(&entry.key.text)) {
                Some(key) => read.entries.push((key, &entry.value)),
                None => unknown.push(entry),
            }
        }
        for entry in unknown {
            let meant = self.unknown_key(entry, tables);
            if let Some(meant) = meant.filter(|key| read.get(key).is_none()) {
                read.entries.push((meant, &entry.value));
            }
        }
        self.missing_keys(&read, owner, tables);
        Some(read)
    }

    /// Reports an unknown key, and returns the most similar known one.
    fn unknown_key(&mut self, entry: &Entry, tables: &[&KeyTable]) -> Option<&'static str> {
        let key = &entry.key;
        let known = || tables.iter().flat_map(|table| table.keys());
        let meant = names::nearest(&key.text, known());
        let help = match (meant, Self::elsewhere(&key.text, tables)) {
            (None, _) if entry.value.is_null() && key.text.contains(' ') => {
                Some("the comma before it ended the value; quote that text".to_owned())
            }
            (Some(meant), _) => Some(format!("did you mean `{meant}`?")),
            (None, Some(elsewhere)) => Some(elsewhere),
            (None, None) => suggest::help(None, &known().collect::<Vec<_>>()),
        };
        let message = format!("{} has no key `{}`", what(tables), key.text);
        self.report(Diagnostic::new(FaultCode::UnknownKey, key.span, message).maybe_help(help));
        meant
    }

    /// The place where a key that is unknown here would be valid.
    fn elsewhere(key: &str, tables: &[&KeyTable]) -> Option<String> {
        let is = |table: &KeyTable| tables.contains(&table);
        let types = keys::types_with(key);
        if !types.is_empty() && (is(&keys::FIELD) || is(&keys::ITEMS) || is(&keys::VALUES)) {
            return Some(format!("`{key}` is a key of {}", suggest::list(types)));
        }
        if is(&keys::ITEMS) && keys::FIELD.find(key).is_some() {
            return Some(format!("write `{key}` in the array field itself, beside `items`"));
        }
        if is(&keys::VALUES) && keys::FIELD.find(key).is_some() {
            return Some(format!("write `{key}` in the map field itself, beside `values`"));
        }
        if is(&keys::RESOURCE) && keys::FIELD.find(key).is_some() {
            return Some(format!("write `{key}` in a field, under `fields`"));
        }
        None
    }

    fn missing_keys(&mut self, read: &Mapping<'a>, owner: Span, tables: &[&KeyTable]) {
        let required = tables.iter().flat_map(|table| table.keys).filter(|key| key.is_required);
        for key in required.filter(|key| read.get(key.name).is_none()) {
            self.missing_key(what(tables), key, owner, owner);
        }
    }

    /// Reports a missing key; `poisoned` is the part that cannot be read without it.
    pub(super) fn missing_key(&mut self, what: impl fmt::Display, key: &KeySpec, owner: Span, poisoned: Span) {
        let help = keys::example(key).map(|example| format!("add it, as in `{example}`"));
        let key = key.name;
        let diagnostic = Diagnostic::new(FaultCode::MissingKey, owner, format!("{what} must have `{key}`"));
        self.poison(poisoned, diagnostic.label(format!("`{key}` is missing")).maybe_help(help));
    }

    /// The named entries of a mapping whose keys the team chooses: fields, views, commands. A key without a value is
    /// an empty mapping there.
    pub(super) fn named(&mut self, node: &'a Node) -> &'a [Entry] {
        match &node.kind {
            NodeKind::Mapping(entries) => entries,
            _ => {
                let help = "write each name with its keys, as in `name: { … }`";
                self.wrong_type(node, "a mapping with names as keys", Some(help.to_owned()));
                &[]
            }
        }
    }

    /// The items of a list.
    pub(super) fn list(&mut self, node: &'a Node, of: &str) -> &'a [Node] {
        match &node.kind {
            NodeKind::Sequence(items) => items,
            _ => {
                let help = node.text().filter(|text| !text.is_empty()).map(|text| format!("write `[{text}]`"));
                self.wrong_type(node, &format!("a list of {of}"), help);
                &[]
            }
        }
    }

    /// Reports a value with the wrong type. A refused value was reported when it was read.
    pub(super) fn wrong_type(&mut self, node: &Node, expected: &str, help: Option<String>) {
        if node.kind == NodeKind::Refused {
            self.poisoned.spans.push(node.span);
            return;
        }
        let message = format!("expected {expected}, found {}", scalars::describe(node));
        self.poison(node.span, Diagnostic::new(FaultCode::WrongType, node.span, message).maybe_help(help));
    }
}

/// "a resource", "a field of type `ref`".
fn what(tables: &[&KeyTable]) -> String {
    match tables {
        [common, ty] if keys::TYPES.contains(ty) => format!("{} of type `{}`", common.what, ty.what),
        tables => tables.first().map_or("this", |table| table.what).to_owned(),
    }
}
