//! What is asked of the elements of stored arrays (§2.5), in SQL. Names come from the model, values are bound.
//!
//! Arrays are stored as the JSON they are rendered in, so it is asked of JSON: values are compared in the order of their
//! type, whatever the text.

use super::bind;
use super::cell::Cell;
use super::form::Form;
use restwell_model::Value;
use restwell_model::input::{Condition, Criteria, Scalar, Sought};
use restwell_model::scalar::{Date, Time, Timestamp};
use restwell_model::tables::Dialect;
use std::fmt::{Display, Write};

/// A condition that is being written, and what it binds.
#[derive(Debug)]
pub(super) struct Elements {
    pub(super) sql: String,
    pub(super) values: Vec<Cell>,
    dialect: Dialect,
    depth: usize,
}

/// Where a value is: in an element, along names.
#[derive(Clone, Copy)]
struct Place<'a> {
    element: &'a str,
    path: &'a [&'a str],
}

impl Elements {
    /// The condition that some element of the array in a column meets all that is asked of it.
    pub(super) fn of(dialect: Dialect, column: &str, criteria: &Criteria, conditions: &[Condition]) -> Self {
        let mut elements = Self { sql: String::new(), values: Vec::new(), dialect, depth: 0 };
        let array = match dialect {
            Dialect::Sqlite => format!("t.\"{column}\""),
            Dialect::Postgres => format!("CAST(t.\"{column}\" AS jsonb)"),
        };
        elements.exist(&array, |elements, element| {
            elements.fields(criteria, conditions, Place { element, path: &[] });
        });
        elements
    }

    /// There is an element in this array, of which more is written.
    fn exist(&mut self, array: &str, what: impl FnOnce(&mut Self, &str)) {
        let alias = format!("e{}", self.depth);
        self.depth += 1;
        match self.dialect {
            Dialect::Sqlite => self.push(format_args!("EXISTS (SELECT 1 FROM json_each({array}) {alias} WHERE TRUE")),
            // what is null has no elements, and no list
            Dialect::Postgres => self.push(format_args!(
                "EXISTS (SELECT 1 FROM jsonb_array_elements(CASE jsonb_typeof({array}) WHEN 'array' THEN {array} END) \
                 {alias}(value) WHERE TRUE"
            )),
        }
        what(self, &format!("{alias}.value"));
        self.push(match self.dialect {
            Dialect::Sqlite => ")",
            // else the planner makes a join of each, and tries their orders
            Dialect::Postgres => " OFFSET 0)",
        });
        self.depth -= 1;
    }

    /// Every field of an object is as it should be.
    fn fields(&mut self, criteria: &Criteria, conditions: &[Condition], object: Place<'_>) {
        for (criterion, condition) in criteria.iter().zip(conditions) {
            let path: Vec<_> = object.path.iter().copied().chain([criterion.name()]).collect();
            let place = Place { path: &path, ..object };
            match (criterion.sought(), condition) {
                (Sought::Scalar(scalar), condition) => self.value(scalar, condition, place),
                (Sought::Object(inner), condition) => self.fields(inner, condition.fields(), place),
                (Sought::Objects(inner), Condition::Objects(objects)) => {
                    for wanted in objects {
                        self.push(" AND ");
                        let array = self.array(place);
                        self.exist(&array, |elements, element| {
                            elements.fields(inner, wanted.fields(), Place { element, path: &[] });
                        });
                    }
                }
                (Sought::Values(scalar), condition) if condition.is_given() => {
                    self.push(" AND ");
                    let array = self.array(place);
                    self.exist(&array, |elements, element| {
                        elements.value(scalar, condition, Place { element, path: &[] });
                    });
                }
                _ => {}
            }
        }
    }

    /// An array inside an element, as the function takes it that gives its elements.
    fn array(&self, Place { element, path }: Place<'_>) -> String {
        match self.dialect {
            Dialect::Sqlite => format!("{element}, '$.{}'", path.join(".")),
            Dialect::Postgres => format!("{element} #> '{{{}}}'", path.join(",")),
        }
    }

    fn value(&mut self, scalar: &Scalar, condition: &Condition, place: Place<'_>) {
        let subject = self.subject(scalar, place);
        let mark = match (self.dialect, scalar) {
            // the same reading of digits on both sides
            (Dialect::Sqlite, Scalar::Number(_)) => "CAST(? AS REAL)",
            _ => "?",
        };
        match condition {
            Condition::OneOf { values, .. } => {
                let marks = vec![mark; values.len()].join(",");
                self.push(format_args!(" AND {subject} IN ({marks})"));
                self.values.extend(values.iter().map(|value| as_stored(scalar, value, self.dialect)));
            }
            Condition::Range { bounds, is_null } => {
                for (bound, limit) in bounds {
                    self.push(format_args!(" AND {subject} {} {mark}", bound.operator()));
                    self.values.push(as_stored(scalar, limit, self.dialect));
                }
                match is_null {
                    Some(true) => self.push(format_args!(" AND {subject} IS NULL")),
                    Some(false) => self.push(format_args!(" AND {subject} IS NOT NULL")),
                    None => {}
                }
            }
            _ => {}
        }
    }

    /// A value as it compares.
    fn subject(&self, scalar: &Scalar, Place { element, path }: Place<'_>) -> String {
        // as many digits after the point in all of them: without it they are whole numbers
        let is_decimal = matches!(scalar, Scalar::Decimal { .. } | Scalar::Amount(_));
        match self.dialect {
            Dialect::Sqlite => {
                let value = match path {
                    [] => element.to_owned(),
                    path => format!("{element} ->> '$.{}'", path.join(".")),
                };
                if is_decimal { format!("CAST(REPLACE({value}, '.', '') AS INTEGER)") } else { format!("({value})") }
            }
            Dialect::Postgres => {
                let text = format!("{element} #>> '{{{}}}'", path.join(","));
                match scalar {
                    _ if is_decimal => format!("CAST(REPLACE({text}, '.', '') AS bigint)"),
                    Scalar::Integer(_) => format!("CAST({text} AS bigint)"),
                    Scalar::Number(_) => format!("CAST({text} AS double precision)"),
                    Scalar::Boolean => format!("CAST({text} AS boolean)"),
                    _ => format!("(({text}) COLLATE \"C\")"),
                }
            }
        }
    }

    fn push(&mut self, sql: impl Display) {
        write!(self.sql, "{sql}").unwrap_or_default();
    }
}

/// A value as the JSON functions give it out of what is rendered. Timestamps, dates and times have a fixed width: their
/// order is that of their text.
fn as_stored(scalar: &Scalar, value: &Value, dialect: Dialect) -> Cell {
    match (scalar, value) {
        (Scalar::Timestamp(_), Value::Int(millis)) => text(Timestamp::from_millis(*millis)),
        (Scalar::Date(_), Value::Int(days)) => text(Date::from_days(*days)),
        (Scalar::Time, Value::Int(millis)) => text(Time::from_millis(*millis)),
        (Scalar::Number(_), Value::Float(_)) if dialect == Dialect::Sqlite => {
            let mut digits = Vec::new();
            Form::Number.write(value, &mut digits);
            Cell::Text(String::from_utf8_lossy(&digits).into_owned())
        }
        (_, Value::Uuid(id)) => Cell::Text(id.hyphenated().to_string()),
        (_, value) => bind::scalar(value.clone()),
    }
}

fn text(value: Option<impl Display>) -> Cell {
    value.map_or(Cell::Null, |value| Cell::Text(value.to_string()))
}
