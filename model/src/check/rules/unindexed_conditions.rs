//! Conditions of lists that no index serves: such a list reads every entity to find those for which the condition
//! holds.
//!
//! A reference is followed by the key of what it refers to, so what is left to serve are comparisons of the entity's
//! own fields, and `any` and `count`: the index of the reference answers them, once for each entity. They are reported
//! in views and in access to lists, where a view `through` the other resource reads only what it shows. What `visible`
//! says by them cannot be said otherwise. What refers to the caller is read once.

use super::access_conditions::condition_place;
use crate::check::FaultCode::UnindexedCondition;
use crate::check::place::Place;
use crate::check::{Checked, Fault};
use crate::condition::sql::Linked;
use crate::condition::{Condition, FieldBase, FieldPath, Node, Operator, PricePart, Scope, Typed};
use crate::names::COMMON_FIELDS;
use crate::resource::{Access, Operation, OperationKind, Resource};
use crate::tables::{Content, ID, Table};
use std::collections::BTreeSet;

/// The lists of all resources and views. Wants columns that there are names for.
pub(super) fn service(service: &Checked, tables: &[(&Resource, Table)], faults: &mut Vec<Fault>) {
    for (resource, table) in tables {
        let list = IndexedList { service, resource, table, tables };
        let definition = Place::Definition(&resource.name);
        list.visible(&definition.key("visible"), faults);
        list.access(&resource.operations, &definition.key("operations"), faults);
        let views = definition.key("views");
        for view in &resource.views {
            let at = views.key(&view.name);
            list.access(&view.operations, &at.key("operations"), faults);
            let is_list = view.operations.iter().any(|operation| operation.kind == OperationKind::List);
            if let Some(condition) = view.filter.as_ref().filter(|_| is_list) {
                list.condition(condition, false, &at.key("where"), faults);
            }
        }
    }
}

/// The table of a list.
struct IndexedList<'a> {
    service: &'a Checked,
    resource: &'a Resource,
    table: &'a Table,
    /// Those of all resources.
    tables: &'a [(&'a Resource, Table)],
}

/// What an index would have to serve.
#[derive(Default)]
struct Unserved {
    /// Fields of the entity.
    fields: BTreeSet<String>,
    /// References to the entity, of which `any` and `count` ask.
    referring: BTreeSet<String>,
    /// Whether `any` and `count` are accepted.
    accepts_referring: bool,
}

