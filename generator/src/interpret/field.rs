//! A field: the keys that do not depend on its type.

use super::{Interpreter, keys};
use crate::yaml::scalar::{Scalar, resolve};
use crate::yaml::{Entry, Node, NodeKind};
use restwell_model::field::{Filter, Uniqueness};
use restwell_model::{Field, Type, names};
use serde_json::Value;

/// The place of a type, from which an inline definition gets its name.
#[derive(Clone, Copy)]
pub(super) struct FieldSite<'s> {
    /// What an inline definition's name begins with.
    pub(super) owner: &'s str,
    /// The field.
    pub(super) field: &'s str,
    /// The type of an array's items, not of the field itself.
    pub(super) in_array: bool,
}

impl<'a> Interpreter<'a> {
    /// `true`, `false`, or comparisons beside equality and ranges.
    pub(super) fn filter(&mut self, node: &'a Node) -> Filter {
        match (resolve(node), &node.kind) {
            (Some(Scalar::Bool(is_on)), _) => is_on.into(),
            (_, NodeKind::Sequence(items)) if !items.is_empty() => {
                let matches = items.iter().filter_map(|item| self.word(item, "filter", keys::MATCHES));
                Filter::With(matches.collect())
            }
            _ => {
                let help = match &node.kind {
                    NodeKind::Sequence(_) => Some(
                        "write `filter: true` for equality alone, or name a comparison: `filter: [not]`".to_owned(),
                    ),
                    _ => node.text().filter(|text| !text.is_empty()).map(|text| format!("write `[{text}]`")),
                };
                self.wrong_type(node, "`true`, `false` or a list of comparisons", help);
                Filter::Off
            }
        }
    }

    /// `true`, `false`, or `ignoreCase`.
    pub(super) fn uniqueness(&mut self, node: &'a Node) -> Uniqueness {
        let words = keys::UNIQUENESS.iter().map(|(word, _)| *word);
        match resolve(node) {
            Some(Scalar::Bool(is_on)) => is_on.into(),
            Some(Scalar::String(text)) if names::nearest(text, words).is_some() => {
                self.word(node, "value of `unique`", keys::UNIQUENESS).unwrap_or_default()
            }
            _ => {
                let help = match &node.kind {
                    NodeKind::Sequence(_) => {
                        "write a combination of fields beside `fields`: `unique: [[seller, name]]`"
                    }
                    _ => "write `unique: true`, `unique: false` or `unique: ignoreCase`, without quotes",
                };
                self.wrong_type(node, "`true`, `false` or `ignoreCase`", Some(help.to_owned()));
                Uniqueness::Off
            }
        }
    }

    /// The fields of a resource, an object, an input or an output; `owner` begins the names of what they define inline.
    pub(super) fn fields(&mut self, node: &'a Node, owner: &str) -> Vec<Field> {
        let entries = self.named(node);
        entries.iter().map(|entry| self.field(entry, owner)).collect()
    }

    fn field(&mut self, entry: &'a Entry, owner: &str) -> Field {
        let (name, place) = (&entry.key, entry.key.span);
        let site = FieldSite { owner, field: &name.text, in_array: false };
        let Some((mapping, ty)) = self.typed(&entry.value, place, &keys::FIELD, site) else {
            self.poisoned.fields.insert(name.text.clone());
            return Field::new(&name.text, Type::string());
        };
        // `default` and `example` need the type: they come when all types are known
        let mut values = self.values_of(&mapping, &keys::FIELD);
        if let Some(Value::Object(condition)) = values.get("required") {
            let when = condition.get("when").cloned();
            values.remove("required");
            values.extend(when.map(|when| ("requiredWhen".to_owned(), when)));
        }
        Field {
            visible: self.access_at(&mapping, "visible").unwrap_or_default(),
            writable: self.access_at(&mapping, "writable").unwrap_or_default(),
            ..Field::new(&name.text, ty).with_keys(values)
        }
    }
}
