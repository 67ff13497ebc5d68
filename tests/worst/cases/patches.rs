//! Patches: 1,000 operations that each touch much.

use super::bodies::LARGEST;
use super::{Shot, read};
use crate::site::Site;
use crate::values::{Budget, NOWHERE};
use restwell_model::{Field, OperationKind, Type};
use serde_json::{Value, json};

/// `MAX_PATCH_OPERATIONS`.
const MOST_OPERATIONS: usize = 1_000;
/// Bytes that one operation of a body of the greatest size may have.
const SHARE: usize = LARGEST / MOST_OPERATIONS;
/// An operation without what it is about.
const ROUND: usize = 120;

pub(super) fn is_patched(site: &Site<'_>) -> bool {
    site.is(OperationKind::Patch)
}

/// Sends operations.
fn patch(site: &Site<'_>, operations: &[Value]) -> Vec<Shot> {
    read(&site.json("", &json!(operations)))
}

/// The array that operations go to, or a property that there is not.
fn array(site: &Site<'_>) -> String {
    let is_array = |field: &&Field| matches!(field.ty, Type::Array { .. });
    let array = site.settable().into_iter().find(is_array).map(|field| field.name.as_str());
    format!("/{}", array.unwrap_or("unheardOf"))
}

/// An array of this many tiny elements.
fn tiny(bytes: usize) -> Value {
    json!(vec![1; bytes / 2])
}

/// One large addition and operations below it, under a property that is not there.
pub(super) fn remove_below(site: &Site<'_>) -> Vec<Shot> {
    let removal = json!({ "op": "remove", "path": "/unheardOf/0" });
    let added = tiny(LARGEST - MOST_OPERATIONS * removal.to_string().len() - ROUND);
    let mut operations = vec![json!({ "op": "add", "path": "/unheardOf", "value": added })];
    operations.resize(MOST_OPERATIONS, removal);
    patch(site, &operations)
}

pub(super) fn many_additions(site: &Site<'_>) -> Vec<Shot> {
    let add =
        |number: usize| json!({ "op": "add", "path": format!("/unheardOf{number}"), "value": tiny(SHARE - ROUND) });
    patch(site, &(0..MOST_OPERATIONS).map(add).collect::<Vec<_>>())
}

/// Each moves all that is behind it.
pub(super) fn front_insertions(site: &Site<'_>) -> Vec<Shot> {
    let path = array(site);
    let insertion = json!({ "op": "add", "path": format!("{path}/0"), "value": 1 });
    let first = tiny(LARGEST - MOST_OPERATIONS * insertion.to_string().len() - ROUND);
    let mut operations = vec![json!({ "op": "add", "path": path, "value": first })];
    operations.resize(MOST_OPERATIONS, insertion);
    patch(site, &operations)
}

/// Each copy has what all before it have.
pub(super) fn doubling(site: &Site<'_>) -> Vec<Shot> {
    let path = array(site);
    let mut operations = vec![json!({ "op": "add", "path": path, "value": ["x".repeat(LARGEST / 2)] })];
    operations.resize(MOST_OPERATIONS, json!({ "op": "copy", "from": path, "path": format!("{path}/0") }));
    patch(site, &operations)
}

/// Each compares what the first has brought.
pub(super) fn large_tests(site: &Site<'_>) -> Vec<Shot> {
    let path = array(site);
    let value = tiny(SHARE - ROUND);
    let mut operations = vec![json!({ "op": "add", "path": path, "value": value })];
    operations.resize(MOST_OPERATIONS, json!({ "op": "test", "path": path, "value": value }));
    patch(site, &operations)
}

/// One large value, moved from one place to another.
pub(super) fn moves(site: &Site<'_>) -> Vec<Shot> {
    let path = array(site);
    let one = |from: &str, to: &str| json!({ "op": "move", "from": from, "path": to });
    let pair = [one(&path, "/elsewhere"), one("/elsewhere", &path)];
    let value = tiny(LARGEST - MOST_OPERATIONS * (pair[0].to_string().len() + 2) - ROUND);
    let first = json!({ "op": "add", "path": path, "value": value });
    let operations = std::iter::once(first).chain(pair.into_iter().cycle()).take(MOST_OPERATIONS);
    patch(site, &operations.collect::<Vec<_>>())
}

/// All that the model takes, again and again.
pub(super) fn replacements(site: &Site<'_>) -> Vec<Shot> {
    let fields = site.settable();
    let values = |number: usize| {
        let body = site.values.body(fields.iter().copied(), NOWHERE + number, Budget::bytes(SHARE));
        body.into_iter().filter(|(name, _)| fields.iter().any(|field| field.name == *name && !field.immutable))
    };
    let operations = (0..MOST_OPERATIONS).flat_map(values);
    let operations = operations.map(|(name, value)| json!({ "op": "add", "path": format!("/{name}"), "value": value }));
    patch(site, &operations.take(MOST_OPERATIONS).collect::<Vec<_>>())
}

/// Each goes one level deeper.
pub(super) fn too_deep(site: &Site<'_>) -> Vec<Shot> {
    let add = |depth: usize| json!({ "op": "add", "path": format!("/unheardOf{}", "/a".repeat(depth)), "value": {} });
    // paths grow with their depth: as many as a body holds
    patch(site, &(0..MOST_OPERATIONS - 200).map(add).collect::<Vec<_>>())
}
