//! Commands.

use super::mapping::Mapping;
use super::{Interpreter, keys};
use crate::source::Span;
use crate::yaml::Node;
use restwell_model::{Command, names};

impl<'a> Interpreter<'a> {
    pub(super) fn commands(&mut self, mapping: &Mapping<'a>, resource: &str) -> Vec<Command> {
        let Some(node) = mapping.get("commands") else { return Vec::new() };
        let entries = self.named(node);
        entries.iter().map(|entry| self.command(&entry.key.text, &entry.value, entry.key.span, resource)).collect()
    }

    fn command(&mut self, name: &str, node: &'a Node, place: Span, resource: &str) -> Command {
        let command = Command::new(name);
        if node.is_null() {
            return command;
        }
        let Some(mapping) = self.mapping(node, place, &[&keys::COMMAND]) else { return command };
        // what input and output define inline: `OfferEndReason`, `OfferEndOutputReason`
        let owner = format!("{resource}{}", names::pascal(name));
        let mut fields_at =
            |key, owner: &str| mapping.get(key).map(|fields| self.fields(fields, owner)).unwrap_or_default();
        let (input, output) = (fields_at("input", &owner), fields_at("output", &format!("{owner}Output")));
        let access = self.access(&mapping);
        let open_by_default = mapping.get("access").is_none();
        Command {
            access,
            open_by_default,
            input,
            output,
            ..command.with_keys(self.values_of(&mapping, &keys::COMMAND))
        }
    }
}
