//! What is asked of the elements of stored arrays (§2.5), in SQL. Names come from the model, values are bound.
//!
//! Arrays are stored as the JSON they are rendered in, so it is asked of JSON: values are compared in the order of
//! their type, for any text.
//!
//! A row's array is parsed once, however many objects a search has for it. They are bound as one JSON text, which
//! becomes a table once per statement ([`Wanted`]); each element is joined with it, and the array meets the search when
//! every object was met by some element. Where all objects ask for the same fields by equality, the databases join
//! along an index or a hash: a row then costs its elements, for any number of objects. Otherwise it costs a few
//! comparisons for each pair. An array inside an element is asked in the same way, once per element: it gives the list
//! of outer objects whose inner ones are all met.

#[cfg(test)]
mod tests;
mod wanted;

use super::cell::Cell;
use restwell_model::input::{Criteria, CriterionTest, Scalar};
use restwell_model::tables::Dialect;
use std::fmt::{Display, Write};
use wanted::{HEAD_COLUMNS, TestKind, Wanted, WantedArray, WantedField};

/// A condition that is being written, and what it binds.
#[derive(Debug)]
pub(super) struct Elements {
    pub(super) sql: String,
    pub(super) values: Vec<Cell>,
    dialect: Dialect,
    /// Number of tables of wanted objects so far: each has a name of its own.
    tables: usize,
}

impl Elements {
    /// The condition that each of these objects is met by some element of the array in a column.
    pub(super) fn of(dialect: Dialect, column: &str, criteria: &Criteria, objects: &[CriterionTest]) -> Self {
        Self::holding(dialect, column, &Wanted::of_objects(criteria, objects))
    }

    /// The condition that some element of the array of single values in a column is wanted.
    pub(super) fn of_values(dialect: Dialect, column: &str, scalar: &Scalar, condition: &CriterionTest) -> Self {
        Self::holding(dialect, column, &Wanted::values(scalar, &[(0, condition)]))
    }

    fn holding(dialect: Dialect, column: &str, wanted: &Wanted<'_>) -> Self {
        let mut elements = Self { sql: String::new(), values: Vec::new(), dialect, tables: 0 };
        let array = match dialect {
            Dialect::Sqlite => format!("t.\"{column}\""),
            Dialect::Postgres => format!("CAST(t.\"{column}\" AS jsonb)"),
        };
        if wanted.len() == 1 {
            elements.push("EXISTS (");
            elements.select(wanted, &array, |_| "1".to_owned());
            elements.push(")");
        } else {
            elements.push("(");
            elements.select(wanted, &array, |table| format!("count(DISTINCT w{table}.g)"));
            elements.push(") = ?");
            elements.values.push(Cell::Int(wanted.len().try_into().unwrap_or(i64::MAX)));
        }
        elements
    }

    /// Selects something of each pair of an element and a wanted object that it meets. Answers the number of the
    /// tables.
    fn select(&mut self, wanted: &Wanted<'_>, array: &str, what: impl FnOnce(usize) -> String) -> usize {
        let table = self.tables;
        self.tables += 1;
        self.table(table, wanted);
        self.push(format_args!("SELECT {} FROM (SELECT 1 AS one", what(table)));
        for (index, field) in wanted.fields.iter().enumerate() {
            let subject = self.subject(field.scalar, &format!("x{table}.value"), &field.path);
            self.push(format_args!(", {subject} AS c{index}"));
        }
        for (index, inner) in wanted.arrays.iter().enumerate() {
            self.push(", ");
            self.met(table, inner);
            self.push(format_args!(" AS m{index}"));
        }
        match self.dialect {
            // else the planner reads each field again for every object
            Dialect::Sqlite => self.push(format_args!(" FROM json_each({array}) x{table} LIMIT -1")),
            // what is null has no elements, and no list
            Dialect::Postgres => self.push(format_args!(
                " FROM (SELECT {array} AS a OFFSET 0) y, \
                 jsonb_array_elements(CASE jsonb_typeof(y.a) WHEN 'array' THEN y.a END) x{table}(value) OFFSET 0"
            )),
        }
        self.push(format_args!(") e{table} CROSS JOIN w{table} WHERE TRUE"));
        wanted.fields.iter().enumerate().for_each(|(index, field)| self.tests(table, index, field));
        wanted.arrays.iter().enumerate().for_each(|(index, inner)| self.is_met(table, index, inner));
        table
    }

    /// The table of the wanted objects: of the number of the object, of its parent, of the parent's objects; and
    /// values.
    fn table(&mut self, table: usize, wanted: &Wanted<'_>) {
        let rows = match self.dialect {
            Dialect::Sqlite => "json_each(?)",
            Dialect::Postgres => "jsonb_array_elements(CAST(CAST(? AS text) AS jsonb))",
        };
        self.push(format_args!("WITH w{table} AS MATERIALIZED (SELECT "));
        for (index, name) in ["g", "p", "n"].into_iter().enumerate() {
            let separator = if index > 0 { ", " } else { "" };
            self.push(format_args!("{separator}CAST(value ->> {index} AS integer) AS {name}"));
        }
        let mut kinds: Vec<Option<(&Scalar, TestKind)>> = vec![None; wanted.columns()];
        for field in &wanted.fields {
            for test in &field.tests {
                kinds[test.column] = Some((field.scalar, test.kind));
            }
        }
        for (index, kind) in kinds.into_iter().enumerate() {
            let value = format!("(value ->> {})", HEAD_COLUMNS + index);
            let value = match kind {
                Some((scalar, TestKind::Equal | TestKind::Compare(_))) => self.typed(scalar, value),
                Some((_, TestKind::IsNull)) => self.typed(&Scalar::Boolean, value),
                Some((_, TestKind::Listed)) | None => value,
            };
            self.push(format_args!(", {value} AS v{index}"));
        }
        self.push(format_args!(" FROM {rows} r) "));
        self.values.push(Cell::Text(wanted.rows()));
    }

