//! Conditions, and what is made of them: rules, lifecycles, required fields.

use super::{Interpreter, keys};
use crate::yaml::scalar::{Scalar, resolve};
use crate::yaml::{Node, NodeKind};
use restwell_model::condition::Condition;
use restwell_model::{Lifecycle, Rule, Transition};
use serde_json::{Value, json};
use std::collections::BTreeMap;

impl<'a> Interpreter<'a> {
    /// A condition or an expression. What YAML takes for a number or a boolean is one, too.
    pub(super) fn condition(&mut self, node: &'a Node) -> Option<Condition> {
        match (&node.kind, node.text()) {
            (NodeKind::Scalar { .. }, Some(text)) if !text.trim().is_empty() => Some(Condition::new(text)),
            _ => {
                let help = "write an expression in quotes: 'status == \"ACTIVE\"'";
                self.wrong_type(node, "a condition", Some(help.to_owned()));
                None
            }
        }
    }

    /// `required: true`, or `required: { when: … }`.
    pub(super) fn required(&mut self, node: &'a Node) -> Option<Value> {
        match (resolve(node), &node.kind) {
            (Some(Scalar::Bool(is_required)), _) => Some(is_required.into()),
            (_, NodeKind::Mapping(_)) => {
                let mapping = self.mapping(node, node.span.head(), &[&keys::REQUIRED])?;
                let when = self.condition(mapping.get("when")?)?;
                Some(json!({ "when": when }))
            }
            _ => {
                let help = "write `required: true` or `required: false`, without quotes, or `required: { when: '…' }`";
                self.wrong_type(node, "`true`, `false` or a condition", Some(help.to_owned()));
                None
            }
        }
    }

    /// `rules: [{ check: …, code: …, message: … }]`.
    pub(super) fn rules(&mut self, node: &'a Node) -> Vec<Rule> {
        let items = self.list(node, "rules");
        let rule = |item: &'a Node| {
            let mapping = self.mapping(item, item.span.head(), &[&keys::RULE])?;
            serde_json::from_value(self.values_of(&mapping, &keys::RULE).into()).ok()
        };
        items.iter().filter_map(rule).collect()
    }

    /// `lifecycle: { field: status, initial: ACTIVE, transitions: … }`.
    pub(super) fn lifecycle(&mut self, node: &'a Node) -> Option<Lifecycle> {
        let mapping = self.mapping(node, node.span.head(), &[&keys::LIFECYCLE])?;
        serde_json::from_value(self.values_of(&mapping, &keys::LIFECYCLE).into()).ok()
    }

    /// `transitions: { end: { from: ACTIVE, to: ENDED } }`.
    /// None of them where one cannot be read: the states that it leads to are not known.
    pub(super) fn transitions(&mut self, node: &'a Node) -> Option<Vec<Transition>> {
        let entries = self.named(node);
        let mut transitions = Vec::with_capacity(entries.len());
        for entry in entries {
            let mapping = self.mapping(&entry.value, entry.key.span, &[&keys::TRANSITION])?;
            let mut values = self.values_of(&mapping, &keys::TRANSITION);
            values.insert("name".to_owned(), entry.key.text.clone().into());
            transitions.push(serde_json::from_value(values.into()).ok()?);
        }
        Some(transitions)
    }

    /// `set: { endingAt: now }`.
    pub(super) fn assignments(&mut self, node: &'a Node) -> BTreeMap<String, Condition> {
        let entries = self.named(node);
        entries.iter().filter_map(|entry| Some((entry.key.text.clone(), self.condition(&entry.value)?))).collect()
    }

    /// `from: ACTIVE`, or `from: [ACTIVE, PAUSED]`.
    pub(super) fn states(&mut self, node: &'a Node) -> Vec<String> {
        match &node.kind {
            NodeKind::Sequence(_) => self.texts(node, "states"),
            _ => self.text(node).map(str::to_owned).into_iter().collect(),
        }
    }
}
