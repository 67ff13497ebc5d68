//! Deleting, and what it does to those that refer to the entity (`onDelete`).
//!
//! The database's foreign keys would do most of it, but a row that loses a reference has been updated, which shows,
//! and a reference inside an array is taken out of the JSON. So what refers is brought in order first, down the
//! cascade; the DELETE itself then cascades, or is refused.

use super::visible::require_seen;
use super::write::{meets_preconditions, permits};
use super::{Session, SqlFailure, greater, locked_row, locking, outbox, row};
use crate::observe::trace::Trace;
use crate::plan::cell::{Cell, CellRef};
use crate::plan::viewer::Viewer;
use crate::plan::{ColumnIndex, IndexedBy, Plans, ResourceIndex, exact_json};
use crate::store::{Change, Entity, NewEvent, Refusal, RepresentationId, StoreError};
use restwell_model::OnDelete;
use restwell_model::events::EventKind;
use restwell_model::tables::{Foreign, Link};
use serde_json::Value as Json;
use std::collections::{BTreeSet, HashSet};
use uuid::Uuid;

/// Entities that a deletion deletes, or takes a reference from, at most. Each is an event, too, and all of them wait
/// for one transaction.
const MAX_CASCADE: usize = 1000;
/// The same for the erasure of a person, for which no request waits.
pub(super) const MAX_ERASED: usize = 250_000;

/// Deletes an entity.
pub(super) async fn delete<S: Session>(session: &S, plans: &Plans, change: &Change) -> Result<Entity, Refusal> {
    let owner = find_for_delete(session, plans, change).await?;
    if !meets_preconditions(session, plans, change).await? {
        return Err(Refusal::Changed);
    }
    let entity = Dependent { resource: change.at.resource, id: change.id, owner };
    let mut detach = Detach::new(session, plans, change.now);
    match detach.delete(entity).await {
        Ok(()) if change.is_dry_run => {}
        Ok(()) => detach.announce(&change.trace).await?,
        Err(SqlFailure::Constraint(_)) => return Err(Refusal::StillReferenced(detach.obstacles().await?)),
        Err(failure) => return Err(failure.into()),
    }
    Ok(Entity { id: change.id, owner: None, body: Vec::new() })
}

/// The owner of the entity, if there is one that the caller may delete.
pub(super) async fn find_for_delete(
    session: &impl Session,
    plans: &Plans,
    change: &Change,
) -> Result<Option<Uuid>, Refusal> {
    let plan = &plans.resources[change.at.resource];
    let row = locked_row(session, &plan.statements.row.one, &[CellRef::Uuid(change.id)]).await?;
    let row = row.ok_or(Refusal::NotFound)?;
    require_seen(session, plans, change).await?;
    let owner = plan.owner_of(&row);
    if permits(session, plan, change, &row).await? { Ok(owner) } else { Err(Refusal::Forbidden) }
}

/// An entity that goes.
#[derive(Clone, Copy)]
pub(super) struct Dependent {
    pub(super) resource: ResourceIndex,
    pub(super) id: Uuid,
    pub(super) owner: Option<Uuid>,
}

/// What is done to those that refer to an entity before it goes.
pub(super) struct Detach<'a, S> {
    pub(super) session: &'a S,
    pub(super) plans: &'a Plans,
    now: i64,
    /// The person whose entities go with them, even where the reference to the owner restricts it.
    person: Option<Uuid>,
    pub(super) seen: HashSet<(ResourceIndex, Uuid)>,
    /// Who goes: the one that is asked for first, each before those that go with it.
    pub(super) gone: Vec<Dependent>,
    /// Who loses a reference, by resource; some of them may go as well.
    pub(super) touched: Vec<(ResourceIndex, Uuid)>,
}

impl<'a, S: Session> Detach<'a, S> {
    /// Of an entity that is deleted.
    fn new(session: &'a S, plans: &'a Plans, now: i64) -> Self {
        let (seen, gone, touched) = (HashSet::new(), Vec::new(), Vec::new());
        Self { session, plans, now, person: None, seen, gone, touched }
    }

