//! A query's conditions and its order, evaluated on rows in memory, with the results that the databases give: texts
//! compare by code points, ids by their bytes, and nulls are last.

use super::cell::Cell;
use super::query::{Filter, Query, Test};
use restwell_model::case_folding::fold_case;
use std::cmp::Ordering;

impl Query {
    /// Whether a row meets all conditions; `None` if one of them is evaluated by the database only.
    pub(crate) fn accepts(&self, row: &[Cell]) -> Option<bool> {
        let mut accepts = true;
        for Filter { column, test } in &self.filters {
            accepts &= test.accepts(row.get(column.position())?)?;
        }
        Some(accepts)
    }

    /// The order of two rows.
    pub(crate) fn compare(&self, one: &[Cell], other: &[Cell]) -> Ordering {
        for (column, descending) in self.order() {
            let [one, other] = [one, other].map(|row| row.get(column.position()).unwrap_or(&Cell::Null));
            let order = match (one, other) {
                (Cell::Null, Cell::Null) => Ordering::Equal,
                (Cell::Null, _) => Ordering::Greater,
                (_, Cell::Null) => Ordering::Less,
                _ => {
                    let order = compared(one, other).unwrap_or(Ordering::Equal);
                    if descending { order.reverse() } else { order }
                }
            };
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    }
}

impl Test {
    /// Whether a value passes; `None` if the database alone can say.
    fn accepts(&self, cell: &Cell) -> Option<bool> {
        let is_null = *cell == Cell::Null;
        let is_among = |values: &[Cell]| values.iter().any(|value| compared(cell, value) == Some(Ordering::Equal));
        Some(match self {
            Self::OneOf { values, or_null } => (is_null && *or_null) || is_among(values),
            Self::NoneOf { values, or_null } if is_null => !values.is_empty() && !or_null,
            Self::NoneOf { values, .. } => !is_among(values),
            Self::Compare(operator, bound) => {
                let order = compared(cell, bound);
                match *operator {
                    ">" => order.is_some_and(Ordering::is_gt),
                    ">=" => order.is_some_and(Ordering::is_ge),
                    "<" => order.is_some_and(Ordering::is_lt),
                    "<=" => order.is_some_and(Ordering::is_le),
                    _ => return None,
                }
            }
            Self::Contains(part) => match (cell, part) {
                (Cell::Text(text), Cell::Text(part)) => !part.is_empty() && text.contains(part.as_str()),
                _ => false,
            },
            Self::Folded(test) => match cell {
                Cell::Text(text) => return test.accepts(&Cell::Text(fold_case(text))),
                cell => return test.accepts(cell),
            },
            Self::Given => !is_null,
            Self::Holds { .. } | Self::Among { .. } | Self::Meets(_) | Self::IfSeen(..) => return None,
        })
    }
}

/// The order of two values of a column; `None` if one of them is null.
fn compared(one: &Cell, other: &Cell) -> Option<Ordering> {
    match (one, other) {
        (Cell::Int(one), Cell::Int(other)) => Some(one.cmp(other)),
        (Cell::Real(one), Cell::Real(other)) => one.partial_cmp(other),
        (Cell::Int(one), Cell::Real(other)) => (*one as f64).partial_cmp(other),
        (Cell::Real(one), Cell::Int(other)) => one.partial_cmp(&(*other as f64)),
        (Cell::Text(one), Cell::Text(other)) => Some(one.cmp(other)),
        (Cell::Uuid(one), Cell::Uuid(other)) => Some(one.cmp(other)),
        _ => None,
    }
}
