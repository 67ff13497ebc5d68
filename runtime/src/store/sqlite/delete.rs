//! Deleting, and what it does to those that refer to the entity (`onDelete`).
//!
//! The database's foreign keys would do most of it, but a row that loses a reference has been updated, which shows,
//! and a reference inside an array is taken out of the JSON. So what refers is brought in order first, down the
//! cascade; the DELETE itself then cascades, or is refused.

use super::read::row_by_id;
use super::write::matches;
use super::{outbox, read};
use crate::plan::{Plans, ResourcePlan};
use crate::serve::edge::Trace;
use crate::store::{At, Change, Entity, NewEvent, Refusal};
use restwell_model::events::EventKind;
use restwell_model::tables::Link;
use restwell_model::{ErrorCode, OnDelete, Problem};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value as Json;
use std::collections::HashSet;
use uuid::Uuid;

/// Deletes an entity.
pub(super) fn delete(connection: &Connection, plans: &Plans, change: &Change) -> Result<Entity, Refusal> {
    let plan = &plans.resources[change.at.resource];
    let owner = find_for_delete(connection, plan, change)?;
    if !matches(connection, plans, change)? {
        return Err(Refusal::Changed);
    }
    let mut detach =
        Detach { connection, plans, now: change.now, seen: HashSet::new(), gone: Vec::new(), touched: Vec::new() };
    let deleted = detach
        .detach(Dependent { resource: change.at.resource, id: change.id, owner })
        .and_then(|()| connection.prepare_cached(&plan.statements.delete)?.execute([change.id.as_bytes().as_slice()]));
    match deleted {
        Ok(_) if change.is_dry_run => {}
        Ok(_) => detach.announce(&change.trace)?,
        Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation) => {
            return Err(Refusal::Invalid(vec![Problem::new(ErrorCode::StillReferenced)]));
        }
        Err(error) => return Err(error.into()),
    }
    Ok(Entity { id: change.id, owner: None, body: Vec::new() })
}

/// The owner of the entity, if there is one that the caller may delete.
pub(super) fn find_for_delete(
    connection: &Connection,
    plan: &ResourcePlan,
    change: &Change,
) -> Result<Option<Uuid>, Refusal> {
    let row = row_by_id(connection, &plan.statements.row, change.id)?.ok_or(Refusal::NotFound)?;
    let owner = plan.owner_of(&row);
    if change.permit.covers(owner) { Ok(owner) } else { Err(Refusal::Forbidden) }
}

/// An entity that goes.
#[derive(Clone, Copy)]
struct Dependent {
    resource: usize,
    id: Uuid,
    owner: Option<Uuid>,
}

struct Detach<'a> {
    connection: &'a Connection,
    plans: &'a Plans,
    now: i64,
    seen: HashSet<(usize, Uuid)>,
    /// Who goes: the one that is asked for first, each before those that go with it.
    gone: Vec<Dependent>,
    /// Who loses a reference, by resource; some of them may go as well.
    touched: Vec<(usize, Uuid)>,
}