    /// A JSON value's text as a value of a type; SQLite's JSON functions give values of types already.
    fn typed(&self, scalar: &Scalar, text: String) -> String {
        match (self.dialect, scalar) {
            (Dialect::Sqlite, _) => text,
            (Dialect::Postgres, Scalar::Integer(_) | Scalar::Decimal { .. } | Scalar::Amount(_)) => {
                format!("CAST({text} AS bigint)")
            }
            (Dialect::Postgres, Scalar::Number(_)) => format!("CAST({text} AS double precision)"),
            (Dialect::Postgres, Scalar::Boolean) => format!("CAST({text} AS boolean)"),
            (Dialect::Postgres, _) => format!("({text} COLLATE \"C\")"),
        }
    }

    /// The numbers of the outer objects whose wanted objects are all met by elements of the array inside an element.
    fn met(&mut self, outer: usize, array: &WantedArray<'_>) {
        let (before, after) = match self.dialect {
            Dialect::Sqlite => ("(SELECT ',' || group_concat(p) || ',' FROM (", "))"),
            Dialect::Postgres => ("ARRAY(", ")"),
        };
        let inside = match self.dialect {
            Dialect::Sqlite => format!("x{outer}.value, '$.{}'", array.path.join(".")),
            Dialect::Postgres => format!("x{outer}.value #> '{{{}}}'", array.path.join(",")),
        };
        self.push(before);
        if array.inner.has_one_each() {
            self.select(&array.inner, &inside, |table| format!("DISTINCT w{table}.p"));
        } else {
            let table = self.select(&array.inner, &inside, |table| format!("w{table}.p"));
            let name = format!("w{table}");
            self.push(format_args!(" GROUP BY {name}.p, {name}.n HAVING count(DISTINCT {name}.g) = {name}.n"));
        }
        self.push(after);
    }

    fn is_met(&mut self, table: usize, index: usize, array: &WantedArray<'_>) {
        let is_met = match self.dialect {
            Dialect::Sqlite => format!("instr(e{table}.m{index}, ',' || w{table}.g || ',') > 0"),
            Dialect::Postgres => format!("w{table}.g = ANY (e{table}.m{index})"),
        };
        match array.asked {
            None => self.push(format_args!(" AND {is_met}")),
            Some(column) => self.push(format_args!(" AND (w{table}.v{column} IS NULL OR {is_met})")),
        }
    }

    /// The tests of a field.
    fn tests(&mut self, table: usize, index: usize, field: &WantedField<'_>) {
        let subject = format!("e{table}.c{index}");
        for test in &field.tests {
            let value = format!("w{table}.v{}", test.column);
            let holds = match test.kind {
                TestKind::Equal => format!("{subject} = {value}"),
                TestKind::Compare(bound) => format!("{subject} {} {value}", bound.operator()),
                TestKind::IsNull => format!("({subject} IS NULL) = {value}"),
                TestKind::Listed => self.listed(field.scalar, &subject, &value),
            };
            match test.is_for_all {
                true => self.push(format_args!(" AND {holds}")),
                false => self.push(format_args!(" AND ({value} IS NULL OR {holds})")),
            }
        }
    }

    fn listed(&self, scalar: &Scalar, subject: &str, list: &str) -> String {
        match self.dialect {
            Dialect::Sqlite => format!("{subject} IN (SELECT l.value FROM json_each({list}) l)"),
            Dialect::Postgres => {
                let value = self.typed(scalar, "l.value".to_owned());
                format!("{subject} IN (SELECT {value} FROM jsonb_array_elements_text(CAST({list} AS jsonb)) l(value))")
            }
        }
    }

    /// A field of an element as it compares.
    fn subject(&self, scalar: &Scalar, element: &str, path: &[&str]) -> String {
        // as many digits after the point in all of them: without it they are whole numbers
        let is_decimal = matches!(scalar, Scalar::Decimal { .. } | Scalar::Amount(_));
        let text = match (self.dialect, path) {
            (Dialect::Sqlite, []) => element.to_owned(),
            (Dialect::Sqlite, path) => format!("({element} ->> '$.{}')", path.join(".")),
            (Dialect::Postgres, path) => format!("({element} #>> '{{{}}}')", path.join(",")),
        };
        match (self.dialect, is_decimal) {
            (Dialect::Sqlite, true) => format!("CAST(REPLACE({text}, '.', '') AS INTEGER)"),
            (Dialect::Postgres, true) => self.typed(scalar, format!("REPLACE({text}, '.', '')")),
            (_, false) => self.typed(scalar, text),
        }
    }

    fn push(&mut self, sql: impl Display) {
        write!(self.sql, "{sql}").unwrap_or_default();
    }
}
