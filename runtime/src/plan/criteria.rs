//! Searches (§2.5): their criteria, in SQL and in JSON.
//!
//! A criterion of the entity's own is a test of its column; what is asked of an array's elements is written by
//! [`Elements`].

use super::ColumnIndex;
use super::bind;
use super::cell::Cell;
use super::elements::Elements;
use super::form::{sequence, write_int, write_scalar, write_text};
use super::query::{Filter, Query, Test};
use restwell_model::Value;
use restwell_model::field::Match;
use restwell_model::input::{Criteria, Criterion, CriterionTest, Scalar, Search, Sought};
use restwell_model::language::JsonForm;
use restwell_model::scalar::amount;
use restwell_model::tables::{Content, Dialect, Slot, Table};
use uuid::Uuid;

/// What a collection can be searched by, in one version and view.
#[derive(Debug)]
pub(crate) struct Searchable {
    /// How the data of a search is read.
    pub(crate) criteria: Criteria,
    places: Vec<CriterionTarget>,
    dialect: Dialect,
}

/// The location of the value that a criterion is about.
#[derive(Debug)]
enum CriterionTarget {
    /// In a column.
    Column(ColumnIndex),
    /// In those of the fields.
    FieldForms(Vec<CriterionTarget>),
    /// As JSON in the column with this name.
    Array(ColumnIndex, String),
    /// Nowhere.
    Missing,
}

impl Searchable {
    /// Finds the columns.
    pub(super) fn new(criteria: Criteria, table: &Table, dialect: Dialect) -> Self {
        let places = places(&criteria, &table.slots, table);
        Self { criteria, places, dialect }
    }

    /// Adds the criteria of a search to a query.
    pub(crate) fn apply(&self, search: &Search, query: &mut Query) {
        restrict(self.dialect, &self.criteria, &self.places, &search.conditions, query);
    }
}

fn places(criteria: &Criteria, slots: &[Slot], table: &Table) -> Vec<CriterionTarget> {
    let place = |criterion: &Criterion| {
        let Some(slot) = slots.iter().find(|slot| slot.name == criterion.name()) else {
            return CriterionTarget::Missing;
        };
        let start = ColumnIndex::from(slot.columns.start);
        match (criterion.sought(), &slot.content) {
            (Sought::Object(inner), Content::Object { slots, .. }) => {
                CriterionTarget::FieldForms(places(inner, slots, table))
            }
            (Sought::Object(_), Content::Price) => {
                CriterionTarget::FieldForms(vec![CriterionTarget::Column(start), CriterionTarget::Column(start.next())])
            }
            (Sought::Object(_), Content::Reference) => {
                CriterionTarget::FieldForms(vec![CriterionTarget::Column(start)])
            }
            (Sought::Objects(_) | Sought::References(_) | Sought::Values(_), Content::Array) => {
                CriterionTarget::Array(start, table.columns[start].name.clone())
            }
            (Sought::Scalar(..), Content::Scalar) => CriterionTarget::Column(start),
            _ => CriterionTarget::Missing,
        }
    };
    criteria.iter().map(place).collect()
}

fn restrict(
    dialect: Dialect,
    criteria: &Criteria,
    places: &[CriterionTarget],
    conditions: &[CriterionTest],
    query: &mut Query,
) {
    for ((criterion, place), condition) in criteria.iter().zip(places).zip(conditions) {
        match (criterion.sought(), place, condition) {
            (Sought::Object(inner), CriterionTarget::FieldForms(places), condition) => {
                restrict(dialect, inner, places, condition.fields(), query);
            }
            (
                Sought::Objects(inner) | Sought::References(inner),
                CriterionTarget::Array(column, name),
                CriterionTest::Objects(objects),
            ) if condition.is_given() => {
                query.filters.push(holding(*column, Elements::of(dialect, name, inner, objects)));
            }
            (Sought::Values(scalar), CriterionTarget::Array(column, name), condition) if condition.is_given() => {
                query.filters.push(holding(*column, Elements::of_values(dialect, name, scalar, condition)));
            }
            (Sought::Scalar(..), CriterionTarget::Column(column), condition) => {
                let tests = tests(condition).into_iter();
                query.filters.extend(tests.map(|test| Filter { column: *column, test }));
            }
            _ => {}
        }
    }
}

fn holding(column: ColumnIndex, elements: Elements) -> Filter {
    Filter { column, test: Test::Holds { sql: elements.sql, values: elements.values } }
}

/// What a column must be.
fn tests(condition: &CriterionTest) -> Vec<Test> {
    let cell = |value: &Value| bind::scalar(value.clone());
    match condition {
        CriterionTest::OneOf { values, .. } => {
            vec![Test::OneOf { values: values.iter().map(cell).collect(), or_null: false }]
        }
        CriterionTest::Range { bounds, matches, is_null } => {
            let null = is_null.map(|is_null| match is_null {
                true => Test::OneOf { values: Vec::new(), or_null: true },
                false => Test::Given,
            });
            let bounds = bounds.iter().map(|(bound, value)| Test::Compare(bound.operator(), cell(value)));
            let matched = matches.iter().flat_map(|(it, values)| matching(*it, values.iter().map(cell).collect()));
            bounds.chain(matched).chain(null).collect()
        }
        _ => Vec::new(),
    }
}

/// What a column must be to match these values.
fn matching(it: Match, values: Vec<Cell>) -> Vec<Test> {
    let part = |values: Vec<Cell>| values.into_iter().next();
    match it {
        Match::Not => vec![Test::none_of(values)],
        Match::StartsWith | Match::Contains | Match::StartsWithIgnoreCase | Match::ContainsIgnoreCase => {
            match part(values) {
                Some(Cell::Text(text)) => Test::of_part(it, &text),
                _ => Vec::new(),
            }
        }
    }
}

