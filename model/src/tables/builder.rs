//! Lays out the columns of fields.

use super::store_limits::text_bytes;
use super::{COMMON, Column, ColumnKind, Content, Foreign, Link, Slot, Table, Unique, identifier, table_name};
use crate::check::{Checked, Kind};
use crate::field::{Field, OnDelete, Type};
use crate::language::TypeClass;
use crate::names;

/// A table in the making.
pub(super) struct TableBuilder<'a> {
    service: &'a Checked,
    pub(super) table: Table,
}

impl<'a> TableBuilder<'a> {
    pub(super) fn new(service: &'a Checked, name: String) -> Self {
        let columns = COMMON.into_iter().map(|(name, kind)| Column::new(name, kind)).collect();
        let table = Table::new(name, columns, 1);
        Self { service, table }
    }

    /// Lays out fields. `always`: the object they are in is always there.
    pub(super) fn slots(&mut self, fields: &[Field], path: &[&str], always: bool) -> Vec<Slot> {
        fields.iter().map(|field| self.slot(field, path, always)).collect()
    }

    fn slot(&mut self, field: &Field, path: &[&str], always: bool) -> Slot {
        let start = self.table.columns.len();
        let path: Vec<_> = path.iter().copied().chain([field.name.as_str()]).collect();
        if field.computed.is_some() {
            return Slot { name: field.name.clone(), columns: start..start, content: Content::Computed };
        }
        let never_null = always && is_never_null(field);
        let content = match self.service.kind(&field.ty) {
            Kind::Scalar(Type::Ref { to, on_delete, .. }) => {
                self.column(&path, "_id", ColumnKind::Uuid, !never_null);
                let references = self.foreign(to, *on_delete, &path);
                self.table.columns[start].references = references;
                Content::Reference
            }
            Kind::Scalar(scalar) => {
                for (ending, kind) in scalar_columns(scalar) {
                    self.column(&path, ending, *kind, !never_null);
                }
                if matches!(scalar, Type::Price { .. }) { Content::Price } else { Content::Scalar }
            }
            Kind::Enum(_) => {
                self.column(&path, "", ColumnKind::Text, !never_null);
                Content::Scalar
            }
            Kind::Object(object) => {
                let optional = !is_never_null(field);
                if optional {
                    self.column(&path, "", ColumnKind::Boolean, true);
                }
                Content::Object { optional, slots: self.slots(&object.fields, &path, never_null) }
            }
            Kind::Map(_) => {
                self.column(&path, "", ColumnKind::Json, !always);
                Content::Map
            }
            Kind::Array(items) => {
                // an array is never null; the object that it is in may be
                self.column(&path, "", ColumnKind::Json, !always);
                self.links(items, &path);
                Content::Array
            }
        };
        let slot = Slot { name: field.name.clone(), columns: start..self.table.columns.len(), content };
        if !matches!(slot.content, Content::Object { .. }) {
            let bytes = text_bytes(self.service, field);
            self.table.columns[slot.columns.clone()].iter_mut().for_each(|column| column.text_bytes = bytes);
        }
        self.indexes(field, &slot, &path);
        slot
    }

    fn indexes(&mut self, field: &Field, slot: &Slot, path: &[&str]) {
        if field.unique.is_on() {
            let prefix: String = path[..path.len() - 1].iter().map(|name| format!("{name}.")).collect();
            let paths = vec![slot.error_path(&prefix)];
            let (columns, ignores_case) = (slot.columns.clone().collect(), field.unique.ignores_case());
            self.table.uniques.push(Unique { columns, ignores_case, paths });
        }
        if field.filter.is_on() || field.sort {
            self.table.indexes.push(slot.columns.start);
        }
        if field.filter.is_indexed_folded() {
            self.table.folded_indexes.push(slot.columns.start);
        }
        if field.filter.is_on() && slot.content == Content::Price {
            // the currency is a parameter of its own
            self.table.indexes.push(slot.columns.start + 1);
        }
    }

    fn column(&mut self, path: &[&str], ending: &str, kind: ColumnKind, nullable: bool) {
        let mut name = String::new();
        for word in path {
            name.push_str(if name.is_empty() { "" } else { "_" });
            name.push_str(&names::snake(word));
        }
        name.push_str(ending);
        self.table.columns.push(Column { nullable, ..Column::new(identifier(name), kind) });
    }

    fn foreign(&self, to: &str, on_delete: OnDelete, path: &[&str]) -> Option<Foreign> {
        let table = table_name(self.service.resource(to)?);
        Some(Foreign { resource: to.to_owned(), table, path: format!("{}.id", path.join(".")), on_delete })
    }

    fn links(&mut self, items: &Type, path: &[&str]) {
        match self.service.kind(items) {
            Kind::Scalar(Type::Ref { to, on_delete, .. }) => {
                if let Some(references) = self.foreign(to, *on_delete, path) {
                    let words: Vec<_> = path.iter().map(|word| names::snake(word)).collect();
                    let table = identifier(format!("{}__{}", self.table.name, words.join("_")));
                    let path = path.iter().map(|&name| name.to_owned()).collect();
                    self.table.links.push(Link { table, path, references });
                }
            }
            Kind::Object(object) => {
                for field in &object.fields {
                    let path: Vec<_> = path.iter().copied().chain([field.name.as_str()]).collect();
                    self.links(field.ty.element(), &path);
                }
            }
            _ => {}
        }
    }
}

/// Whether a stored field can never be null: required, and given by every request or by its default.
pub(crate) fn is_never_null(field: &Field) -> bool {
    let given = !field.read_only && field.versions.is_none() && field.views.is_none();
    field.required && (given || field.default.is_some())
}

fn scalar_columns(ty: &Type) -> &'static [(&'static str, ColumnKind)] {
    match ty.class() {
        TypeClass::Scalar(scalar) => scalar.columns,
        // a type of another service, whose values are not known here
        TypeClass::Ref(_) | TypeClass::Array(_) | TypeClass::Map(_) | TypeClass::Named(_) => &[("", ColumnKind::Text)],
    }
}
