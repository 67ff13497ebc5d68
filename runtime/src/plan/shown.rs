//! What references show of other entities, beside the id.

use super::form::blank;
use restwell_model::tables::{self, Slot, Table};
use restwell_model::{Field, Resource};
use std::ops::Range;

/// The times that every entity has, and their columns.
pub(super) const TIMES: [(&str, usize); 2] = [("createdAt", tables::CREATED_AT), ("updatedAt", tables::UPDATED_AT)];

/// A field of another resource that a reference shows.
pub(super) struct ShownField<'a> {
    pub(super) name: &'a str,
    pub(super) columns: Range<usize>,
    /// `None` for the times that every entity has.
    pub(super) field: Option<(&'a Field, &'a Slot)>,
}

/// The fields of another resource that a reference shows, in the order of `show`.
pub(super) fn shown_fields<'a>(
    resource: &'a Resource,
    table: &'a Table,
    show: &'a [String],
    has: &'a dyn Fn(&Field) -> bool,
) -> impl Iterator<Item = ShownField<'a>> {
    show.iter().filter_map(move |name| {
        if let Some((_, column)) = TIMES.iter().find(|(time, _)| time == name) {
            return Some(ShownField { name, columns: *column..column + 1, field: None });
        }
        let (field, slot) = (resource.field(name)?, table.slot(name)?);
        let is_shown = !field.write_only && has(field);
        is_shown.then(|| ShownField { name, columns: slot.columns.clone(), field: Some((field, slot)) })
    })
}

/// What a reference shows of an entity that is not seen: nulls, empty arrays and empty maps, each with a comma before
/// it.
pub(super) fn hidden(resource: &Resource, table: &Table, show: &[String], has: &dyn Fn(&Field) -> bool) -> Vec<u8> {
    let mut text = Vec::new();
    for shown in shown_fields(resource, table, show, has) {
        let names: Vec<&str> = shown.field.map_or_else(|| vec![shown.name], |(field, _)| field.names().collect());
        for name in names {
            let value = shown.field.map_or("null", |(field, _)| blank(&field.ty));
            text.extend_from_slice(format!(",\"{name}\":{value}").as_bytes());
        }
    }
    text
}
