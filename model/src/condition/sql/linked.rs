//! An `any` of what does not depend on the entity, which names the entity by a reference:
//! `caller.any(Membership.user, property == outer.property)`. An entity meets it if its reference is among the ids that
//! a query gives, which reads what refers to the caller once, and not for each entity.

use super::place::{Wanted, column};
use super::{Exactness, Sql, SqlTarget, SqlWriter};
use crate::condition::expr::Operator;
use crate::condition::typed::{FieldBase, FieldPath, Node, StaticType, Typed};
use crate::tables::{ID, Table};

/// How such a condition names the entity.
#[derive(Debug)]
pub struct Linked<'t> {
    /// The column of the entity's reference.
    pub column: usize,
    to: &'t Typed,
    resource: &'t str,
    field: &'t FieldPath,
    /// The field that equals the reference.
    named: &'t FieldPath,
    /// What else has to hold for what refers.
    rest: Vec<&'t Typed>,
}

impl<'t> Linked<'t> {
    /// How a condition names the entity; `None` if it does so in another way. `table` is that of the entity, and `of`
    /// gives that of a resource.
    #[must_use]
    pub fn of(typed: &'t Typed, table: &Table, of: impl FnOnce(&str) -> Option<&'t Table>) -> Option<Self> {
        let Node::Referring { to, resource, field, condition: Some(condition), counts: false, .. } = &typed.node else {
            return None;
        };
        let conjuncts = condition.conjuncts();
        let (at, (outer, named)) = conjuncts.iter().enumerate().find_map(|(at, part)| Some((at, linking(part)?)))?;
        let rest: Vec<_> = conjuncts.iter().enumerate().filter(|(it, _)| *it != at).map(|(_, part)| *part).collect();
        if to.reads_entity() || rest.iter().any(|part| part.reads_outer()) {
            return None;
        }
        let (column, other) = (position(table, outer)?, of(resource)?);
        // null equals null, but no null is among ids
        let has_value = !table.columns.get(column)?.nullable || !other.columns.get(position(other, named)?)?.nullable;
        has_value.then_some(Self { column, to, resource, field, named, rest })
    }

    /// The query of the ids that the reference may have.
    #[must_use]
    pub fn ids(&self, target: SqlTarget<'_>) -> Option<Sql> {
        let mut writer = SqlWriter::new(target)?;
        writer.linked_ids(self)?;
        Some(writer.sql)
    }
}

impl<'a> SqlWriter<'a> {
    /// How a condition names the entity that fields belong to.
    pub(super) fn linked<'t>(&self, typed: &'t Typed) -> Option<Linked<'t>>
    where
        'a: 't,
    {
        let tables = self.target.tables;
        Linked::of(typed, self.entities.last()?.0, |resource| tables.get(resource))
    }

    /// A condition as a test of the entity's reference.
    ///
    /// PostgreSQL looks for the ids of an array in an index also beside `OR`; for those of a query it does not. Without
    /// an index, or negated, it tests each row, and only those of a query are searched by their values.
    pub(super) fn linked_test(&mut self, linked: &Linked<'_>, is_exact: bool) -> Option<()> {
        let (table, alias) = self.entities.last()?;
        let is_indexed = linked.column == ID || table.index(linked.column).is_some();
        let (before, after) = match !self.is_sqlite() && is_indexed && !is_exact {
            true => ("= ANY (ARRAY(", ")))"),
            false => ("IN (", "))"),
        };
        let column = format!("({alias}.\"{}\" {before}", table.columns[linked.column].name);
        self.push(&column);
        self.linked_ids(linked)?;
        self.push(after);
        Some(())
    }

    fn linked_ids(&mut self, linked: &Linked<'_>) -> Option<()> {
        let table = self.target.tables.get(linked.resource)?;
        let alias = self.alias("r");
        let [named, field] = [linked.named, linked.field].map(|path| column(table, &alias, path, Wanted::Value));
        self.push(&format!("SELECT {} FROM \"{}\" {alias} WHERE {} = ", named?, table.name, field?));
        self.scalar(linked.to)?;
        self.leave_out_new(table, &alias);
        self.entities.push((table, alias));
        let items = std::mem::take(&mut self.items);
        for part in &linked.rest {
            self.push(" AND ");
            self.predicate(part, Exactness::NullIsFalse)?;
        }
        self.items = items;
        self.entities.pop();
        Some(())
    }
}

/// The reference of the entity outside, and the field that has to equal it.
fn linking(typed: &Typed) -> Option<(&FieldPath, &FieldPath)> {
    let Node::Compare(Operator::Equal, one, other, _) = &typed.node else { return None };
    if !matches!((&one.ty, &other.ty), (StaticType::Reference(_), StaticType::Reference(_))) {
        return None;
    }
    match (&one.node, &other.node) {
        (Node::Field(FieldBase::Outer, outer), Node::Field(FieldBase::This, named))
        | (Node::Field(FieldBase::This, named), Node::Field(FieldBase::Outer, outer)) => Some((outer, named)),
        _ => None,
    }
}

/// The column of a reference, or of the id. Fields of objects are left out: their columns may have values where the
/// object is absent.
fn position(table: &Table, path: &FieldPath) -> Option<usize> {
    match path.names.as_slice() {
        _ if path.is_id() => Some(ID),
        [name] => Some(table.slot(name)?.columns.start),
        _ => None,
    }
}
