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
        let default = Command::new(name);
        if node.is_null() {
            return default;
        }
        let Some(mapping) = self.mapping(node, place, &[&keys::COMMAND]) else { return default };
        // what input and output define inline: `OfferEndReason`, `OfferEndOutputReason`
        let owner = format!("{resource}{}", names::pascal(name));
        Command {
            description: self.prose_at(&mapping, "description"),
            access: self.access(&mapping),
            input: mapping.get("input").map(|fields| self.fields(fields, &owner)).unwrap_or_default(),
            output: mapping
                .get("output")
                .map(|fields| self.fields(fields, &format!("{owner}Output")))
                .unwrap_or_default(),
            timeout: self.text_at(&mapping, "timeout").unwrap_or(default.timeout),
            ready: self.flag_at(&mapping, "ready").unwrap_or(true),
            deprecated: self.switch_at(&mapping, "deprecated"),
            sunset: self.sunset(&mapping),
            allow: self.allow(&mapping),
            name: default.name,
        }
    }
}