    /// Of a person who is erased.
    pub(super) fn of_person(session: &'a S, plans: &'a Plans, now: i64, person: Uuid) -> Self {
        Self { person: Some(person), ..Self::new(session, plans, now) }
    }

    /// Brings in order what refers to an entity and to all that go with it, and deletes them.
    async fn delete(&mut self, entity: Dependent) -> Result<(), SqlFailure> {
        let linked = self.gather(entity).await?;
        // what refers to an entity was found after it
        for gone in linked.iter().rev().chain([&entity]) {
            let sql = &self.plans.resources[gone.resource].statements.delete;
            self.session.execute(sql, &[CellRef::Uuid(gone.id)]).await?;
        }
        Ok(())
    }

    /// Finds all that go with an entity, down the cascade, and brings in order what refers to them. Answers those that
    /// go since an array of theirs refers: no foreign key of the database's takes them along.
    pub(super) async fn gather(&mut self, entity: Dependent) -> Result<Vec<Dependent>, SqlFailure> {
        let mut linked = Vec::new();
        let mut rest = vec![entity];
        while let Some(entity) = rest.pop() {
            if !self.seen.insert((entity.resource, entity.id)) {
                continue;
            }
            self.gone.push(entity);
            self.left()?;
            let mut found = self.detach(entity, &mut linked).await?;
            // the first that was found is the next
            found.reverse();
            rest.append(&mut found);
        }
        Ok(linked)
    }

    /// Brings in order what refers to an entity that is about to go; who goes with it.
    async fn detach(&mut self, entity: Dependent, linked: &mut Vec<Dependent>) -> Result<Vec<Dependent>, SqlFailure> {
        let (plans, id) = (self.plans, entity.id);
        let name = &plans.resources[entity.resource].name;
        let mut found = Vec::new();
        for (resource, other) in plans.resources.indexed() {
            for (index, column) in other.table.columns.indexed() {
                let Some(foreign) = column.references.as_ref().filter(|foreign| foreign.resource == *name) else {
                    continue;
                };
                let is_owner = other.owner.as_ref().is_some_and(|owner| owner.column == index);
                match foreign.on_delete {
                    OnDelete::Null => self.set_null(resource, &column.name, id).await?,
                    OnDelete::Restrict if self.person != Some(id) || !is_owner => {}
                    OnDelete::Cascade | OnDelete::Restrict => {
                        found.extend(self.dependents(resource, &format!("\"{}\" = ?1", column.name), id).await?);
                    }
                }
            }
            for link in other.table.links.iter().filter(|link| link.references.resource == *name) {
                match link.references.on_delete {
                    OnDelete::Restrict => {}
                    OnDelete::Null => self.unlink(resource, link, id).await?,
                    OnDelete::Cascade => {
                        let dependents = self.linked(resource, link, id).await?;
                        linked.extend(&dependents);
                        found.extend(dependents);
                    }
                }
            }
        }
        Ok(found)
    }

    async fn set_null(&mut self, resource: ResourceIndex, column: &str, id: Uuid) -> Result<(), SqlFailure> {
        let table = &self.plans.resources[resource].table.name;
        // they are counted before they are changed, as far as it matters
        let sql = format!("SELECT count(*) FROM (SELECT 1 FROM \"{table}\" WHERE \"{column}\" = ?1 LIMIT ?2) t");
        let most = i64::try_from(self.left()? + 1).unwrap_or(i64::MAX);
        let counted = row(self.session, &sql, &[CellRef::Uuid(id), CellRef::Int(most)]).await?;
        match counted.as_deref().and_then(<[Cell]>::first) {
            Some(Cell::Int(0)) => return Ok(()),
            Some(Cell::Int(count)) if *count >= most => return Err(self.too_many()),
            _ => {}
        }
        let sql = format!(
            "UPDATE \"{table}\" SET \"{column}\" = NULL, \"updated_at\" = {}(\"updated_at\", ?2) \
             WHERE \"{column}\" = ?1 RETURNING \"id\"",
            greater(S::DIALECT),
        );
        let rows = self.session.rows(&sql, &[CellRef::Uuid(id), CellRef::Int(self.now)]).await?;
        self.touched.extend(rows.iter().filter_map(|row| Some((resource, row.first()?.uuid()?))));
        Ok(())
    }

