//! Indexes: each makes one kind of query fast and every write slower.

use crate::check::Fault;
use crate::check::FaultCode::{ManyIndexes, UnusableIndex};
use crate::check::index::unknown_field;
use crate::check::place::Place;
use crate::check::rules::combinations::combinations;
use crate::field::Type;
use crate::language::{Order, TypeClass};
use crate::names::COMMON_FIELDS;
use crate::resource::Resource;
use crate::tables::{IndexedValues, Table, indexed_characters};

/// Indexes of a resource at which creating costs the database thirty times what it costs without any, and eight times
/// what it costs with five (`docs/operate/performance.md`).
const MANY: usize = 40;

/// Resources that every write of is slow. Wants columns that there are names for.
pub(super) fn many(tables: &[(&Resource, Table)], faults: &mut Vec<Fault>) {
    for (resource, table) in tables {
        let of_one_column = table.indexes.len() + table.folded_indexes.len();
        let indexes = of_one_column + table.uniques.len() + table.combined.len();
        if indexes > MANY {
            let message =
                format!("`{}` has {indexes} indexes, and every creation writes to all of them", resource.name);
            let fault = Place::Definition(&resource.name).name_fault(ManyIndexes, message);
            faults.push(
                fault.help("remove `index`, and `filter` and `sort` of fields that clients do not need them for"),
            );
        }
    }
}

/// The indexes of several fields: lists filter by all but the last field, and sort by that.
pub(super) fn combined(resource: &Resource, faults: &mut Vec<Fault>) {
    let definition = Place::Definition(&resource.name);
    let at = definition.key("index");
    let listed: Vec<Vec<&str>> =
        resource.index.iter().map(|names| names.iter().map(String::as_str).collect()).collect();
    combinations(&resource.index, &listed, &at, "filter", faults);
    for (position, names) in listed.iter().enumerate() {
        let at = at.index(position);
        for (position, name) in names.iter().enumerate() {
            let (is_last, at) = (position + 1 == names.len(), at.index(position));
            if is_last && COMMON_FIELDS[1..].contains(name) {
                continue;
            }
            let Some(field) = resource.field(name) else {
                faults.push(unknown_field(resource, name, &at));
                continue;
            };
            let (is_on, is_possible, key) = match is_last {
                true => (field.sort, has_order(&field.ty), "sort"),
                false => (field.filter.is_on(), !(field.ty.is_never_null() || field.ty.is_free()), "filter"),
            };
            if !(is_on && is_possible) {
                let fault = at.fault(UnusableIndex, format!("lists cannot {key} by `{name}` with an index"));
                faults.push(match is_possible {
                    true => fault.help(format!("write `{key}: true` in the field `{name}`")),
                    false => fault.help(format!("name a field that lists can {key} by")),
                });
            }
        }
    }
}

/// Whether lists can be sorted by values of a type. Whether a named one is an object, other rules say.
fn has_order(ty: &Type) -> bool {
    match ty.class() {
        TypeClass::Scalar(scalar) => !matches!(scalar.order, Order::None(_)),
        TypeClass::Named(_) => true,
        TypeClass::Array(_) | TypeClass::Map(_) | TypeClass::Ref(_) => false,
    }
}

/// Indexes of several fields whose texts PostgreSQL may not be able to index together.
pub(super) fn long(tables: &[(&Resource, Table)], faults: &mut Vec<Fault>) {
    for (resource, table) in tables {
        let definition = Place::Definition(&resource.name);
        let at = definition.key("index");
        for (position, combined) in table.combined.iter().enumerate() {
            let values = IndexedValues { columns: combined.columns(), ignores_case: false };
            if table.may_exceed(&values) {
                let message = "the texts of these fields may be too long for an index";
                let fault = at.index(position).fault(UnusableIndex, message);
                let most = indexed_characters(false);
                faults.push(fault.help(format!("give strings a `maxLength`, together at most {most}")));
            }
        }
    }
}
