//! The parts of a reduced condition that an index can serve, as filters on columns. What is no filter stays a
//! predicate.

use super::cell::Cell;
use super::conditions::{ConditionTables, bound};
use super::query::{Excluded, Filter, Test};
use super::{ColumnIndex, ResourceIndex};
use restwell_model::Value;
use restwell_model::condition::sql::{Linked, ReferenceIds, Sql, ids_against, ids_through};
use restwell_model::condition::{FieldBase, FieldPath, Node, Operator, StaticType, Typed};
use restwell_model::names::COMMON_FIELDS;
use restwell_model::tables::{Dialect, ID, Table};

/// A condition as a filter on an indexed column of a resource; `None` if it is none. `others`: the resources that the
/// condition reads besides.
pub(super) fn filter(
    typed: &Typed,
    tables: &ConditionTables,
    resource: &str,
    others: &[ResourceIndex],
) -> Option<Filter> {
    compared(typed, tables, resource, others)
        .or_else(|| linked(typed, tables, resource, others))
        .or_else(|| joined(typed, tables, resource, others))
}

/// The filter of an `any` that names the entity by a reference: `caller.any(Membership.user, property ==
/// outer.property)`.
fn linked(typed: &Typed, tables: &ConditionTables, resource: &str, others: &[ResourceIndex]) -> Option<Filter> {
    let table = tables.tables.get(resource)?;
    let linked = Linked::of(typed, table, |name| tables.tables.get(name))?;
    let column = Some(linked.column).filter(|column| *column == ID || table.index(*column).is_some())?;
    let ids = linked.ids(tables.target(resource))?;
    Some(Filter { column: column.into(), test: among(ids, others) })
}

/// A test of ids that a query gives.
fn among(ids: Sql, others: &[ResourceIndex]) -> Test {
    let values = ids.values.into_iter().map(bound).collect();
    Test::Among { ids: ids.text, values, of: Some(others.to_vec()), excluded: None }
}

/// The filter of `==` and `in` with values.
fn compared(typed: &Typed, tables: &ConditionTables, resource: &str, others: &[ResourceIndex]) -> Option<Filter> {
    let table = tables.tables.get(resource)?;
    match &typed.node {
        Node::Compare(Operator::Equal, one, other, _) => {
            let (compared, value) = match (value_of(one), value_of(other)) {
                (None, Some(value)) => (one, value),
                (Some(value), None) => (other, value),
                _ => return None,
            };
            match &compared.node {
                Node::Field(FieldBase::This, path) => {
                    let column = indexed(table, path).filter(|_| has_one_form(&compared.ty))?;
                    Some(Filter { column, test: Test::equal(value) })
                }
                Node::Follow(..) => {
                    let (column, ids) = followed(compared, tables, table)?;
                    let of = Some(others.to_vec());
                    Some(Filter { column, test: Test::Among { ids, values: vec![value], of, excluded: None } })
                }
                _ => None,
            }
        }
        Node::In(one, list, _) => {
            let Node::Field(FieldBase::This, path) = &one.node else { return None };
            let values = match &list.node {
                Node::List(items) => items.iter().map(value_of).collect::<Option<Vec<_>>>()?,
                Node::Constant(Value::List(items)) => items.iter().map(cell_of).collect::<Option<Vec<_>>>()?,
                _ => return None,
            };
            let column = indexed(table, path).filter(|_| has_one_form(&one.ty) && !values.is_empty())?;
            Some(Filter { column, test: Test::OneOf { values, or_null: false } })
        }
        _ => None,
    }
}

/// The entities whose references lead to ones with a value: the column of the first reference, and the query of the ids
/// that it may have, which binds the value.
///
/// On SQLite it is for values that few entities have, other references: of a value that many have, such as a state, the
/// query would read all of them for each page. The entity that each row refers to is read then. PostgreSQL chooses
/// between the two, and may join.
fn followed(typed: &Typed, tables: &ConditionTables, table: &Table) -> Option<(ColumnIndex, String)> {
    let is_planned = tables.dialect == Dialect::Postgres;
    if !has_one_form(&typed.ty) || !is_planned && !matches!(typed.ty, StaticType::Reference(_)) {
        return None;
    }
    let (mut typed, mut test, mut ids) = (typed, "= ?".to_owned(), String::new());
    loop {
        match &typed.node {
            Node::Follow(reference, of, path) => {
                let other = tables.tables.get(of)?;
                let column = if is_planned { column(other, path) } else { indexed(other, path) }?;
                let name = &other.columns[column.position()].name;
                ids = format!("SELECT f.\"id\" FROM \"{}\" f WHERE f.\"{name}\" {test}", other.name);
                test = format!("IN ({ids})");
                typed = reference;
            }
            Node::Field(FieldBase::This, path) => return Some((indexed(table, path)?, ids)),
            _ => return None,
        }
    }
}

