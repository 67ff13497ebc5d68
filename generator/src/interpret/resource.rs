//! A resource.

use super::mapping::Mapping;
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
        let default = Resource::new(name);
        let plural = self.text_at(&mapping, "plural").unwrap_or(default.plural);
        let resource = Resource {
            description: self.prose_at(&mapping, "description"),
            versions: self.versions_at(&mapping, "versions").unwrap_or(default.versions),
            retired: self.versions_at(&mapping, "retired").unwrap_or_default(),
            deprecated: self.switch_at(&mapping, "deprecated"),
            sunset: self.sunset(&mapping),
            owner: self.text_at(&mapping, "owner"),
            under: self.texts_at(&mapping, "under", "reference fields"),
            unique: self.combinations(&mapping),
            operations: mapping.get("operations").map_or(default.operations, |node| self.operations(node)),
            views: self.views(&mapping, &plural),
            count: self.flag_at(&mapping, "count").unwrap_or(true),
            search: self.search(&mapping),
            commands: self.commands(&mapping, name),
            fields: mapping.get("fields").map(|fields| self.fields(fields, name)).unwrap_or_default(),
            renamed_from: self.text_at(&mapping, "renamedFrom"),
            allow: self.allow(&mapping),
            name: default.name,
            plural,
        };
        self.definitions.resources.extend(is_new.then_some(resource));
        Some(())
    }

    /// `unique: [[seller, name]]`.
    fn combinations(&mut self, mapping: &Mapping<'a>) -> Vec<Vec<String>> {
        let Some(node) = mapping.get("unique") else { return Vec::new() };
        let combinations = self.list(node, "combinations of fields");
        combinations.iter().map(|combination| self.texts(combination, "fields")).collect()
    }

    /// `search: true`, or the fields.
    fn search(&mut self, mapping: &Mapping<'a>) -> Search {
        let Some(node) = mapping.get("search") else { return Search::None };
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