    /// How many more entities the deletion may delete or change.
    fn left(&self) -> Result<usize, SqlFailure> {
        // the entity itself does not count
        let done = self.gone.len() + self.touched.len();
        (self.most() + 1).checked_sub(done).ok_or_else(|| self.too_many())
    }

    fn most(&self) -> usize {
        if self.person.is_some() { MAX_ERASED } else { MAX_CASCADE }
    }

    /// More would be deleted or changed than may be.
    fn too_many(&self) -> SqlFailure {
        let most = self.most();
        let narrow = format!("delete or change what refers to it first: more than {most} entities do");
        SqlFailure::Store(StoreError::TooCostly(narrow))
    }

    /// Arrays that hold a reference to the entity lose it.
    async fn unlink(&mut self, resource: ResourceIndex, link: &Link, id: Uuid) -> Result<(), SqlFailure> {
        for dependent in self.linked(resource, link, id).await? {
            self.take_out(resource, link, dependent.id, id).await?;
            let sql = format!("DELETE FROM \"{}\" WHERE \"entity_id\" = ?1 AND \"target_id\" = ?2", link.table);
            self.session.execute(&sql, &[CellRef::Uuid(dependent.id), CellRef::Uuid(id)]).await?;
            self.touched.push((resource, dependent.id));
        }
        Ok(())
    }

    async fn take_out(&self, resource: ResourceIndex, link: &Link, entity: Uuid, id: Uuid) -> Result<(), SqlFailure> {
        let other = &self.plans.resources[resource];
        let Some((column, rest)) = other.array_of(&link.path) else { return Ok(()) };
        let (table, column) = (&other.table.name, &other.table.columns[column].name);
        let sql = format!("SELECT \"{column}\" FROM \"{table}\" WHERE \"id\" = ?1");
        let stored = row(self.session, &sql, &[CellRef::Uuid(entity)]).await?;
        let Some(Cell::Text(text)) = stored.and_then(|row| row.into_iter().next()) else { return Ok(()) };
        let Ok(mut json) = exact_json::parse(&text) else { return Ok(()) };
        remove(&mut json, rest, &id.to_string());
        let sql = format!(
            "UPDATE \"{table}\" SET \"{column}\" = ?2, \"updated_at\" = {}(\"updated_at\", ?3) WHERE \"id\" = ?1",
            greater(S::DIALECT),
        );
        let json = exact_json::text(&json);
        let values = [CellRef::Uuid(entity), CellRef::Text(json.as_bytes()), CellRef::Int(self.now)];
        self.session.execute(&sql, &values).await.map(|_| ())
    }

    /// The entities of a resource whose arrays hold a reference to an id.
    async fn linked(&self, resource: ResourceIndex, link: &Link, id: Uuid) -> Result<Vec<Dependent>, SqlFailure> {
        let linked = linked_by(link);
        let found = self.dependents(resource, &linked, id).await?;
        if found.is_empty() || !self.session.locks() {
            return Ok(found);
        }
        // one that was waited for may have lost its reference meanwhile; now they are locked, and stay as they are
        self.dependents(resource, &linked, id).await
    }

    /// The entities of a resource that meet a condition on an id.
    async fn dependents(
        &self,
        resource: ResourceIndex,
        condition: &str,
        id: Uuid,
    ) -> Result<Vec<Dependent>, SqlFailure> {
        let plan = &self.plans.resources[resource];
        let column = |column: ColumnIndex| format!("\"{}\"", plan.table.columns[column].name);
        let owner = plan.owner.as_ref().map_or_else(|| "NULL".to_owned(), |owner| column(owner.column));
        let sql = format!("SELECT \"id\", {owner} FROM \"{}\" WHERE {condition} LIMIT ?2", plan.table.name);
        let most = self.left()? + 1;
        let values = [CellRef::Uuid(id), CellRef::Int(i64::try_from(most).unwrap_or(i64::MAX))];
        let rows = self.session.rows(&locking(self.session, &sql), &values).await?;
        let dependent = |row: &Vec<Cell>| {
            let owner = row.get(1).and_then(Cell::uuid);
            Some(Dependent { resource, id: row.first()?.uuid()?, owner })
        };
        if rows.len() == most {
            return Err(self.too_many());
        }
        Ok(rows.iter().filter_map(dependent).collect())
    }

