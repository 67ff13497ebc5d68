//! Deleting, and what it does to those that refer to the entity (`onDelete`).
//!
//! The database's foreign keys would do most of it, but a row that loses a reference has been updated, which shows,
//! and a reference inside an array is taken out of the JSON. So what refers is brought in order first, down the
//! cascade; the DELETE itself then cascades, or is refused.

use super::read::row_by_id;
use super::write::{matches, owner};
use crate::plan::{Plans, ResourcePlan};
use crate::store::{Change, Entity, Permit, Refusal};
use restwell_model::tables::Link;
use restwell_model::{ErrorCode, OnDelete, Problem};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value as Json;
use std::collections::HashSet;
use uuid::Uuid;

/// Deletes an entity.
pub(super) fn delete(connection: &Connection, plans: &Plans, change: &Change) -> Result<Entity, Refusal> {
    let plan = &plans.resources[change.at.resource];
    if change.permit != Permit::All {
        find_for_delete(connection, plan, change)?;
    }
    if !matches(connection, plans, change)? {
        return Err(Refusal::Changed);
    }
    let deleted = Detach { connection, plans, now: change.now, seen: HashSet::new() }
        .detach(plan, change.id)
        .and_then(|()| connection.prepare_cached(&plan.statements.delete)?.execute([change.id.as_bytes().as_slice()]));
    match deleted {
        Ok(0) => Err(Refusal::NotFound),
        Ok(_) => Ok(Entity { id: change.id, owner: None, body: Vec::new() }),
        Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation) => {
            Err(Refusal::Invalid(vec![Problem::new(ErrorCode::StillReferenced)]))
        }
        Err(error) => Err(error.into()),
    }
}

/// Whether there is such an entity, and the caller may delete it.
pub(super) fn find_for_delete(connection: &Connection, plan: &ResourcePlan, change: &Change) -> Result<(), Refusal> {
    let row = row_by_id(connection, &plan.statements.row, change.id)?.ok_or(Refusal::NotFound)?;
    if change.permit.covers(owner(plan, &row)) { Ok(()) } else { Err(Refusal::Forbidden) }
}

struct Detach<'a> {
    connection: &'a Connection,
    plans: &'a Plans,
    now: i64,
    seen: HashSet<Uuid>,
}

impl Detach<'_> {
    /// Brings in order what refers to an entity that is about to go.
    fn detach(&mut self, plan: &ResourcePlan, id: Uuid) -> rusqlite::Result<()> {
        if !self.seen.insert(id) {
            return Ok(());
        }
        let plans = self.plans;
        for other in &plans.resources {
            for column in &other.table.columns {
                match column.references.as_ref().filter(|foreign| foreign.resource == plan.name) {
                    Some(foreign) if foreign.on_delete == OnDelete::Null => self.set_null(other, &column.name, id)?,
                    Some(foreign) if foreign.on_delete == OnDelete::Cascade => {
                        let sql = format!("SELECT \"id\" FROM \"{}\" WHERE \"{}\" = ?1", other.table.name, column.name);
                        for dependent in self.ids(&sql, id)? {
                            self.detach(other, dependent)?;
                        }
                    }
                    _ => {}
                }
            }
            for (index, link) in other.table.links.iter().enumerate() {
                if link.references.resource == plan.name && link.references.on_delete != OnDelete::Restrict {
                    self.unlink(other, index, id)?;
                }
            }
        }
        Ok(())
    }

    fn set_null(&self, other: &ResourcePlan, column: &str, id: Uuid) -> rusqlite::Result<()> {
        let sql = format!(
            "UPDATE \"{}\" SET \"{column}\" = NULL, \"updated_at\" = max(\"updated_at\", ?2) WHERE \"{column}\" = ?1",
            other.table.name
        );
        self.connection.prepare_cached(&sql)?.execute(params![id.as_bytes().as_slice(), self.now]).map(|_| ())
    }

    /// Arrays that hold a reference to the entity lose it, or their entities go with it.
    fn unlink(&mut self, other: &ResourcePlan, index: usize, id: Uuid) -> rusqlite::Result<()> {
        let link = &other.table.links[index];
        let sql = format!("SELECT \"entity_id\" FROM \"{}\" WHERE \"target_id\" = ?1", link.table);
        for dependent in self.ids(&sql, id)? {
            let key = dependent.as_bytes().as_slice();
            if link.references.on_delete == OnDelete::Cascade {
                self.detach(other, dependent)?;
                self.connection.prepare_cached(&other.statements.delete)?.execute([key])?;
            } else {
                self.take_out(other, link, dependent, id)?;
                let sql = format!("DELETE FROM \"{}\" WHERE \"entity_id\" = ?1 AND \"target_id\" = ?2", link.table);
                self.connection.prepare_cached(&sql)?.execute([key, id.as_bytes().as_slice()])?;
            }
        }
        Ok(())
    }

    fn take_out(&self, other: &ResourcePlan, link: &Link, entity: Uuid, id: Uuid) -> rusqlite::Result<()> {
        let Some((column, rest)) = other.array_of(&link.path) else { return Ok(()) };
        let (table, column) = (&other.table.name, &other.table.columns[column].name);
        let key = entity.as_bytes().as_slice();
        let sql = format!("SELECT \"{column}\" FROM \"{table}\" WHERE \"id\" = ?1");
        let stored: Option<String> =
            self.connection.prepare_cached(&sql)?.query_row([key], |row| row.get(0)).optional()?;
        let Some(mut json) = stored.and_then(|text| serde_json::from_str::<Json>(&text).ok()) else { return Ok(()) };
        remove(&mut json, rest, &id.to_string());
        let sql = format!(
            "UPDATE \"{table}\" SET \"{column}\" = ?2, \"updated_at\" = max(\"updated_at\", ?3) WHERE \"id\" = ?1"
        );
        self.connection.prepare_cached(&sql)?.execute(params![key, json.to_string(), self.now]).map(|_| ())
    }

    fn ids(&self, sql: &str, id: Uuid) -> rusqlite::Result<Vec<Uuid>> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([id.as_bytes().as_slice()], |row| row.get::<_, [u8; 16]>(0))?;
        rows.map(|bytes| bytes.map(Uuid::from_bytes)).collect()
    }
}

/// Takes a reference out of a stored array: an item of it, or of a list inside its objects; a single one becomes null.
fn remove(json: &mut Json, path: &[String], id: &str) {
    let is_it = |item: &Json| item.get("id").and_then(Json::as_str) == Some(id);
    match (json, path.split_first()) {
        (Json::Array(items), None) => items.retain(|item| !is_it(item)),
        (Json::Array(items), Some(_)) => items.iter_mut().for_each(|item| remove(item, path, id)),
        (Json::Object(members), Some((name, rest))) => match members.get_mut(name) {
            Some(member) if rest.is_empty() && is_it(member) => *member = Json::Null,
            Some(member) => remove(member, rest, id),
            None => {}
        },
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_taken_out_of_lists_and_objects() {
        let mut json = serde_json::json!([{"keepers": [{"id": "a"}, {"id": "b"}], "chief": {"id": "a"}}]);
        remove(&mut json, &["keepers".to_owned()], "a");
        remove(&mut json, &["chief".to_owned()], "a");
        assert_eq!(json, serde_json::json!([{"keepers": [{"id": "b"}], "chief": null}]));
    }
}
