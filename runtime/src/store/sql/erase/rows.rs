//! The entities of a person: which are deleted, what forbids it, and their deletion.

use super::PAGE;
use super::person::Person;
use crate::plan::cell::{Cell, CellRef};
use crate::plan::{IndexedBy, Plans, ResourceIndex, ResourcePlan};
use crate::store::erasure::Erasure;
use crate::store::sql::delete::{Dependent, Detach};
use crate::store::sql::{Session, SqlFailure, locked_row};
use restwell_model::OnDelete;
use restwell_model::tables::Column;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use uuid::Uuid;

/// Entities that a hindrance names.
const SHOWN: usize = 3;

/// Finds the entities that are deleted with a user, and clears references with `onDelete: null` to them.
pub(super) async fn gather<S: Session>(detach: &mut Detach<'_, S>, id: Uuid) -> Result<Person, SqlFailure> {
    let plans = detach.plans;
    let users = plans.service.users.as_deref().and_then(|users| plans.resource(users));
    let Some((resource, plan)) = users else { return Ok(Person::of(plans, id, None)) };
    let row = locked_row(detach.session, &plan.statements.row.one, &[CellRef::Uuid(id)]).await?;
    let mut person = Person::of(plans, id, row.as_deref().map(|row| (plan, row)));
    if row.is_some() {
        detach.gather(Dependent { resource, id, owner: None }).await?;
        detach.gone.iter().for_each(|gone| person.has(gone.id));
    }
    Ok(person)
}

/// A reference that restricts deletions.
struct Restriction<'a> {
    referrer: &'a ResourcePlan,
    resource: ResourceIndex,
    path: String,
    /// Who refers to an id, after an id.
    sql: String,
}

/// Those to each resource.
fn restrictions(plans: &Plans) -> BTreeMap<&str, Vec<Restriction<'_>>> {
    let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (resource, referrer) in plans.resources.indexed() {
        let sql = |table: &str, id: &str, to: &str| {
            format!("SELECT \"{id}\" FROM \"{table}\" WHERE \"{to}\" = ?1 AND \"{id}\" > ?2 ORDER BY \"{id}\" LIMIT ?3")
        };
        let table = &referrer.table;
        let columns = table.columns.iter().filter_map(|column| {
            let foreign = column.references.as_ref()?;
            let path = foreign.path.strip_suffix(".id").unwrap_or(&foreign.path).to_owned();
            Some((foreign, path, sql(&table.name, "id", &column.name)))
        });
        let links = table
            .links
            .iter()
            .map(|link| (&link.references, link.path.join("."), sql(&link.table, "entity_id", "target_id")));
        let restricting = columns.chain(links).filter(|(foreign, ..)| foreign.on_delete == OnDelete::Restrict);
        for (foreign, path, sql) in restricting {
            let restriction = Restriction { referrer, resource, path, sql };
            found.entry(foreign.resource.as_str()).or_default().push(restriction);
        }
    }
    found
}

/// The entities that are kept, and whose references forbid a deletion.
pub(super) async fn hindrances<S: Session>(detach: &Detach<'_, S>) -> Result<Vec<String>, SqlFailure> {
    let restrictions = restrictions(detach.plans);
    let mut found: BTreeMap<String, (u64, BTreeSet<Uuid>)> = BTreeMap::new();
    for gone in &detach.gone {
        let name = detach.plans.resources[gone.resource].name.as_str();
        for restriction in restrictions.get(name).into_iter().flatten() {
            let mut after = Uuid::nil();
            loop {
                let values = [CellRef::Uuid(gone.id), CellRef::Uuid(after), CellRef::Int(PAGE)];
                let rows = detach.session.rows(&restriction.sql, &values).await?;
                let ids: Vec<_> = rows.iter().filter_map(|row| row.first().and_then(Cell::uuid)).collect();
                for id in ids.iter().filter(|id| !detach.seen.contains(&(restriction.resource, **id))) {
                    let reference = format!("{}.{}", restriction.referrer.name, restriction.path);
                    let (count, shown) = found.entry(reference).or_default();
                    *count += 1;
                    if shown.len() < SHOWN {
                        shown.insert(*id);
                    }
                }
                match ids.last() {
                    Some(last) => after = *last,
                    None => break,
                }
            }
        }
    }
    let hindrance = |(reference, (count, shown)): (String, (u64, BTreeSet<Uuid>))| {
        let shown: Vec<_> = shown.iter().map(ToString::to_string).collect();
        let more = if count > shown.len() as u64 { ", …" } else { "" };
        format!("`{reference}` of {count} that stay refers to what is theirs ({}{more})", shown.join(", "))
    };
    Ok(found.into_iter().map(hindrance).collect())
}

/// Deletes these entities, and counts them.
pub(super) async fn delete<S: Session>(detach: &Detach<'_, S>, erasure: &mut Erasure) -> Result<(), SqlFailure> {
    let mut gone: BTreeMap<ResourceIndex, Vec<Uuid>> = BTreeMap::new();
    detach.gone.iter().for_each(|entity| gone.entry(entity.resource).or_default().push(entity.id));
    for (resource, ids) in &gone {
        loosen(detach.session, &detach.plans.resources[*resource], ids).await?;
    }
    for resource in referrers_first(detach.plans) {
        let plan = &detach.plans.resources[resource];
        let ids = gone.get(&resource).map(Vec::as_slice).unwrap_or_default();
        for id in ids {
            detach.session.execute(&plan.statements.delete, &[CellRef::Uuid(*id)]).await?;
        }
        erasure.deleted(&plan.table.name, ids.len() as u64);
    }
    let stay: HashSet<_> = detach.touched.iter().filter(|entity| !detach.seen.contains(entity)).collect();
    for (resource, _) in stay {
        erasure.cleared(&detach.plans.resources[*resource].table.name, 1);
    }
    Ok(())
}

/// Clears the optional references of rows that are deleted: then the order in which these can be deleted is known.
async fn loosen(session: &impl Session, plan: &ResourcePlan, ids: &[Uuid]) -> Result<(), SqlFailure> {
    let table = &plan.table;
    let optional: Vec<_> =
        table.columns.iter().filter(|column| column.references.is_some() && column.nullable).collect();
    let nulls: Vec<_> = optional.iter().map(|column| format!("\"{}\" = NULL", column.name)).collect();
    let mut statements: Vec<_> =
        table.links.iter().map(|link| format!("DELETE FROM \"{}\" WHERE \"entity_id\" = ?1", link.table)).collect();
    if !nulls.is_empty() {
        statements.push(format!("UPDATE \"{}\" SET {} WHERE \"id\" = ?1", table.name, nulls.join(", ")));
    }
    for id in ids {
        for sql in &statements {
            session.execute(sql, &[CellRef::Uuid(*id)]).await?;
        }
    }
    Ok(())
}

/// The resources, each before those that it must refer to. `check` refuses required references in a ring.
fn referrers_first(plans: &Plans) -> Vec<ResourceIndex> {
    let mut rest: Vec<_> = plans.resources.indexed().map(|(resource, _)| resource).collect();
    let mut order = Vec::with_capacity(rest.len());
    while !rest.is_empty() {
        let must = |from: ResourceIndex, to: ResourceIndex| {
            let name = &plans.resources[to].name;
            let refers = |column: &Column| column.references.as_ref().is_some_and(|foreign| foreign.resource == *name);
            from != to && plans.resources[from].table.columns.iter().any(|column| !column.nullable && refers(column))
        };
        let free = rest.iter().position(|to| !rest.iter().any(|from| must(*from, *to)));
        order.push(rest.remove(free.unwrap_or_default()));
    }
    order
}
