//! Renames fields in what the internal tables contain: commands, searches, and operations that are not done yet.

use super::json::JsonRenames;
use super::moves::quoted;
use super::names::event_words;
use super::script::Step;
use crate::changes::{Pair, pairs};
use crate::check::Checked;
use crate::events::EventKind;
use crate::formerly::Formerly;
use crate::resource::Resource;
use crate::tables::{self, Dialect, OPERATION_MARK, event_tables, text};

/// The updates for a resource of both models, under the names that the old one knows.
pub(super) fn steps(
    (old, before): (&Checked, &Resource),
    (new, now): (&Checked, &Resource),
    dialect: Dialect,
) -> Vec<Step> {
    let is_resource = among("resource", &before.name, before.formerly.as_ref());
    let update = |table: &str, column: &str, renames: &JsonRenames, condition: &str| {
        let (table, column) = (quoted(table), quoted(column));
        let json = renames.sql(&column, dialect);
        // the input of a command that was pruned is empty
        let condition = format!("{column} <> '' AND {is_resource}{condition}");
        Step::together(format!("UPDATE {table} SET {column} = {json} WHERE {condition}"))
    };
    let mut steps = Vec::new();
    if let Some(renames) = JsonRenames::of_fields((old, &before.fields), (new, &now.fields)) {
        steps.push(update(tables::SEARCHES_TABLE, "data", &renames, ""));
        let is_operation = format!(" AND \"command\" LIKE {}", text(&format!("{OPERATION_MARK}%")));
        if renames.reuse_names() {
            steps.extend(events(before, &renames, dialect));
        }
        let kept = JsonRenames::within("value", renames);
        steps.push(update(tables::NAMING_COMMANDS, "input", &kept, &is_operation));
    }
    for pair in pairs(&before.commands, &now.commands) {
        let Pair::Both(before, now) = pair else { continue };
        let is_command = format!(" AND {}", among("command", &before.name, before.formerly.as_ref()));
        let sides = [("input", &before.input, &now.input), ("output", &before.output, &now.output)];
        for (column, before, now) in sides {
            let renames = JsonRenames::of_fields((old, before), (new, now));
            steps.extend(renames.map(|renames| update(tables::NAMING_COMMANDS, column, &renames, &is_command)));
        }
    }
    steps
}

/// Stored events keep the names of fields, except where these stand for others in the new model: who sees a field is
/// decided by its name.
fn events(before: &Resource, renames: &JsonRenames, dialect: Dialect) -> Vec<Step> {
    let words = event_words(before).map(|word| text(&word)).join(", ");
    let kinds = [EventKind::Created, EventKind::Updated].map(|kind| text(&kind.to_string())).join(", ");
    let data = quoted("data");
    let json = renames.sql(&data, dialect);
    let update = |table: &str| {
        let table = quoted(table);
        let is_state = format!("\"resource\" IN ({words}) AND \"kind\" IN ({kinds})");
        Step::together(format!("UPDATE {table} SET {data} = {json} WHERE {data} <> '' AND {is_state}"))
    };
    event_tables(dialect).map(update).collect()
}

/// Whether a column has the name of something, or its former one.
fn among(column: &str, name: &str, former: Option<&Formerly>) -> String {
    let names: Vec<_> = std::iter::once(name).chain(former.map(|it| it.name.as_str())).map(text).collect();
    format!("{} IN ({})", quoted(column), names.join(", "))
}
