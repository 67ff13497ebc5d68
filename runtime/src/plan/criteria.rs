//! Searches (§2.5): what is searched for, in SQL and in JSON.
//!
//! A criterion of the entity's own is a test of its column. Arrays are stored as the JSON they are rendered in, so what
//! is asked of their elements is asked of JSON: values are compared in the order of their type, whatever the text.

use super::bind;
use super::cell::Cell;
use super::form::{Form, sequence, write_text};
use super::query::{Filter, Query, Test};
use restwell_model::Value;
use restwell_model::input::{Condition, Criteria, Criterion, Scalar, Search, Sought};
use restwell_model::scalar::{Date, Time, Timestamp, amount};
use restwell_model::tables::{Content, Slot, Table};
use std::fmt::{Display, Write};
use uuid::Uuid;

/// What a collection can be searched by, in one version and view.
#[derive(Debug)]
pub(crate) struct Searchable {
    /// How the data of a search is read.
    pub(crate) criteria: Criteria,
    places: Vec<Place>,
}

/// Where the value that a criterion is about lies.
#[derive(Debug)]
enum Place {
    /// In a column.
    Column(usize),
    /// In those of the fields.
    Fields(Vec<Place>),
    /// As JSON in a column with this name.
    Array(usize, String),
    /// Nowhere.
    Missing,
}

impl Searchable {
    /// Finds the columns.
    pub(super) fn new(criteria: Criteria, table: &Table) -> Self {
        let places = places(&criteria, &table.slots, table);
        Self { criteria, places }
    }

    /// Restricts a query to what is searched for.
    pub(crate) fn apply(&self, search: &Search, query: &mut Query) {
        restrict(&self.criteria, &self.places, &search.conditions, query);
    }
}

fn places(criteria: &Criteria, slots: &[Slot], table: &Table) -> Vec<Place> {
    let place = |criterion: &Criterion| {
        let Some(slot) = slots.iter().find(|slot| slot.name == criterion.name()) else { return Place::Missing };
        let start = slot.columns.start;
        match (criterion.sought(), &slot.content) {
            (Sought::Object(inner), Content::Object { slots, .. }) => Place::Fields(places(inner, slots, table)),
            (Sought::Object(_), Content::Price) => Place::Fields(vec![Place::Column(start), Place::Column(start + 1)]),
            (Sought::Object(_), Content::Reference) => Place::Fields(vec![Place::Column(start)]),
            (Sought::Objects(_), Content::Array) => Place::Array(start, table.columns[start].name.clone()),
            (Sought::Scalar(_), Content::Scalar) => Place::Column(start),
            _ => Place::Missing,
        }
    };
    criteria.iter().map(place).collect()
}

fn restrict(criteria: &Criteria, places: &[Place], conditions: &[Condition], query: &mut Query) {
    for ((criterion, place), condition) in criteria.iter().zip(places).zip(conditions) {
        match (criterion.sought(), place, condition) {
            (Sought::Object(inner), Place::Fields(places), condition) => {
                restrict(inner, places, condition.fields(), query);
            }
            (Sought::Objects(inner), Place::Array(column, name), Condition::Objects(objects)) => {
                for object in objects {
                    let mut elements = Elements::default();
                    elements.exist(&format!("t.\"{name}\""), |elements, value| {
                        elements.fields(inner, object.fields(), value, "$");
                    });
                    let test = Test::Holds { sql: elements.sql, values: elements.values };
                    query.filters.push(Filter { column: *column, test });
                }
            }
            (Sought::Scalar(_), Place::Column(column), condition) => {
                let tests = tests(condition).into_iter();
                query.filters.extend(tests.map(|test| Filter { column: *column, test }));
            }
            _ => {}
        }
    }
}

/// What a column must be.
fn tests(condition: &Condition) -> Vec<Test> {
    let cell = |value: &Value| bind::scalar(value.clone());
    match condition {
        Condition::OneOf { values, .. } => {
            vec![Test::OneOf { values: values.iter().map(cell).collect(), or_null: false }]
        }
        Condition::Range { bounds, is_null } => {
            let null = is_null.map(|is_null| match is_null {
                true => Test::OneOf { values: Vec::new(), or_null: true },
                false => Test::Given,
            });
            let bounds = bounds.iter().map(|(bound, value)| Test::Compare(bound.operator(), cell(value)));
            bounds.chain(null).collect()
        }
        _ => Vec::new(),
    }
}

