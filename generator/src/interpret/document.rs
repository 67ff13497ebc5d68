//! A document: a service, an object or an enum. (A resource has a file of its own, next to this one.)

use super::keys;
use super::mapping::Mapping;
use super::{Interpreter, scalars, suggest};
use crate::diagnostic::Diagnostic;
use crate::yaml::{Entry, Node, NodeKind};
use restwell_model::language::{KeyTable, Renamed};
use restwell_model::{Announcement, Enum, FaultCode, Formerly, Object, Service, UserSubjects, names};
use serde_json::Value;
use std::collections::BTreeMap;

impl<'a> Interpreter<'a> {
    /// Reads a document by its first key.
    pub(super) fn document(&mut self, node: &'a Node) {
        let NodeKind::Mapping(entries) = &node.kind else {
            let message = format!("a document must be a mapping, but this is {}", scalars::describe(node));
            let help = "begin with a key, as in `resource: Offer`, without a dash";
            self.report(Diagnostic::new(FaultCode::WrongType, node.span, message).help(help));
            self.poisoned.definitions = true;
            return;
        };
        let read = match self.document_kind(node, entries) {
            Some("service") => self.service(node),
            Some("resource") => self.resource(node),
            Some("object") => self.object(node),
            Some("enum") => self.enumeration(node),
            _ => None,
        };
        if read.is_none() {
            self.poisoned.definitions = true;
        }
    }

    /// The kind of a document, from its first key.
    fn document_kind(&mut self, node: &Node, entries: &[Entry]) -> Option<&'static str> {
        let kind_of = |entry: &Entry| keys::DOCUMENTS.iter().find(|kind| **kind == entry.key.text).copied();
        let Some(first) = entries.first() else {
            let message = "the document is empty";
            self.report(
                Diagnostic::new(FaultCode::UnknownDocument, node.span, message)
                    .maybe_help(suggest::help(None, keys::DOCUMENTS)),
            );
            return None;
        };
        if let Some(kind) = kind_of(first) {
            return Some(kind);
        }
        if let Some((entry, kind)) = entries.iter().find_map(|entry| Some((entry, kind_of(entry)?))) {
            let message = format!("`{kind}` must be the first key of the document");
            self.report(
                Diagnostic::new(FaultCode::UnknownDocument, entry.key.span, message)
                    .help(format!("begin the document with `{kind}:`")),
            );
            return Some(kind);
        }
        let key = &first.key;
        let meant = names::nearest(&key.text, keys::DOCUMENTS.iter().copied());
        let message =
            format!("the first key of a document names its kind, and `{}` is not a kind of document", key.text);
        self.report(
            Diagnostic::new(FaultCode::UnknownDocument, key.span, message)
                .maybe_help(suggest::help(meant, keys::DOCUMENTS)),
        );
        None
    }

    fn service(&mut self, node: &'a Node) -> Option<()> {
        let mapping = self.mapping(node, node.entry("service")?.key.span, &[&keys::SERVICE])?;
        let name_node = mapping.get("service")?;
        let name = self.text(name_node)?;
        if let Some(first) = self.places.service() {
            let first = first.name;
            self.report(
                Diagnostic::new(FaultCode::SeveralServices, name_node.span, "a second document describes the service")
                    .label("the second one is here")
                    .also(first, "the first one is here")
                    .help("remove one of the two"),
            );
            return Some(());
        }
        self.places.set_service(node, name_node.span);
        let service = Service::new(name).with_keys(self.values_of(&mapping, &keys::SERVICE));
        self.service = Some(Service { user_subjects: self.user_subjects(&mapping), ..service });
        Some(())
    }

    /// `users: User`, or the resource in a mapping.
    pub(super) fn users(&mut self, mapping: &Mapping<'a>) -> Option<String> {
        let node = mapping.get("users")?;
        match &node.kind {
            // it is read as a whole, and what is wrong with it is reported there
            NodeKind::Mapping(_) => Some(node.entry("resource")?.value.text()?.to_owned()),
            _ => self.text(node).map(str::to_owned),
        }
    }

    /// A mapping of the keys of a table: `license: { name: Apache 2.0 }`.
    pub(super) fn keys_of(&mut self, node: &'a Node, table: &'static KeyTable) -> Option<Value> {
        let mapping = self.mapping(node, node.span.head(), &[table])?;
        Some(self.values_of(&mapping, table).into())
    }

    /// `users: { resource: User, subject: externalId }`.
    fn user_subjects(&mut self, mapping: &Mapping<'a>) -> Option<UserSubjects> {
        let node = mapping.get("users").filter(|node| matches!(node.kind, NodeKind::Mapping(_)))?;
        let mapping = self.mapping(node, node.span.head(), &[&keys::USERS])?;
        let mut values = self.values_of(&mapping, &keys::USERS);
        values.remove("resource")?;
        serde_json::from_value(values.into()).ok()
    }

    /// `deprecations: [{ what: operations.delete, sunset: "2027-06-30" }]`.
    pub(super) fn announcements(&mut self, node: &'a Node) -> Vec<Announcement> {
        let items = self.list(node, "parts with the days of their removal");
        items.iter().filter_map(|item| self.announcement(item)).collect()
    }

    fn announcement(&mut self, node: &'a Node) -> Option<Announcement> {
        let mapping = self.mapping(node, node.span.head(), &[&keys::ANNOUNCEMENT])?;
        serde_json::from_value(self.values_of(&mapping, &keys::ANNOUNCEMENT).into()).ok()
    }

    /// `formerly: { name: title, sunset: "2027-06-30" }`.
    pub(super) fn former_name(&mut self, of: Renamed, node: &'a Node) -> Option<Formerly> {
        let mapping = self.mapping(node, node.span.head(), &[of.keys()])?;
        serde_json::from_value(self.values_of(&mapping, of.keys()).into()).ok()
    }

    /// `provision: { name: given_name }`.
    pub(super) fn claims(&mut self, node: &'a Node) -> BTreeMap<String, String> {
        let entries = self.named(node);
        let claim = |entry: &'a Entry| Some((entry.key.text.clone(), self.text(&entry.value)?.to_owned()));
        entries.iter().filter_map(claim).collect()
    }

    fn object(&mut self, node: &'a Node) -> Option<()> {
        let mapping = self.mapping(node, node.entry("object")?.key.span, &[&keys::OBJECT])?;
        let name_node = mapping.get("object")?;
        let name = self.text(name_node)?;
        let is_new = self.define(name, node, name_node.span);
        let object = Object {
            name: name.to_owned(),
            description: self.prose_at(&mapping, "description"),
            fields: mapping.get("fields").map(|fields| self.fields(fields, name)).unwrap_or_default(),
            deprecations: mapping.get("deprecations").map(|node| self.announcements(node)).unwrap_or_default(),
            allow: self.allow(&mapping),
        };
        self.definitions.objects.extend(is_new.then_some(object));
        Some(())
    }

    fn enumeration(&mut self, node: &'a Node) -> Option<()> {
        let mapping = self.mapping(node, node.entry("enum")?.key.span, &[&keys::ENUM])?;
        let name_node = mapping.get("enum")?;
        let name = self.text(name_node)?;
        let is_new = self.define(name, node, name_node.span);
        let enumeration = Enum {
            description: self.prose_at(&mapping, "description"),
            values: self.texts_at(&mapping, "values", "values"),
            deprecations: mapping.get("deprecations").map(|node| self.announcements(node)).unwrap_or_default(),
            allow: self.allow(&mapping),
            ..Enum::new(name, Vec::new())
        };
        self.definitions.enums.extend(is_new.then_some(enumeration));
        Some(())
    }
}