/// The data of a search as it is stored: only the criteria that were given, under the present names.
pub(crate) fn kept(criteria: &Criteria, search: &Search) -> String {
    written(|out| {
        out.push(b'{');
        write_data(criteria, search, CriteriaShown::Given, "", out);
    })
}

/// A whole search: what every entity has, and each criterion of a version (decisions, "Searches").
pub(crate) fn write_search(id: Uuid, created_at: i64, criteria: &Criteria, search: &Search, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"id\":");
    write_scalar(JsonForm::Uuid, &Value::Uuid(id), out);
    // searches never change
    for name in ["createdAt", "updatedAt"] {
        out.extend_from_slice(format!(",\"{name}\":").as_bytes());
        write_int(JsonForm::Timestamp, created_at, out);
    }
    write_data(criteria, search, CriteriaShown::All, ",", out);
}

/// Which criteria are shown.
#[derive(Clone, Copy, PartialEq)]
enum CriteriaShown {
    /// All, under each of their names.
    All,
    /// Those that were given, under their present names.
    Given,
}

/// The data and the end of the object.
fn write_data(criteria: &Criteria, search: &Search, shown: CriteriaShown, first: &str, out: &mut Vec<u8>) {
    let mut separator = first;
    for (name, number) in [("limit", search.limit), ("offset", search.offset)] {
        let text = match number {
            Some(number) => number.to_string(),
            None if shown == CriteriaShown::All => "null".to_owned(),
            None => continue,
        };
        out.extend_from_slice(format!("{separator}\"{name}\":{text}").as_bytes());
        separator = ",";
    }
    write_members(criteria, &search.conditions, shown, separator, out);
    out.push(b'}');
}

fn write_members(
    criteria: &Criteria,
    conditions: &[CriterionTest],
    shown: CriteriaShown,
    first: &str,
    out: &mut Vec<u8>,
) {
    let mut separator = first;
    for (index, criterion) in criteria.iter().enumerate() {
        let condition = conditions.get(index).unwrap_or(&CriterionTest::Anything);
        if shown == CriteriaShown::All || condition.is_given() {
            for name in criterion.names().take(if shown == CriteriaShown::All { usize::MAX } else { 1 }) {
                out.extend_from_slice(separator.as_bytes());
                write_text(name.as_bytes(), out);
                out.push(b':');
                write_condition(criterion.sought(), condition, shown, out);
                separator = ",";
            }
        }
    }
}

fn write_object(criteria: &Criteria, condition: &CriterionTest, shown: CriteriaShown, out: &mut Vec<u8>) {
    out.push(b'{');
    write_members(criteria, condition.fields(), shown, "", out);
    out.push(b'}');
}

fn write_condition(sought: &Sought, condition: &CriterionTest, shown: CriteriaShown, out: &mut Vec<u8>) {
    match (sought, condition) {
        (Sought::Object(criteria), condition) if condition.is_given() => write_object(criteria, condition, shown, out),
        (Sought::Objects(criteria) | Sought::References(criteria), CriterionTest::Objects(objects)) => {
            sequence(out, b'[', b']', objects, |object, out| write_object(criteria, object, shown, out));
        }
        (Sought::Scalar(scalar, _) | Sought::Values(scalar), CriterionTest::OneOf { values, is_listed }) => {
            let form = form(scalar);
            match (values.as_slice(), is_listed) {
                ([value], false) => write_scalar(form, value, out),
                (values, _) => sequence(out, b'[', b']', values, |value, out| write_scalar(form, value, out)),
            }
        }
        (Sought::Scalar(scalar, _) | Sought::Values(scalar), CriterionTest::Range { bounds, matches, is_null }) => {
            let form = form(scalar);
            let bounds =
                bounds.iter().map(|(bound, value)| (bound.word(), written(|out| write_scalar(form, value, out))));
            let matches = matches.iter().map(|(it, values)| (it.word(), written_values(form, values)));
            let members = bounds.chain(matches).chain(is_null.map(|is_null| ("isNull", is_null.to_string())));
            sequence(out, b'{', b'}', members, |(word, text), out| {
                out.extend_from_slice(format!("\"{word}\":{text}").as_bytes());
            });
        }
        (Sought::Objects(_) | Sought::References(_) | Sought::Values(_), _) => out.extend_from_slice(b"[]"),
        (Sought::Scalar(..) | Sought::Object(_), _) => out.extend_from_slice(b"null"),
    }
}

/// One value as it is, several as an array.
fn written_values(form: JsonForm, values: &[Value]) -> String {
    written(|out| match values {
        [value] => write_scalar(form, value, out),
        values => sequence(out, b'[', b']', values, |value, out| write_scalar(form, value, out)),
    })
}

/// How a criterion's values are written: as the entity's are.
pub(super) fn form(scalar: &Scalar) -> JsonForm {
    match scalar {
        Scalar::Integer(_) => JsonForm::Integer,
        Scalar::Number(_) => JsonForm::Number,
        Scalar::Decimal { scale, .. } => JsonForm::Decimal { scale: *scale },
        Scalar::Amount(_) => JsonForm::Decimal { scale: amount::SCALE },
        Scalar::Boolean => JsonForm::Boolean,
        Scalar::Uuid => JsonForm::Uuid,
        Scalar::Timestamp(_) => JsonForm::Timestamp,
        Scalar::Date(_) => JsonForm::Date,
        Scalar::Time => JsonForm::Time,
        Scalar::String { .. } | Scalar::Checked(_) | Scalar::Currency(_) | Scalar::Enum { .. } => JsonForm::Text,
    }
}

fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}
