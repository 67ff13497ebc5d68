//! The columns that decide who sees an entity, and those of filters that find many entities.

use super::Table;
use crate::check::{Checked, Kind};
use crate::condition::{FieldBase, FieldPath, Node, Operator, Scope, StaticType, Typed};
use crate::field::Type;
use crate::resource::Resource;

/// The columns of the states that the conditions of `visible` compare: enums and booleans of the entity itself.
pub(super) fn states(service: &Checked, resource: &Resource, table: &Table) -> Vec<usize> {
    let scope = Scope { service, entity: Some(resource), old: false };
    let mut columns = Vec::new();
    for access in &resource.visible {
        if let Some(condition) = access.condition()
            && let Ok(typed) = condition.typed(&scope)
        {
            compared(&typed, table, &mut columns);
        }
    }
    columns.sort_unstable();
    columns.dedup();
    columns
}

/// The columns of filters that have few values, so that one of them has many entities.
pub(super) fn few_valued_filters(service: &Checked, resource: &Resource, table: &Table) -> Vec<usize> {
    let filters = resource.fields.iter().zip(&table.slots).filter(|(field, _)| field.filter.is_on());
    let is_few_valued = |ty: &Type| match service.kind(ty) {
        Kind::Enum(_) => true,
        Kind::Scalar(ty) => matches!(ty, Type::Boolean | Type::Country | Type::Currency | Type::Language),
        Kind::Object(_) | Kind::Array(_) | Kind::Map(_) => false,
    };
    filters
        .filter(|(field, slot)| is_few_valued(&field.ty) && !slot.columns.is_empty())
        .map(|(_, slot)| slot.columns.start)
        .collect()
}

/// The states that a condition compares by equality, in each part that has to hold.
fn compared(typed: &Typed, table: &Table, columns: &mut Vec<usize>) {
    match &typed.node {
        Node::And(one, other) => {
            compared(one, table, columns);
            compared(other, table, columns);
        }
        Node::Compare(Operator::Equal, one, other, _) => {
            columns.extend([one, other].into_iter().filter_map(|side| state(side, table)));
        }
        Node::In(one, ..) => columns.extend(state(one, table)),
        Node::Field(..) => columns.extend(state(typed, table)),
        _ => {}
    }
}

/// The column of a field of the entity that is a state.
fn state(typed: &Typed, table: &Table) -> Option<usize> {
    let Node::Field(FieldBase::This, FieldPath { names, .. }) = &typed.node else { return None };
    let [name] = names.as_slice() else { return None };
    let is_state = matches!(typed.ty, StaticType::Enum(_) | StaticType::Boolean);
    // a computed field has no column
    let slot = table.slot(name).filter(|slot| is_state && !slot.columns.is_empty())?;
    Some(slot.columns.start)
}
