//! A query over a resource's columns, and its SQL. Every value is bound; names of columns come from the model.

use super::cell::Cell;
use restwell_model::Deprecation;
use restwell_model::tables::{self, Table};
use std::fmt::Write;
use uuid::Uuid;

/// A request for a page of a collection.
#[derive(Debug, Default)]
pub(crate) struct Query {
    /// All of them hold.
    pub(crate) filters: Vec<Filter>,
    /// Columns, and whether descending.
    pub(crate) sort: Vec<(usize, bool)>,
    /// Where the page begins.
    pub(crate) offset: u32,
    /// How many entities it has at most.
    pub(crate) limit: u32,
    /// The search whose criteria hold as well.
    pub(crate) search: Option<Uuid>,
    /// Whether it uses what is going away.
    pub(crate) deprecation: Option<Deprecation>,
}

/// A condition on a column.
#[derive(Debug)]
pub(crate) struct Filter {
    pub(crate) column: usize,
    pub(crate) test: Test,
}

/// What a column's value must be.
#[derive(Debug)]
pub(crate) enum Test {
    /// One of these, or null where that is asked for as well.
    OneOf { values: Vec<Cell>, or_null: bool },
    /// Compared with a bound.
    Compare(&'static str, Cell),
    /// Anything but null.
    Given,
    /// A condition of its own, with the values to bind: on what is inside an array.
    Holds { sql: String, values: Vec<Cell> },
    /// Among the ids that a query of one id gives.
    Among(String, Cell),
}

impl Query {
    /// One more value that a column may have: repeats of an equality are any of them (rulings, "Filters").
    pub(super) fn allow(&mut self, column: usize, cell: Cell) {
        let is_same = |filter: &&mut Filter| filter.column == column && matches!(filter.test, Test::OneOf { .. });
        let given = cell != Cell::Null;
        match self.filters.iter_mut().find(is_same).map(|filter| &mut filter.test) {
            Some(Test::OneOf { values, .. }) if given => values.push(cell),
            Some(Test::OneOf { or_null, .. }) => *or_null = true,
            _ => {
                let values = if given { vec![cell] } else { Vec::new() };
                self.filters.push(Filter { column, test: Test::OneOf { values, or_null: !given } });
            }
        }
    }

    /// Notes what is used and going away.
    pub(crate) fn uses(&mut self, deprecation: Option<Deprecation>) {
        self.deprecation = Deprecation::together(self.deprecation, deprecation);
    }

    /// The entities that one column's value picks out: an owner's, a scope's.
    pub(crate) fn restrict(&mut self, column: usize, id: Uuid) {
        let test = Test::OneOf { values: vec![Cell::Uuid(id)], or_null: false };
        self.filters.push(Filter { column, test });
    }

    /// The entities that somebody's own entities of another resource point at (§2.1): `sql` gives their ids.
    pub(crate) fn through(&mut self, sql: &str, caller: Uuid) {
        self.filters.push(Filter { column: tables::ID, test: Test::Among(sql.to_owned(), Cell::Uuid(caller)) });
    }

    /// ` WHERE …`, or nothing.
    pub(crate) fn conditions(&self, table: &Table, sql: &mut String) {
        for (index, filter) in self.filters.iter().enumerate() {
            sql.push_str(if index == 0 { " WHERE " } else { " AND " });
            let column = format!("t.\"{}\"", table.columns[filter.column].name);
            let written = match &filter.test {
                Test::OneOf { values, or_null: true } if values.is_empty() => write!(sql, "{column} IS NULL"),
                Test::OneOf { values, or_null: false } if values.len() == 1 => write!(sql, "{column} = ?"),
                Test::OneOf { values, or_null } => {
                    let marks = vec!["?"; values.len()].join(",");
                    let null = if *or_null { format!(" OR {column} IS NULL") } else { String::new() };
                    write!(sql, "({column} IN ({marks}){null})")
                }
                Test::Compare(operator, _) => write!(sql, "{column} {operator} ?"),
                Test::Given => write!(sql, "{column} IS NOT NULL"),
                Test::Holds { sql: condition, .. } => write!(sql, "{condition}"),
                Test::Among(ids, _) => write!(sql, "{column} IN ({ids})"),
            };
            written.unwrap_or_default();
        }
    }

    /// ` ORDER BY … LIMIT ? OFFSET ?`: nulls last in both directions, the id last of all.
    pub(crate) fn order(&self, table: &Table, sql: &mut String) {
        sql.push_str(" ORDER BY ");
        for (column, descending) in &self.sort {
            let column = &table.columns[*column];
            let direction = match (descending, column.nullable) {
                (true, _) => " DESC", // nulls are the least values here
                (false, true) => " NULLS LAST",
                (false, false) => "",
            };
            write!(sql, "t.\"{}\"{direction},", column.name).unwrap_or_default();
        }
        sql.push_str("t.\"id\" LIMIT ? OFFSET ?");
    }

    /// The values to bind for [`Self::conditions`], in order.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Cell> {
        self.filters.iter().flat_map(|filter| match &filter.test {
            Test::OneOf { values, .. } | Test::Holds { values, .. } => values.as_slice(),
            Test::Given => &[],
            Test::Compare(_, value) | Test::Among(_, value) => std::slice::from_ref(value),
        })
    }
}
