//! A resource.

use super::{Interpreter, keys};
use crate::yaml::scalar::{Scalar, resolve};
use crate::yaml::{Node, NodeKind};
use restwell_model::{Resource, Search};

impl<'a> Interpreter<'a> {
    pub(super) fn resource(&mut self, node: &'a Node) -> Option<()> {
        let mapping = self.mapping(node, node.entry("resource")?.key.span, &[&keys::RESOURCE])?;
        let name_node = mapping.get("resource")?;
        let name = self.text(name_node)?;
        let is_new = self.define(name, node, name_node.span);
        let with_keys = Resource::new(name).with_keys(self.values_of(&mapping, &keys::RESOURCE));
        let operations = mapping.get("operations").map(|node| self.operations(node));
        let resource = Resource {
            visible: self.access_at(&mapping, "visible").unwrap_or_default(),
            operations: operations.unwrap_or_else(|| with_keys.operations.clone()),
            views: self.views(&mapping, &with_keys.plural),
            commands: self.commands(&mapping, name),
            fields: mapping.get("fields").map(|fields| self.fields(fields, name)).unwrap_or_default(),
            ..with_keys
        };
        self.definitions.resources.extend(is_new.then_some(resource));
        Some(())
    }

    /// `unique: [[seller, name]]`.
    pub(super) fn combinations(&mut self, node: &'a Node) -> Vec<Vec<String>> {
        let combinations = self.list(node, "combinations of fields");
        combinations.iter().map(|combination| self.texts(combination, "fields")).collect()
    }

    /// `search: true`, or the fields.
    pub(super) fn search(&mut self, node: &'a Node) -> Search {
        match (resolve(node), &node.kind) {
            (Some(Scalar::Bool(true)), _) => Search::All,
            (Some(Scalar::Bool(false)), _) => Search::None,
            (_, NodeKind::Sequence(_)) => Search::Fields(self.texts(node, "fields")),
            _ => {
                let help = node.text().filter(|text| !text.is_empty()).map(|text| format!("write `[{text}]`"));
                self.wrong_type(node, "`true`, `false` or a list of fields", help);
                Search::None
            }
        }
    }
}