impl IndexedList<'_> {
    fn access(&self, operations: &[Operation], at: &Place<'_>, faults: &mut Vec<Fault>) {
        for list in lists(operations) {
            self.callers(&list.access, false, &at.key("list").key("access"), faults);
        }
    }

    /// What not every caller sees, if some list is read for these callers and nothing else narrows it down.
    fn visible(&self, at: &Place<'_>, faults: &mut Vec<Fault>) {
        let visible = &self.resource.visible;
        let is_narrow =
            |access: &Access| *access == Access::Owner || access.condition().is_some() || visible.contains(access);
        let open_views = self.resource.views.iter().filter(|view| view.filter.is_none() && view.through.is_none());
        let operations = open_views.map(|view| &view.operations).chain([&self.resource.operations]);
        let mut lists = operations.flat_map(|operations| lists(operations));
        if lists.any(|list| !list.access.iter().all(is_narrow)) {
            self.callers(visible, true, at, faults);
        }
    }

    /// The conditions of a list of callers, unless everyone is among them.
    fn callers(&self, callers: &[Access], is_visible: bool, at: &Place<'_>, faults: &mut Vec<Fault>) {
        if callers.contains(&Access::Anyone) {
            return;
        }
        for (position, access) in callers.iter().enumerate() {
            if let Some(condition) = access.condition() {
                self.condition(condition, is_visible, &condition_place(access, &at.index(position)), faults);
            }
        }
    }

    fn condition(&self, condition: &Condition, is_visible: bool, at: &Place<'_>, faults: &mut Vec<Fault>) {
        let scope = Scope { service: self.service, entity: Some(self.resource), old: false };
        let Ok(typed) = condition.typed(&scope) else { return };
        let mut unserved = Unserved { accepts_referring: is_visible, ..Unserved::default() };
        if self.is_served(&typed, &mut unserved) {
            return;
        }
        let message = format!("no index serves this condition: the list reads every `{}`", self.resource.name);
        let besides = "compare a field that has `filter` or `sort` besides, with `&&`";
        let help = match (unserved.fields.first(), unserved.referring.first()) {
            (Some(field), _) => format!("add `filter: true` to `{field}`"),
            (None, Some(other)) => format!("make it a view `through: {other}`, or {besides}"),
            (None, None) => besides.to_owned(),
        };
        faults.push(at.fault(UnindexedCondition, message).help(help));
    }

    /// Whether an index narrows down the entities for which a condition holds.
    fn is_served(&self, typed: &Typed, unserved: &mut Unserved) -> bool {
        match &typed.node {
            Node::And(one, other) => {
                let (one, other) = (self.is_served(one, unserved), self.is_served(other, unserved));
                one || other
            }
            Node::Or(one, other) => {
                let (one, other) = (self.is_served(one, unserved), self.is_served(other, unserved));
                one && other
            }
            // the condition of a role decides which of them holds
            Node::Choose(condition, yes, no) if !condition.reads_entity() => {
                let (yes, no) = (self.is_served(yes, unserved), self.is_served(no, unserved));
                yes && no
            }
            Node::Compare(Operator::NotEqual, ..) | Node::Not(_) => !typed.reads_entity(),
            Node::Compare(_, one, other, _) => match (one.reads_entity(), other.reads_entity()) {
                (true, false) => self.is_indexed(one, unserved),
                (false, true) => self.is_indexed(other, unserved),
                (true, true) => false,
                (false, false) => true,
            },
            Node::In(one, list, _) if !list.reads_entity() => !one.reads_entity() || self.is_indexed(one, unserved),
            Node::Field(..) => self.is_indexed(typed, unserved),
            Node::Referring { .. } => self.is_referring_served(typed, unserved),
            Node::Follow(..) => true,
            _ => !typed.reads_entity(),
        }
    }

    /// Whether a value that is compared has an index.
    fn is_indexed(&self, typed: &Typed, unserved: &mut Unserved) -> bool {
        let (path, part) = match &typed.node {
            Node::Field(FieldBase::This, path) => (path, PricePart::Amount),
            Node::Part(part, price) => match &price.node {
                Node::Field(FieldBase::This, path) => (path, *part),
                node => return matches!(node, Node::Follow(..)),
            },
            Node::Referring { .. } => return self.is_referring_served(typed, unserved),
            node => return matches!(node, Node::Follow(..)),
        };
        let is_indexed = self.column(path, part).is_some_and(|column| self.has_index(column));
        if !is_indexed {
            unserved.fields.insert(path.dotted());
        }
        is_indexed
    }

    fn has_index(&self, column: usize) -> bool {
        let mut exact = self.table.uniques.iter().filter(|unique| !unique.ignores_case);
        let leads = exact.any(|unique| unique.columns.first() == Some(&column));
        column == ID || leads || self.table.indexes.contains(&column)
    }

    /// Whether an `any` or `count` needs no look at each entity, or is accepted as it is: it depends on no entity, or
    /// what refers to the caller tells which references an entity may have.
    fn is_referring_served(&self, typed: &Typed, unserved: &mut Unserved) -> bool {
        let Node::Referring { to, resource, field, .. } = &typed.node else { return false };
        let table = |name: &str| self.tables.iter().find(|(it, _)| it.name == name).map(|(_, table)| table);
        let linked = Linked::of(typed, self.table, table);
        if !typed.reads_entity() || linked.is_some_and(|linked| self.has_index(linked.column)) {
            return true;
        }
        if to.is_itself() {
            unserved.referring.insert(format!("{resource}.{}", field.dotted()));
        }
        unserved.accepts_referring
    }

    fn column(&self, path: &FieldPath, part: PricePart) -> Option<usize> {
        if path.indexes.is_empty() {
            return COMMON_FIELDS.iter().position(|name| path.names == [*name]);
        }
        let mut slots = &self.table.slots;
        let (last, outer) = path.names.split_last()?;
        for name in outer {
            let slot = slots.iter().find(|slot| slot.name == *name)?;
            let Content::Object { slots: inner, .. } = &slot.content else { return None };
            slots = inner;
        }
        let slot = slots.iter().find(|slot| slot.name == *last)?;
        Some(slot.columns.start + usize::from(part == PricePart::Currency))
    }
}

fn lists(operations: &[Operation]) -> impl Iterator<Item = &Operation> {
    operations.iter().filter(|operation| operation.kind == OperationKind::List)
}
