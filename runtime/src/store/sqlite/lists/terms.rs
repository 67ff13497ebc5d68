//! Sort terms and filters of a query, as the ways to a page need them.

use crate::plan::ColumnIndex;
use crate::plan::cell::Cell;
use crate::plan::query::{Filter, Query, SortTerm, Test};
use std::cmp::Ordering;

/// Whether an index on the first column gives the whole order.
pub(super) fn is_walked(order: &[SortTerm], has_ids: bool) -> bool {
    match order {
        [(ColumnIndex::ID, _)] => true,
        [(_, descending), (ColumnIndex::ID, id_descending)] => has_ids && descending == id_descending,
        _ => false,
    }
}

/// Whether an index on the column can find what passes.
pub(super) fn is_indexable(test: &Test) -> bool {
    match test {
        Test::Folded(test) => matches!(**test, Test::Compare(..)),
        test => matches!(test, Test::OneOf { .. } | Test::Compare(..) | Test::Among { .. }),
    }
}

/// Whether it is about the column's texts without their case, which have an index of their own.
pub(super) fn is_folded(test: &Test) -> bool {
    matches!(test, Test::Folded(_))
}

/// The values that the page's first column may have, in the page's order, where it is several: each once, since each is
/// gathered for itself and a search may name one twice.
pub(super) fn values_of(query: &Query, (column, descending): SortTerm) -> Option<Vec<Cell>> {
    let filter = query.filters.iter().find(|filter| column != ColumnIndex::ID && has_several(filter, column))?;
    let Test::OneOf { values, or_null } = &filter.test else { return None };
    let mut values = values.clone();
    values.sort_by(compare);
    values.dedup();
    if descending {
        values.reverse();
    }
    values.extend(or_null.then_some(Cell::Null));
    Some(values)
}

/// Whether a filter names several values of a column.
pub(super) fn has_several(filter: &Filter, column: ColumnIndex) -> bool {
    filter.column == column && matches!(filter.test, Test::OneOf { .. }) && !filter.test.leaves_one()
}

/// As SQLite compares values of one column.
fn compare(a: &Cell, b: &Cell) -> Ordering {
    match (a, b) {
        (Cell::Int(a), Cell::Int(b)) => a.cmp(b),
        (Cell::Real(a), Cell::Real(b)) => a.total_cmp(b),
        (Cell::Text(a), Cell::Text(b)) => a.cmp(b),
        (Cell::Uuid(a), Cell::Uuid(b)) => a.cmp(b),
        _ => Ordering::Equal,
    }
}

/// A query with one bound more, of a value that it finds: a bound to the same side is wider, and goes, for SQLite may
/// take either to begin with.
pub(super) fn bounded(query: &Query, column: ColumnIndex, test: Test) -> Query {
    let mut query = query.clone();
    if let Test::Compare(operator, _) = &test {
        let is_same_side = |other: &Test| matches!(other, Test::Compare(wider, _) if wider[..1] == operator[..1]);
        query.filters.retain(|filter| filter.column != column || !is_same_side(&filter.test));
    }
    query.filters.push(Filter { column, test });
    query
}

/// What comes before a value; nulls are last.
pub(super) fn before(value: &Cell, descending: bool) -> Test {
    match value {
        Cell::Null => Test::Given,
        value => Test::Compare(if descending { ">" } else { "<" }, value.clone()),
    }
}

/// What comes after a value, nulls left out.
pub(super) fn after(value: &Cell, descending: bool) -> Test {
    Test::Compare(if descending { "<" } else { ">" }, value.clone())
}