    /// The resources whose entities forbid the deletion (`restrict`). Those that were to be deleted themselves forbid
    /// nothing.
    async fn obstacles(&self) -> Result<Vec<ResourceIndex>, SqlFailure> {
        let mut found = BTreeSet::new();
        for gone in &self.gone {
            let name = &self.plans.resources[gone.resource].name;
            for (resource, other) in self.plans.resources.indexed() {
                if found.contains(&resource) {
                    continue;
                }
                let refers = |foreign: &Foreign| foreign.resource == *name && foreign.on_delete == OnDelete::Restrict;
                let columns =
                    other.table.columns.iter().filter(|column| column.references.as_ref().is_some_and(refers));
                let columns = columns.map(|column| format!("\"{}\" = ?1", column.name));
                let links = other.table.links.iter().filter(|link| refers(&link.references)).map(linked_by);
                for condition in columns.chain(links) {
                    if self.has_others(resource, &condition, gone.id).await? {
                        found.insert(resource);
                        break;
                    }
                }
            }
        }
        Ok(found.into_iter().collect())
    }

    /// Whether a condition on an id is met by an entity that was not to be deleted.
    async fn has_others(&self, resource: ResourceIndex, condition: &str, id: Uuid) -> Result<bool, SqlFailure> {
        let table = &self.plans.resources[resource].table.name;
        let most = self.gone.iter().filter(|gone| gone.resource == resource).count() + 1;
        let sql = format!("SELECT \"id\" FROM \"{table}\" WHERE {condition} LIMIT ?2");
        let values = [CellRef::Uuid(id), CellRef::Int(i64::try_from(most).unwrap_or(i64::MAX))];
        let rows = self.session.rows(&sql, &values).await?;
        let mut ids = rows.iter().filter_map(|row| row.first()?.uuid());
        Ok(ids.any(|id| !self.seen.contains(&(resource, id))))
    }

    /// Writes the events once all is done: an update for each that stays without a reference, in its present state, and
    /// a deletion for each that went, what referred before what was referred to.
    pub(super) async fn announce(&self, trace: &Trace) -> Result<(), SqlFailure> {
        let mut told = HashSet::new();
        for &(resource, id) in self.touched.iter().filter(|entity| !self.seen.contains(entity)) {
            if told.insert((resource, id))
                && let Some(entity) = self
                    .session
                    .entity(self.plans, RepresentationId::canonical(resource), id, &Viewer::nobody())
                    .await?
            {
                let of = Dependent { resource, id, owner: entity.owner };
                self.record(trace, EventKind::Updated, of, &entity.body).await?;
            }
        }
        for &entity in self.gone.iter().rev() {
            let data = format!("{{\"id\":\"{}\"}}", entity.id);
            self.record(trace, EventKind::Deleted, entity, data.as_bytes()).await?;
        }
        Ok(())
    }

    async fn record(&self, trace: &Trace, kind: EventKind<'_>, of: Dependent, data: &[u8]) -> Result<(), SqlFailure> {
        let Dependent { resource, id, owner } = of;
        let owner = owner.filter(|owner| Some(*owner) != self.person);
        let event = NewEvent { resource, kind, entity: id, owner, time: self.now, data, trace };
        outbox::record(self.session, self.plans, &event).await
    }
}

/// Whether an array holds a reference to an id, in SQL.
fn linked_by(link: &Link) -> String {
    format!("\"id\" IN (SELECT \"entity_id\" FROM \"{}\" WHERE \"target_id\" = ?1)", link.table)
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