/// What is asked of the elements of stored arrays. Names come from the model, values are bound.
#[derive(Debug, Default)]
struct Elements {
    sql: String,
    values: Vec<Cell>,
    depth: usize,
}

impl Elements {
    /// There is an element in this array, of which more is written. `json_each` takes an array, and with a comma a path.
    fn exist(&mut self, array: &str, what: impl FnOnce(&mut Self, &str)) {
        let alias = format!("e{}", self.depth);
        self.depth += 1;
        self.push(format_args!("EXISTS (SELECT 1 FROM json_each({array}) {alias} WHERE TRUE"));
        what(self, &format!("{alias}.value"));
        self.push(")");
        self.depth -= 1;
    }

    /// Every field of an object is as it should be; `path` leads to the object from the element's value.
    fn fields(&mut self, criteria: &Criteria, conditions: &[Condition], element: &str, path: &str) {
        for (criterion, condition) in criteria.iter().zip(conditions) {
            let path = format!("{path}.{}", criterion.name());
            match (criterion.sought(), condition) {
                (Sought::Scalar(scalar), condition) => {
                    self.value(scalar, condition, &format!("{element} ->> '{path}'"));
                }
                (Sought::Object(inner), condition) => self.fields(inner, condition.fields(), element, &path),
                (Sought::Objects(inner), Condition::Objects(objects)) => {
                    for object in objects {
                        self.push(" AND ");
                        self.exist(&format!("{element}, '{path}'"), |elements, value| {
                            elements.fields(inner, object.fields(), value, "$");
                        });
                    }
                }
                (Sought::Values(scalar), condition) if condition.is_given() => {
                    self.push(" AND ");
                    self.exist(&format!("{element}, '{path}'"), |elements, value| {
                        elements.value(scalar, condition, value);
                    });
                }
                _ => {}
            }
        }
    }

