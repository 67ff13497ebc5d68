//! A condition that reads the entity only through one reference, as a condition on what it refers to: an entity
//! meets it if its reference is among the ids that a query gives. A planner that knows the statistics of both tables
//! then chooses where to begin, which it cannot with a subquery for each row. The ids with which an entity does not
//! meet it are a query, too: where it excludes little, what it leaves is counted as all but these.

use super::place::{Wanted, column};
use super::{Exactness, Sql, SqlTarget, SqlWriter};
use crate::condition::evaluate::{Facts, Subject, reduce};
use crate::condition::typed::{FieldBase, FieldPath, Node, Typed};
use crate::tables::Table;
use crate::value::Value;

/// The row of what a reference refers to.
pub(super) struct Joined<'a> {
    reference: &'a FieldPath,
    table: &'a Table,
    alias: String,
}

/// A condition on what a reference refers to.
#[derive(Debug)]
pub struct ReferenceIds<'a> {
    /// The reference.
    pub reference: &'a FieldPath,
    /// What it refers to.
    pub resource: &'a str,
    /// The query of the ids that it may have.
    pub ids: Sql,
}

/// The condition by the ids with which an entity meets it. `None` if it reads something else of the entity, nothing of
/// what is referred to, or may hold for an entity without the reference.
#[must_use]
pub fn ids_through<'a>(typed: &'a Typed, target: SqlTarget<'a>) -> Option<ReferenceIds<'a>> {
    through(typed, target, "")
}

/// The same by the ids with which an entity does not meet it.
#[must_use]
pub fn ids_against<'a>(typed: &'a Typed, target: SqlTarget<'a>) -> Option<ReferenceIds<'a>> {
    through(typed, target, " IS NOT TRUE")
}

fn through<'a>(typed: &'a Typed, target: SqlTarget<'a>, test: &str) -> Option<ReferenceIds<'a>> {
    let mut read = ReadThrough::default();
    let (reference, resource) = if read.add(typed) { (read.reference?, read.resource?) } else { return None };
    if !reduce(typed, &Without(reference)).is_never() {
        return None;
    }
    let table = target.tables.get(resource)?;
    let mut writer = SqlWriter::new(target)?;
    let alias = writer.alias("j");
    writer.push(&format!("SELECT {alias}.\"id\" FROM \"{}\" {alias} WHERE (", table.name));
    writer.joined = Some(Joined { reference, table, alias });
    writer.predicate(typed, Exactness::NullIsFalse)?;
    writer.push(&format!("){test}"));
    Some(ReferenceIds { reference, resource, ids: writer.sql })
}

/// What a condition reads of the entity.
#[derive(Default)]
struct ReadThrough<'a> {
    reference: Option<&'a FieldPath>,
    /// What it refers to, if something of that is read.
    resource: Option<&'a str>,
}

impl<'a> ReadThrough<'a> {
    /// Adds what a part reads; false if that is not one reference alone.
    fn add(&mut self, typed: &'a Typed) -> bool {
        match &typed.node {
            Node::Referring { .. } => return false,
            Node::Field(FieldBase::This, path) if *self.reference.get_or_insert(path) != path => return false,
            Node::Follow(reference, resource, _) if matches!(reference.node, Node::Field(FieldBase::This, _)) => {
                self.resource = Some(resource);
            }
            _ => {}
        }
        typed.children().into_iter().all(|child| self.add(child))
    }
}

/// Facts about an entity without a reference.
struct Without<'a>(&'a FieldPath);

impl Facts for Without<'_> {
    fn field(&self, of: Subject<'_>, path: &FieldPath) -> Option<Value> {
        (of == Subject::This && path == self.0).then_some(Value::Null)
    }
}

impl SqlWriter<'_> {
    /// The column of a field in the row that is there already.
    pub(super) fn of_joined(&self, typed: &Typed, wanted: Wanted) -> Option<String> {
        let Joined { reference, table, alias } = self.joined.as_ref()?;
        let is_reference =
            |typed: &Typed| matches!(&typed.node, Node::Field(FieldBase::This, path) if path == *reference);
        match &typed.node {
            Node::Follow(one, _, path) if is_reference(one) => column(table, alias, path, wanted),
            _ if is_reference(typed) => Some(format!("{alias}.\"id\"")),
            _ => None,
        }
    }
}
