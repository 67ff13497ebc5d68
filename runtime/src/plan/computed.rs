//! Computed fields (`is`): columns of the statements that read entities, and values for the service's own code.

use super::cell::Cell;
use super::conditions::bound;
use super::rules::value_of;
use super::view::ResourceSource;
use crate::clock::Clock;
use restwell_model::condition::sql::{BoundTime, SqlTarget, columns};
use restwell_model::condition::{Facts, FieldPath, Subject, Typed, evaluate};
use restwell_model::tables::{CREATED_AT, ID, UPDATED_AT};
use restwell_model::{Checked, Field, Resource, Value};

/// A value that a statement binds for its columns.
#[derive(Debug, Clone)]
pub(crate) enum ColumnValue {
    /// A constant of the model.
    Constant(Cell),
    /// What depends on the time at which it runs.
    OfTime(BoundTime, Clock),
}

impl ColumnValue {
    /// What is bound now.
    pub(crate) fn cell(&self) -> Cell {
        match self {
            Self::Constant(cell) => cell.clone(),
            Self::OfTime(time, clock) => time.at(clock.now()).map_or(Cell::Null, Cell::Int),
        }
    }
}

/// The columns of a computed field of a row with this alias, and what they bind.
pub(super) fn column_sql(
    source: ResourceSource<'_>,
    (resource, alias): (&Resource, &str),
    field: &Field,
) -> Option<Vec<(String, Vec<ColumnValue>)>> {
    let typed = value_of(source.service, resource, field, field.computed.as_ref()?)?;
    let target = SqlTarget { dialect: source.dialect, tables: source.tables, resource: &resource.name, alias };
    let of_value = |value: Value| match BoundTime::of(&value) {
        Some(time) => ColumnValue::OfTime(time, source.clock.clone()),
        None => ColumnValue::Constant(bound(value)),
    };
    let columns = columns(&typed, target)?.into_iter();
    Some(columns.map(|sql| (sql.text, sql.values.into_iter().map(of_value).collect())).collect())
}

/// A computed field, for the service's own code.
#[derive(Debug)]
pub(crate) struct ComputedPlan {
    /// Its position among the fields.
    pub(crate) index: usize,
    /// The expression.
    pub(crate) value: Typed,
    /// Whether it depends on other entities.
    pub(crate) reads_others: bool,
}

/// The computed fields of a resource.
pub(super) fn compile(service: &Checked, resource: &Resource) -> Vec<ComputedPlan> {
    let fields = resource.fields.iter().enumerate();
    let plan = |(index, field): (usize, &Field)| {
        let value = value_of(service, resource, field, field.computed.as_ref()?)?;
        let reads_others = !value.reads().resources.is_empty();
        Some(ComputedPlan { index, value, reads_others })
    };
    fields.filter_map(plan).collect()
}

/// Fills in the computed fields that depend on the row alone; others stay null.
pub(super) fn fill(plans: &[ComputedPlan], row: &[Cell], values: &mut Value, now: impl Fn() -> i64) {
    for plan in plans.iter().filter(|plan| !plan.reads_others) {
        let now = &now;
        let value = evaluate(&plan.value, &RowFacts { row, values, now });
        if let (Some(value), Value::Object(fields)) = (value, &mut *values)
            && let Some(field) = fields.get_mut(plan.index)
        {
            *field = value;
        }
    }
}

/// What is known of a row.
struct RowFacts<'a> {
    row: &'a [Cell],
    values: &'a Value,
    now: &'a dyn Fn() -> i64,
}

impl Facts for RowFacts<'_> {
    fn field(&self, of: Subject<'_>, path: &FieldPath) -> Option<Value> {
        if of != Subject::This {
            return None;
        }
        let cell = |at: usize| self.row.get(at).map(Cell::borrow);
        match path.names.as_slice() {
            [name] if path.indexes.is_empty() => match name.as_str() {
                "id" => cell(ID)?.uuid().map(Value::Uuid),
                "createdAt" => cell(CREATED_AT)?.int().map(Value::Int),
                "updatedAt" => cell(UPDATED_AT)?.int().map(Value::Int),
                _ => None,
            },
            _ => path.within(self.values),
        }
    }

    fn now(&self) -> Option<i64> {
        Some((self.now)())
    }
}
