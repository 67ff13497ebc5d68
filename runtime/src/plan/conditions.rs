//! Conditions of the model, compiled at the start: resolved expressions, which a request reduces by what it knows of
//! its caller. Only the rest becomes SQL, a predicate over the entity's table.

use super::cell::Cell;
use super::predicate::{Predicate, Reduced};
use super::query::{Filter, Test};
use super::{Owner, ResourceIndex, indexed_parts};
use restwell_model::condition::sql::{SqlTarget, predicate, predicate_of_new};
use restwell_model::condition::{Condition, Facts, Scope, Typed, reduce};
use restwell_model::tables::{Dialect, Table};
use restwell_model::{Access, Checked, Resource, Value};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
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
    /// Whether it decides who creates the entity, which then is there already.
    is_of_creation: bool,
    /// The reduced condition, computed once, if it reads neither the caller nor the time.
    alike: Option<OnceLock<Reduced>>,
}

/// What conditions become SQL with.
#[derive(Debug)]
pub(crate) struct ConditionTables {
    pub(crate) dialect: Dialect,
    pub(crate) tables: HashMap<String, Table>,
}

impl ConditionTables {
    /// What a condition of a resource becomes SQL with, over its table as `t`.
    pub(crate) fn target<'a>(&'a self, resource: &'a str) -> SqlTarget<'a> {
        SqlTarget { dialect: self.dialect, tables: &self.tables, resource, alias: "t" }
    }
}

impl ConditionPlan {
    /// Compiles a condition of the model, which has been checked.
    pub(super) fn compile(service: &Checked, resource: Option<&Resource>, condition: &Condition) -> Option<Self> {
        let typed = condition.typed(&Scope { service, entity: resource, old: false }).ok()?;
        let reads = typed.reads();
        let others = reads.resources.iter().filter_map(|name| ResourceIndex::of(service, name)).collect();
        let resource = resource.map(|resource| resource.name.clone());
        let alike = (!reads.caller && !reads.now).then(OnceLock::new);
        Some(Self { typed, resource, others, reads_time: reads.now, is_of_creation: false, alike })
    }

    /// The roles and conditions of an access list. What cannot be compiled grants nothing.
    pub(super) fn of_access(service: &Checked, resource: &Resource, access: &[Access]) -> Vec<Self> {
        let compile = |access: &Access| match access {
            Access::Role(role) => Self::compile(service, None, service.roles.get(role)?),
            Access::When(condition) | Access::Named(condition) => Self::compile(service, Some(resource), condition),
            Access::Anyone | Access::User | Access::Owner | Access::Scope(_) => None,
        };
        access.iter().filter_map(compile).collect()
    }

    /// The same of a creation.
    pub(super) fn of_creation(service: &Checked, resource: &Resource, access: &[Access]) -> Vec<Self> {
        let of_creation = |plan| Self { is_of_creation: true, ..plan };
        Self::of_access(service, resource, access).into_iter().map(of_creation).collect()
    }

    /// Whether it is a role: it holds for a caller, whatever the entity.
    pub(crate) fn is_role(&self) -> bool {
        self.resource.is_none()
    }

    /// The resolved expression.
    pub(crate) fn typed(&self) -> &Typed {
        &self.typed
    }

    /// Reduces it by facts about the caller and the time. What does not become SQL, because a fact is missing, never
    /// holds.
    pub(crate) fn reduce(&self, facts: &dyn Facts, tables: &ConditionTables) -> Reduced {
        match &self.alike {
            Some(alike) => alike.get_or_init(|| self.reduce_anew(facts, tables)).clone(),
            None => self.reduce_anew(facts, tables),
        }
    }

    fn reduce_anew(&self, facts: &dyn Facts, tables: &ConditionTables) -> Reduced {
        let reduced = reduce(&self.typed, facts);
        if reduced.is_true() {
            return Reduced::Always;
        }
        let (false, Some(resource)) = (reduced.is_never(), &self.resource) else { return Reduced::Never };
        self.predicate(&reduced, tables, resource)
            .map_or(Reduced::Never, |predicate| Reduced::Meets(Arc::new(predicate)))
    }

