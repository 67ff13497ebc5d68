//! Conditions of the model, compiled at the start: resolved expressions, which a request reduces by what it knows of
//! its caller. Only the rest becomes SQL, a predicate over the entity's table.

use super::cell::Cell;
use super::predicate::{Predicate, Reduced};
use super::query::{Filter, Test};
use super::{Owner, ResourceIndex, indexed_parts};
use restwell_model::condition::sql::{SqlTarget, predicate};
use restwell_model::condition::{Condition, Facts, Scope, Typed, reduce};
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
    /// The resources that it reads besides.
    others: Vec<ResourceIndex>,
    reads_time: bool,
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
        let others = reads.resources.iter().filter_map(|name| ResourceIndex::of(service, name)).collect();
        let resource = resource.map(|resource| resource.name.clone());
        Some(Self { typed, resource, others, reads_time: reads.now })
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
        match self.whole(&reduced, tables, resource) {
            Some(whole) => Reduced::Meets(Arc::new(Predicate {
                parts: self.parts(&reduced, tables, resource).unwrap_or_default(),
                ..whole
            })),
            None => Reduced::Never,
        }
    }

    /// A reduced condition as one predicate.
    fn whole(&self, reduced: &Typed, tables: &ConditionTables, resource: &str) -> Option<Predicate> {
        let target = SqlTarget { dialect: tables.dialect, tables: &tables.tables, resource, alias: "t" };
        let sql = predicate(reduced, target)?;
        Some(Predicate {
            sql: sql.text.into(),
            values: sql.values.into_iter().map(bound).collect(),
            parts: Vec::new(),
            others: self.others.clone(),
            is_timed: self.reads_time,
        })
    }

    /// The same as filters, if an index serves one of them.
    fn parts(&self, reduced: &Typed, tables: &ConditionTables, resource: &str) -> Option<Vec<Filter>> {
        let (mut served, mut parts) = (false, Vec::new());
        for part in indexed_parts::conjuncts(reduced) {
            parts.push(match indexed_parts::filter(part, tables, resource, &self.others) {
                Some(filter) => {
                    served = true;
                    filter
                }
                None => Arc::new(self.whole(part, tables, resource)?).filter(),
            });
        }
        served.then_some(parts)
    }
}

impl Predicate {
    /// Either of two.
    pub(crate) fn or(&self, other: &Self) -> Self {
        Self {
            sql: format!("({} OR {})", self.sql, other.sql).into(),
            values: self.values.iter().chain(&other.values).cloned().collect(),
            parts: Vec::new(),
            others: self.others.iter().chain(&other.others).copied().collect(),
            is_timed: self.is_timed || other.is_timed,
        }
    }

    /// The entities of an owner.
    pub(crate) fn of_owner(owner: &Owner, table: &Table, id: Uuid) -> Self {
        let column = &table.columns[owner.column].name;
        Self {
            sql: format!("t.\"{column}\" = ?").into(),
            values: vec![Cell::Uuid(id)],
            parts: vec![Filter { column: owner.column, test: Test::equal(Cell::Uuid(id)) }],
            ..Self::default()
        }
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