    fn value(&mut self, scalar: &Scalar, condition: &Condition, value: &str) {
        let (subject, mark) = match scalar {
            // as many digits after the point in all of them: without it they are whole numbers
            Scalar::Decimal { .. } | Scalar::Amount(_) => (format!("CAST(REPLACE({value}, '.', '') AS INTEGER)"), "?"),
            // the same reading of digits on both sides
            Scalar::Number(_) => (format!("({value})"), "CAST(? AS REAL)"),
            _ => (format!("({value})"), "?"),
        };
        match condition {
            Condition::OneOf { values, .. } => {
                let marks = vec![mark; values.len()].join(",");
                self.push(format_args!(" AND {subject} IN ({marks})"));
                self.values.extend(values.iter().map(|value| as_stored(scalar, value)));
            }
            Condition::Range { bounds, is_null } => {
                for (bound, limit) in bounds {
                    self.push(format_args!(" AND {subject} {} {mark}", bound.operator()));
                    self.values.push(as_stored(scalar, limit));
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

    fn push(&mut self, sql: impl Display) {
        write!(self.sql, "{sql}").unwrap_or_default();
    }
}

/// A value as SQLite's JSON functions give it out of what is rendered. Timestamps, dates and times have a fixed width:
/// their order is that of their text.
fn as_stored(scalar: &Scalar, value: &Value) -> Cell {
    match (scalar, value) {
        (Scalar::Timestamp(_), Value::Int(millis)) => text(Timestamp::from_millis(*millis)),
        (Scalar::Date(_), Value::Int(days)) => text(Date::from_days(*days)),
        (Scalar::Time, Value::Int(millis)) => text(Time::from_millis(*millis)),
        (Scalar::Number(_), Value::Float(_)) => Cell::Text(written(|out| Form::Number.write(value, out))),
        (_, Value::Uuid(id)) => Cell::Text(id.hyphenated().to_string()),
        (_, value) => bind::scalar(value.clone()),
    }
}

fn text(value: Option<impl Display>) -> Cell {
    value.map_or(Cell::Null, |value| Cell::Text(value.to_string()))
}

/// The data of a search as it is kept: what was given, and nothing else.
pub(crate) fn kept(criteria: &Criteria, search: &Search) -> String {
    written(|out| {
        out.push(b'{');
        write_data(criteria, search, Shown::Given, "", out);
    })
}

/// A whole search: what every entity has, and each criterion of a version (rulings, "Searches").
pub(crate) fn write_search(id: Uuid, created_at: i64, criteria: &Criteria, search: &Search, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"id\":");
    Form::Uuid.write(&Value::Uuid(id), out);
    // nobody changes a search
    for name in ["createdAt", "updatedAt"] {
        out.extend_from_slice(format!(",\"{name}\":").as_bytes());
        Form::Timestamp.write(&Value::Int(created_at), out);
    }
    write_data(criteria, search, Shown::All, ",", out);
}

/// Whether criteria that were not given are shown.
#[derive(Clone, Copy, PartialEq)]
enum Shown {
    All,
    Given,
}

/// The data and the end of the object.
fn write_data(criteria: &Criteria, search: &Search, shown: Shown, first: &str, out: &mut Vec<u8>) {
    let mut separator = first;
    for (name, number) in [("limit", search.limit), ("offset", search.offset)] {
        let text = match number {
            Some(number) => number.to_string(),
            None if shown == Shown::All => "null".to_owned(),
            None => continue,
        };
        out.extend_from_slice(format!("{separator}\"{name}\":{text}").as_bytes());
        separator = ",";
    }
    write_members(criteria, &search.conditions, shown, separator, out);
    out.push(b'}');
}

fn write_members(criteria: &Criteria, conditions: &[Condition], shown: Shown, first: &str, out: &mut Vec<u8>) {
    let mut separator = first;
    for (index, criterion) in criteria.iter().enumerate() {
        let condition = conditions.get(index).unwrap_or(&Condition::Anything);
        if shown == Shown::All || condition.is_given() {
            out.extend_from_slice(separator.as_bytes());
            write_text(criterion.name().as_bytes(), out);
            out.push(b':');
            write_condition(criterion.sought(), condition, shown, out);
            separator = ",";
        }
    }
}

fn write_object(criteria: &Criteria, condition: &Condition, shown: Shown, out: &mut Vec<u8>) {
    out.push(b'{');
    write_members(criteria, condition.fields(), shown, "", out);
    out.push(b'}');
}

fn write_condition(sought: &Sought, condition: &Condition, shown: Shown, out: &mut Vec<u8>) {
    match (sought, condition) {
        (Sought::Object(criteria), condition) => write_object(criteria, condition, shown, out),
        (Sought::Objects(criteria), Condition::Objects(objects)) => {
            sequence(out, b'[', b']', objects, |object, out| write_object(criteria, object, shown, out));
        }
        (Sought::Scalar(scalar) | Sought::Values(scalar), Condition::OneOf { values, is_listed }) => {
            let form = form(scalar);
            match (values.as_slice(), is_listed) {
                ([value], false) => form.write(value, out),
                (values, _) => sequence(out, b'[', b']', values, |value, out| form.write(value, out)),
            }
        }
        (Sought::Scalar(scalar) | Sought::Values(scalar), Condition::Range { bounds, is_null }) => {
            let form = form(scalar);
            let bounds = bounds.iter().map(|(bound, value)| (bound.word(), written(|out| form.write(value, out))));
            let members = bounds.chain(is_null.map(|is_null| ("isNull", is_null.to_string())));
            sequence(out, b'{', b'}', members, |(word, text), out| {
                out.extend_from_slice(format!("\"{word}\":{text}").as_bytes());
            });
        }
        (Sought::Objects(_) | Sought::Values(_), _) => out.extend_from_slice(b"[]"),
        (Sought::Scalar(_), _) => out.extend_from_slice(b"null"),
    }
}

/// How a criterion's values are written: as the entity's are.
fn form(scalar: &Scalar) -> Form {
    match scalar {
        Scalar::Integer(_) => Form::Integer,
        Scalar::Number(_) => Form::Number,
        Scalar::Decimal { scale, .. } => Form::Decimal(*scale),
        Scalar::Amount(_) => Form::Decimal(amount::SCALE),
        Scalar::Boolean => Form::Boolean,
        Scalar::Uuid => Form::Uuid,
        Scalar::Timestamp(_) => Form::Timestamp,
        Scalar::Date(_) => Form::Date,
        Scalar::Time => Form::Time,
        _ => Form::Text,
    }
}

fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}