/// The filter of another condition on what a reference refers to, which PostgreSQL may join: it knows how many rows
/// each side has. SQLite would read all that meet it.
fn joined(typed: &Typed, tables: &ConditionTables, resource: &str, others: &[ResourceIndex]) -> Option<Filter> {
    let table = tables.tables.get(resource).filter(|_| tables.dialect == Dialect::Postgres)?;
    refers_to(ids_through(typed, tables.target(resource))?, table, others)
}

/// What a condition on a required reference excludes, if an index finds it. One that compares references excludes
/// nearly all.
pub(super) fn excluded(
    typed: &Typed,
    tables: &ConditionTables,
    resource: &str,
    others: &[ResourceIndex],
) -> Option<Excluded> {
    if matches!(&typed.node, Node::Compare(Operator::Equal, one, ..) if matches!(one.ty, StaticType::Reference(_))) {
        return None;
    }
    let table = tables.tables.get(resource)?;
    let against = ids_against(typed, tables.target(resource))?;
    let referenced = tables.tables.get(against.resource)?.name.clone();
    let filter = refers_to(against, table, others)?;
    let reference = &table.columns[filter.column];
    let is_required = reference.references.is_some() && !reference.nullable;
    is_required.then_some(Excluded { filter, referenced })
}

/// The filter of the entities that refer to one of some ids, if the reference has an index.
fn refers_to(ids: ReferenceIds<'_>, table: &Table, others: &[ResourceIndex]) -> Option<Filter> {
    Some(Filter { column: indexed(table, ids.reference)?, test: among(ids.ids, others) })
}

/// The column of a reference that is all that a condition reads of the entity, if there is one.
pub(super) fn only_column(typed: &Typed, tables: &ConditionTables, resource: &str) -> Option<ColumnIndex> {
    let mut paths = Vec::new();
    let table = tables.tables.get(resource).filter(|_| read_paths(typed, &mut paths))?;
    let (first, rest) = paths.split_first()?;
    let found = column(table, first)?;
    let is_reference = table.columns[found].references.is_some();
    (is_reference && rest.iter().all(|path| path.names == first.names)).then_some(found)
}

/// Adds the paths of the fields of the entity that a condition reads; false if it reads the entity by `any` or `count`.
fn read_paths<'a>(typed: &'a Typed, paths: &mut Vec<&'a FieldPath>) -> bool {
    match &typed.node {
        Node::Referring { .. } => return false,
        Node::Field(FieldBase::This, path) => paths.push(path),
        _ => {}
    }
    typed.children().into_iter().all(|child| read_paths(child, paths))
}

/// The column of a field, if an index finds its values.
fn indexed(table: &Table, path: &FieldPath) -> Option<ColumnIndex> {
    column(table, path).filter(|column| column.position() == ID || table.index(column.position()).is_some())
}

/// The column of a field. Fields of objects are left out: their columns may have values where the object is absent.
fn column(table: &Table, path: &FieldPath) -> Option<ColumnIndex> {
    let [name] = path.names.as_slice() else { return None };
    let column = match path.indexes.is_empty() {
        true => COMMON_FIELDS.iter().position(|known| known == name)?,
        false => table.slots.iter().find(|slot| slot.name == *name)?.columns.start,
    };
    Some(column.into())
}

/// Whether equal values of a type are stored in one form, whatever type they are compared with.
fn has_one_form(ty: &StaticType) -> bool {
    use StaticType::{Date, Enum, Integer, Reference, Text, Timestamp, Uuid};
    matches!(ty, Text | Enum(_) | Uuid | Reference(_) | Integer | Timestamp | Date)
}

fn value_of(typed: &Typed) -> Option<Cell> {
    typed.value().filter(|_| has_one_form(&typed.ty)).and_then(cell_of)
}

/// A value that is not null.
fn cell_of(value: &Value) -> Option<Cell> {
    match bound(value.clone()) {
        Cell::Null => None,
        cell => Some(cell),
    }
}