    /// A reduced condition as SQL, and as filters where an index serves a part of it.
    fn predicate(&self, reduced: &Typed, tables: &ConditionTables, resource: &str) -> Option<Predicate> {
        let target = tables.target(resource);
        if self.is_of_creation {
            // one row is asked about
            let sql = predicate_of_new(reduced, target)?;
            let values = sql.values.into_iter().map(bound).collect();
            return Some(Predicate {
                sql: sql.text.into(),
                values,
                others: self.others.clone(),
                ..Predicate::default()
            });
        }
        let conjuncts = reduced.conjuncts();
        let mut served = Vec::with_capacity(conjuncts.len());
        let mut written = Vec::with_capacity(conjuncts.len());
        for conjunct in &conjuncts {
            let sql = predicate(conjunct, target)?;
            // one caller's numbers are not asked for often
            let exclude = |_| indexed_parts::excluded(conjunct, tables, resource, &self.others);
            let excluded = self.alike.as_ref().and_then(exclude).map(Arc::new);
            let filter = indexed_parts::filter(conjunct, tables, resource, &self.others);
            served.push(filter.map(|filter| filter.excluding(excluded.as_ref())));
            written.push(Predicate {
                sql: sql.text.into(),
                values: sql.values.into_iter().map(bound).collect(),
                parts: Vec::new(),
                others: self.others.clone(),
                is_timed: self.reads_time,
                column: indexed_parts::only_column(conjunct, tables, resource),
                excluded,
            });
        }
        // one condition says no more in parts
        let has_difference = conjuncts.len() > 1 && written.iter().any(|part| part.excluded.is_some());
        let is_divided = has_difference || served.iter().any(Option::is_some);
        let mut whole = Predicate { others: self.others.clone(), ..Predicate::all(&written)? };
        if is_divided {
            let parts = written.into_iter().zip(served);
            whole.parts = parts.map(|(part, filter)| filter.unwrap_or_else(|| Arc::new(part).filter())).collect();
        }
        Some(whole)
    }
}

impl Predicate {
    /// All of some; `None` of none.
    fn all(predicates: &[Self]) -> Option<Self> {
        let (first, rest) = predicates.split_first()?;
        let both = |one: Self, other: &Self| one.joined(" AND ", other);
        Some(rest.iter().fold(first.clone(), both))
    }

    /// Either of two.
    pub(crate) fn or(&self, other: &Self) -> Self {
        self.joined(" OR ", other)
    }

    fn joined(&self, operator: &str, other: &Self) -> Self {
        Self {
            sql: format!("({}{operator}{})", self.sql, other.sql).into(),
            values: self.values.iter().chain(&other.values).cloned().collect(),
            parts: Vec::new(),
            others: self.others.iter().chain(&other.others).copied().collect(),
            is_timed: self.is_timed || other.is_timed,
            column: self.column.filter(|_| self.column == other.column),
            excluded: None,
        }
    }

    /// The entities of an owner.
    pub(crate) fn of_owner(owner: &Owner, table: &Table, id: Uuid) -> Self {
        let column = &table.columns[owner.column].name;
        Self {
            sql: format!("t.\"{column}\" = ?").into(),
            values: vec![Cell::Uuid(id)],
            parts: vec![Filter { column: owner.column, test: Test::equal(Cell::Uuid(id)) }],
            column: Some(owner.column),
            ..Self::default()
        }
    }
}

/// A value of the model, as it is bound.
pub(crate) fn bound(value: Value) -> Cell {
    match value {
        Value::Int(number) => Cell::Int(number),
        Value::Float(number) => Cell::Real(number),
        Value::Text(text) => Cell::Text(text),
        Value::Uuid(id) => Cell::Uuid(id),
        Value::Bool(flag) => Cell::Int(flag.into()),
        Value::Null | Value::Absent | Value::Price(..) => Cell::Null,
        Value::List(_) | Value::Object(_) | Value::Map(_) | Value::Json(_) => Cell::Null,
    }
}