impl Detach<'_> {
    /// Brings in order what refers to an entity that is about to go.
    fn detach(&mut self, entity: Dependent) -> rusqlite::Result<()> {
        if !self.seen.insert((entity.resource, entity.id)) {
            return Ok(());
        }
        self.gone.push(entity);
        let (plans, id) = (self.plans, entity.id);
        let name = &plans.resources[entity.resource].name;
        for (resource, other) in plans.resources.iter().enumerate() {
            for column in &other.table.columns {
                match column.references.as_ref().filter(|foreign| foreign.resource == *name) {
                    Some(foreign) if foreign.on_delete == OnDelete::Null => {
                        self.set_null(resource, &column.name, id)?;
                    }
                    Some(foreign) if foreign.on_delete == OnDelete::Cascade => {
                        for dependent in self.dependents(resource, &format!("\"{}\" = ?1", column.name), id)? {
                            self.detach(dependent)?;
                        }
                    }
                    _ => {}
                }
            }
            for link in &other.table.links {
                if link.references.resource == *name && link.references.on_delete != OnDelete::Restrict {
                    self.unlink(resource, link, id)?;
                }
            }
        }
        Ok(())
    }

    fn set_null(&mut self, resource: usize, column: &str, id: Uuid) -> rusqlite::Result<()> {
        let sql = format!(
            "UPDATE \"{}\" SET \"{column}\" = NULL, \"updated_at\" = max(\"updated_at\", ?2) WHERE \"{column}\" = ?1 \
             RETURNING \"id\"",
            self.plans.resources[resource].table.name
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params![id.as_bytes().as_slice(), self.now])?;
        while let Some(row) = rows.next()? {
            self.touched.push((resource, Uuid::from_bytes(row.get(0)?)));
        }
        Ok(())
    }

    /// Arrays that hold a reference to the entity lose it, or their entities go with it.
    fn unlink(&mut self, resource: usize, link: &Link, id: Uuid) -> rusqlite::Result<()> {
        let other = &self.plans.resources[resource];
        let linked = format!("\"id\" IN (SELECT \"entity_id\" FROM \"{}\" WHERE \"target_id\" = ?1)", link.table);
        for dependent in self.dependents(resource, &linked, id)? {
            let key = dependent.id.as_bytes().as_slice();
            if link.references.on_delete == OnDelete::Cascade {
                self.detach(dependent)?;
                self.connection.prepare_cached(&other.statements.delete)?.execute([key])?;
            } else {
                self.take_out(other, link, dependent.id, id)?;
                let sql = format!("DELETE FROM \"{}\" WHERE \"entity_id\" = ?1 AND \"target_id\" = ?2", link.table);
                self.connection.prepare_cached(&sql)?.execute([key, id.as_bytes().as_slice()])?;
                self.touched.push((resource, dependent.id));
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

    /// The entities of a resource that meet a condition on an id.
    fn dependents(&self, resource: usize, condition: &str, id: Uuid) -> rusqlite::Result<Vec<Dependent>> {
        let plan = &self.plans.resources[resource];
        let column = |column: usize| format!("\"{}\"", plan.table.columns[column].name);
        let owner = plan.owner.as_ref().map_or_else(|| "NULL".to_owned(), |owner| column(owner.column));
        let sql = format!("SELECT \"id\", {owner} FROM \"{}\" WHERE {condition}", plan.table.name);
        let mut statement = self.connection.prepare_cached(&sql)?;
        let rows = statement.query_map([id.as_bytes().as_slice()], |row| {
            let owner = row.get::<_, Option<[u8; 16]>>(1)?.map(Uuid::from_bytes);
            Ok(Dependent { resource, id: Uuid::from_bytes(row.get(0)?), owner })
        })?;
        rows.collect()
    }

    /// Writes the events once all is done: an update for each that lives on without a reference, as it is now, and a
    /// deletion for each that went, what referred before what was referred to.
    fn announce(&self, trace: &Trace) -> Result<(), Refusal> {
        let mut told = HashSet::new();
        for &(resource, id) in self.touched.iter().filter(|entity| !self.seen.contains(entity)) {
            if told.insert((resource, id))
                && let Some(entity) = read::entity(self.connection, self.plans, At::itself(resource), id)?
            {
                let of = Dependent { resource, id, owner: entity.owner };
                self.record(trace, EventKind::Updated, of, &entity.body)?;
            }
        }
        for &entity in self.gone.iter().rev() {
            let data = format!("{{\"id\":\"{}\"}}", entity.id);
            self.record(trace, EventKind::Deleted, entity, data.as_bytes())?;
        }
        Ok(())
    }

    fn record(&self, trace: &Trace, kind: EventKind<'_>, of: Dependent, data: &[u8]) -> rusqlite::Result<()> {
        let Dependent { resource, id, owner } = of;
        let event = NewEvent { resource, kind, entity: id, owner, time: self.now, data, trace };
        outbox::record(self.connection, self.plans, &event)
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
