//! Conditions of the model, compiled at the start: resolved expressions, which a request reduces by what it knows of
//! its caller. Only the rest becomes SQL, a predicate over the entity's table.

use super::cell::Cell;
use super::predicate::{Predicate, Reduced};
use super::query::{Filter, Test};
use super::{ColumnIndex, Owner};
use restwell_model::condition::sql::{SqlTarget, predicate};
use restwell_model::condition::{Condition, Facts, Reads, Scope, Typed, reduce};
use restwell_model::tables::{Dialect, Table};
use restwell_model::{Access, Checked, Resource, Value};
use std::collections::HashMap;
use std::sync::Arc;
use uuid::Uuid;

/// A condition, ready to be reduced.
#[derive(Debug)]
pub(crate) struct ConditionPlan {
    typed: Typed,
    /// The resource of the entity; a role has none.
    resource: Option<String>,
    reads: Reads,
}

/// What conditions become SQL with.
#[derive(Debug)]
pub(crate) struct ConditionTables {
    pub(crate) dialect: Dialect,
    pub(crate) tables: HashMap<String, Table>,
}

impl ConditionPlan {
    /// Compiles a condition of the model, which has been checked.
    pub(super) fn compile(service: &Checked, resource: Option<&Resource>, condition: &Condition) -> Option<Self> {
        let typed = condition.typed(&Scope { service, entity: resource, old: false }).ok()?;
        let reads = typed.reads();
        Some(Self { typed, resource: resource.map(|resource| resource.name.clone()), reads })
    }

    /// The roles and conditions of an access list. What cannot be compiled grants nothing.
    pub(super) fn of_access(service: &Checked, resource: &Resource, access: &[Access]) -> Vec<Self> {
        let compile = |access: &Access| match access {
            Access::Role(role) => Self::compile(service, None, service.roles.get(role)?),
            Access::When(condition) => Self::compile(service, Some(resource), condition),
            Access::Anyone | Access::User | Access::Owner | Access::Scope(_) => None,
        };
        access.iter().filter_map(compile).collect()
    }

    /// Whether it is a role: it holds for a caller, whatever the entity.
    pub(crate) fn is_role(&self) -> bool {
        self.resource.is_none()
    }

    /// The resolved expression.
    pub(crate) fn typed(&self) -> &Typed {
        &self.typed
    }

    /// What is left of it. What is not SQL, because a fact is missing, never holds.
    pub(crate) fn reduce(&self, facts: &dyn Facts, tables: &ConditionTables) -> Reduced {
        let reduced = reduce(&self.typed, facts);
        if reduced.is_true() {
            return Reduced::Always;
        }
        let (false, Some(resource)) = (reduced.is_never(), &self.resource) else { return Reduced::Never };
        let target = SqlTarget { dialect: tables.dialect, tables: &tables.tables, resource, alias: "t" };
        match predicate(&reduced, target) {
            Some(sql) => Reduced::Meets(Arc::new(Predicate {
                sql: sql.text.into(),
                values: sql.values.into_iter().map(bound).collect(),
                // its values change with the time
                reads_others: !self.reads.resources.is_empty() || self.reads.now,
            })),
            None => Reduced::Never,
        }
    }
}

impl Predicate {
    /// Either of two.
    pub(crate) fn or(&self, other: &Self) -> Self {
        Self {
            sql: format!("({} OR {})", self.sql, other.sql).into(),
            values: self.values.iter().chain(&other.values).cloned().collect(),
            reads_others: self.reads_others || other.reads_others,
        }
    }

    /// The entities of an owner.
    pub(crate) fn of_owner(owner: &Owner, table: &Table, id: Uuid) -> Self {
        let column = &table.columns[owner.column].name;
        Self { sql: format!("t.\"{column}\" = ?").into(), values: vec![Cell::Uuid(id)], reads_others: false }
    }

    /// As a condition of a query.
    pub(crate) fn filter(self: &Arc<Self>) -> Filter {
        Filter { column: ColumnIndex::ID, test: Test::Meets(Arc::clone(self)) }
    }
}

/// A value of the model, as it is bound.
pub(super) fn bound(value: Value) -> Cell {
    match value {
        Value::Int(number) => Cell::Int(number),
        Value::Float(number) => Cell::Real(number),
        Value::Text(text) => Cell::Text(text),
        Value::Uuid(id) => Cell::Uuid(id),
        Value::Bool(flag) => Cell::Int(flag.into()),
        Value::Null | Value::Absent | Value::Price(..) | Value::List(_) | Value::Object(_) => Cell::Null,
    }
}
