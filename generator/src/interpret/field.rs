//! A field: the keys that do not depend on its type.

use super::mapping::Mapping;
use super::{Interpreter, keys};
use crate::yaml::{Entry, Node};
use restwell_model::{Field, Type};

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
        self.described(&mapping, Field::new(&name.text, ty))
    }

    /// Everything but name, type and the values that need the type: those come when all types are known.
    fn described(&mut self, mapping: &Mapping<'a>, field: Field) -> Field {
        let Field { name, ty, default, example, .. } = field;
        Field {
            name,
            ty,
            required: self.switch_at(mapping, "required"),
            default,
            immutable: self.switch_at(mapping, "immutable"),
            read_only: self.switch_at(mapping, "readOnly"),
            write_only: self.switch_at(mapping, "writeOnly"),
            secret: mapping.get("secret").and_then(|node| self.word(node, "secret", keys::SECRETS)),
            filter: self.switch_at(mapping, "filter"),
            sort: self.switch_at(mapping, "sort"),
            unique: self.switch_at(mapping, "unique"),
            views: mapping.get("views").map(|node| self.texts(node, "views")),
            versions: self.versions_at(mapping, "versions"),
            deprecated: self.switch_at(mapping, "deprecated"),
            sunset: self.sunset(mapping),
            description: self.prose_at(mapping, "description"),
            example,
            renamed_from: self.text_at(mapping, "renamedFrom"),
            allow: self.allow(mapping),
        }
    }
}
