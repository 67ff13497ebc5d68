//! Conditions of lists that no index serves: such a list reads every entity to find those for which the condition
//! holds.
//!
//! A reference is followed by the key of what it refers to, and the other side is asked by the index of its reference;
//! so what is left to serve are comparisons of the entity's own fields.

use crate::check::FaultCode::UnindexedCondition;
use crate::check::place::Place;
use crate::check::{Checked, Fault};
use crate::condition::{Condition, FieldBase, FieldPath, Node, Operator, PricePart, Scope, Typed};
use crate::names::COMMON_FIELDS;
use crate::resource::{Access, Operation, OperationKind, Resource};
use crate::tables::{Content, ID, Table};
use std::collections::BTreeSet;

/// The lists of all resources and views. Wants columns that there are names for.
pub(super) fn service(service: &Checked, faults: &mut Vec<Fault>) {
    for resource in &service.resources {
        let list = IndexedList { service, resource, table: Table::of(service, resource) };
        let definition = Place::Definition(&resource.name);
        list.visible(&definition.key("visible"), faults);
        list.access(&resource.operations, &definition.key("operations"), faults);
        let views = definition.key("views");
        for view in &resource.views {
            let at = views.key(&view.name);
            list.access(&view.operations, &at.key("operations"), faults);
            let is_list = view.operations.iter().any(|operation| operation.kind == OperationKind::List);
            if let Some(condition) = view.filter.as_ref().filter(|_| is_list) {
                list.condition(condition, &at.key("where"), faults);
            }
        }
    }
}

/// The table of a list.
struct IndexedList<'a> {
    service: &'a Checked,
    resource: &'a Resource,
    table: Table,
}

impl IndexedList<'_> {
    fn access(&self, operations: &[Operation], at: &Place<'_>, faults: &mut Vec<Fault>) {
        for list in lists(operations) {
            self.callers(&list.access, &at.key("list").key("access"), faults);
        }
    }

    /// What not every caller sees, if some list is read for these callers and nothing else narrows it down.
    fn visible(&self, at: &Place<'_>, faults: &mut Vec<Fault>) {
        let visible = &self.resource.visible;
        let is_narrow = |access: &Access| matches!(access, Access::Owner | Access::When(_)) || visible.contains(access);
        let open_views = self.resource.views.iter().filter(|view| view.filter.is_none() && view.through.is_none());
        let operations = open_views.map(|view| &view.operations).chain([&self.resource.operations]);
        let mut lists = operations.flat_map(|operations| lists(operations));
        if lists.any(|list| !list.access.iter().all(is_narrow)) {
            self.callers(visible, at, faults);
        }
    }

    /// The conditions of a list of callers, unless everyone is among them.
    fn callers(&self, callers: &[Access], at: &Place<'_>, faults: &mut Vec<Fault>) {
        if callers.contains(&Access::Anyone) {
            return;
        }
        for (position, access) in callers.iter().enumerate() {
            if let Access::When(condition) = access {
                self.condition(condition, &at.index(position).key("when"), faults);
            }
        }
    }

    fn condition(&self, condition: &Condition, at: &Place<'_>, faults: &mut Vec<Fault>) {
        let scope = Scope { service: self.service, entity: Some(self.resource), old: false };
        let Ok(typed) = condition.typed(&scope) else { return };
        let mut fields = BTreeSet::new();
        if self.is_served(&typed, &mut fields) {
            return;
        }
        let message = format!("no index serves this condition: the list reads every `{}`", self.resource.name);
        let help = match fields.iter().next() {
            Some(field) => format!("add `filter: true` to `{field}`"),
            None => "compare a field that has `filter` or `sort` besides, with `&&`".to_owned(),
        };
        faults.push(at.fault(UnindexedCondition, message).help(help));
    }

    /// Whether an index narrows down the entities for which a condition holds. Fields that an index would help are
    /// added to `fields`.
    fn is_served(&self, typed: &Typed, fields: &mut BTreeSet<String>) -> bool {
        match &typed.node {
            Node::And(one, other) => {
                let (one, other) = (self.is_served(one, fields), self.is_served(other, fields));
                one || other
            }
            Node::Or(one, other) => {
                let (one, other) = (self.is_served(one, fields), self.is_served(other, fields));
                one && other
            }
            // the condition of a role decides which of them holds
            Node::Choose(condition, yes, no) if !reads_entity(condition) => {
                let (yes, no) = (self.is_served(yes, fields), self.is_served(no, fields));
                yes && no
            }
            Node::Compare(Operator::NotEqual, ..) | Node::Not(_) => !reads_entity(typed),
            Node::Compare(_, one, other) => match (reads_entity(one), reads_entity(other)) {
                (true, false) => self.is_indexed(one, fields),
                (false, true) => self.is_indexed(other, fields),
                (true, true) => false,
                (false, false) => true,
            },
            Node::In(one, list) if !reads_entity(list) => !reads_entity(one) || self.is_indexed(one, fields),
            Node::Field(..) => self.is_indexed(typed, fields),
            Node::Referring { .. } | Node::Follow(..) => true,
            _ => !reads_entity(typed),
        }
    }

    /// Whether a value that is compared has an index.
    fn is_indexed(&self, typed: &Typed, fields: &mut BTreeSet<String>) -> bool {
        let (path, part) = match &typed.node {
            Node::Field(FieldBase::This, path) => (path, PricePart::Amount),
            Node::Part(part, price) => match &price.node {
                Node::Field(FieldBase::This, path) => (path, *part),
                node => return matches!(node, Node::Follow(..)),
            },
            node => return matches!(node, Node::Follow(..) | Node::Referring { .. }),
        };
        let is_indexed = self.column(path, part).is_some_and(|column| {
            let mut exact = self.table.uniques.iter().filter(|unique| !unique.ignores_case);
            let leads = exact.any(|unique| unique.columns.first() == Some(&column));
            column == ID || leads || self.table.indexes.contains(&column)
        });
        if !is_indexed {
            fields.insert(path.dotted());
        }
        is_indexed
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

/// Whether a value depends on the entity.
fn reads_entity(typed: &Typed) -> bool {
    match &typed.node {
        Node::Field(FieldBase::This, _) | Node::Referring { .. } => true,
        _ => typed.children().into_iter().any(reads_entity),
    }
}
