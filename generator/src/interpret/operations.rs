//! Operations and views.

use super::mapping::Mapping;
use super::{Interpreter, keys};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::yaml::{Node, NodeKind};
use restwell_model::resource::Through;
use restwell_model::{FaultCode, Operation, OperationKind, View};

impl<'a> Interpreter<'a> {
    /// A list of operations, or a mapping from operations to their access; sorted in the canonical order.
    pub(super) fn operations(&mut self, node: &'a Node) -> Vec<Operation> {
        let mut operations: Vec<Operation> = match &node.kind {
            NodeKind::Sequence(items) => self.operation_list(items),
            NodeKind::Mapping(entries) => entries
                .iter()
                .filter_map(|entry| {
                    let known = entry.key.text.parse().ok();
                    let kind = known.or_else(|| self.unknown_operation(&entry.key.text, entry.key.span))?;
                    Some(self.operation(kind, &entry.value, entry.key.span))
                })
                .collect(),
            _ => {
                self.wrong_type(
                    node,
                    "a list or a mapping of operations",
                    Some("write `[create, list, get]`".to_owned()),
                );
                OperationKind::DEFAULT.into_iter().map(Operation::with_default_access).collect()
            }
        };
        operations.sort_by_key(|operation| operation.kind);
        operations
    }

    /// A list of operations. Repeated ones are reported here, because the model does not keep the written order.
    fn operation_list(&mut self, items: &'a [Node]) -> Vec<Operation> {
        let mut read: Vec<(OperationKind, Span)> = Vec::with_capacity(items.len());
        for item in items {
            let Some(kind) = self.operation_kind(item) else { continue };
            let Some((_, first)) = read.iter().find(|(known, _)| *known == kind) else {
                read.push((kind, item.span));
                continue;
            };
            let message = format!("`{}` appears twice in this list", kind.word());
            let diagnostic = Diagnostic::new(FaultCode::RepeatedName, item.span, message);
            self.report(diagnostic.also(*first, "it first appears here").help("remove one of them"));
        }
        read.into_iter().map(|(kind, _)| Operation::with_default_access(kind)).collect()
    }

    fn operation_kind(&mut self, node: &'a Node) -> Option<OperationKind> {
        let text = self.text(node)?;
        text.parse().ok().or_else(|| self.unknown_operation(text, node.span))
    }

    fn unknown_operation(&mut self, word: &str, span: Span) -> Option<OperationKind> {
        let known = OperationKind::ALL.map(OperationKind::word);
        self.unknown_word(span, word, "operation", &known)?.parse().ok()
    }

    fn operation(&mut self, kind: OperationKind, node: &'a Node, name: Span) -> Operation {
        if node.is_null() {
            return Operation::with_default_access(kind);
        }
        let Some(mapping) = self.mapping(node, name, &[&keys::OPERATION]) else {
            return Operation::with_default_access(kind);
        };
        let access = self.access(&mapping);
        let operation = Operation::with_default_access(kind);
        let open_by_default = operation.open_by_default && mapping.get("access").is_none();
        let operation = operation.with_keys(self.values_of(&mapping, &keys::OPERATION));
        Operation { access, open_by_default, ..operation }
    }

    pub(super) fn views(&mut self, mapping: &Mapping<'a>, plural: &str) -> Vec<View> {
        let Some(node) = mapping.get("views") else { return Vec::new() };
        let entries = self.named(node);
        entries
            .iter()
            .filter_map(|entry| {
                let name = &entry.key.text;
                let mapping = self.mapping(&entry.value, entry.key.span, &[&keys::VIEW])?;
                let operations = mapping.get("operations").map(|node| self.operations(node)).unwrap_or_default();
                Some(View { operations, ..View::new(name, plural).with_keys(self.values_of(&mapping, &keys::VIEW)) })
            })
            .collect()
    }

    /// `through: Watch.offer`.
    pub(super) fn through(&mut self, mapping: &Mapping<'a>) -> Option<Through> {
        let node = mapping.get("through")?;
        let text = self.text(node)?;
        let through = Through::try_from(text.to_owned());
        if let Err(message) = &through {
            self.invalid(
                node,
                message.clone(),
                Some("write a resource and its reference field, as in `Watch.offer`".to_owned()),
            );
        }
        through.ok()
    }
}
