//! The conditions of a resource, resolved: its rules, what is required where, defaults and transitions.

use restwell_model::condition::{self, Condition, Scope, Typed};
use restwell_model::{Checked, ErrorCode, Field, Problem, Resource};
use std::collections::BTreeSet;

/// What every write of a resource has to keep.
#[derive(Debug, Default)]
pub(crate) struct RulesPlan {
    /// In the order of the model.
    pub(crate) rules: Vec<RulePlan>,
    /// The fields that are required under a condition.
    pub(crate) required: Vec<RequiredPlan>,
    /// Whether some ask which other entities of the resource refer to the same one.
    pub(crate) counts_others: bool,
}

/// A rule.
#[derive(Debug)]
pub(crate) struct RulePlan {
    /// What has to hold.
    pub(crate) check: Typed,
    /// The fields that it reads.
    pub(crate) fields: BTreeSet<String>,
    /// The error where it does not hold.
    problem: Problem,
}

/// A field that is required under a condition.
#[derive(Debug)]
pub(crate) struct RequiredPlan {
    /// The position of the field in the model.
    pub(crate) index: usize,
    /// Its name.
    pub(crate) name: String,
    /// When it is required.
    pub(crate) when: Typed,
    /// The fields that the condition reads, and the field itself.
    pub(crate) fields: BTreeSet<String>,
}

/// A field whose default is computed.
#[derive(Debug)]
pub(crate) struct DefaultPlan {
    /// The position of the field in the model.
    pub(crate) index: usize,
    /// Its name.
    pub(crate) name: String,
    /// Whether it must not be null.
    pub(crate) is_required: bool,
    /// Its value.
    pub(crate) value: Typed,
}

impl RulesPlan {
    /// Resolves those of a resource.
    pub(super) fn compile(service: &Checked, resource: &Resource) -> Self {
        let scope = Scope { service, entity: Some(resource), old: true };
        let rules = resource.rules.iter().filter_map(|rule| {
            // what `check` let pass can be resolved
            let check = rule.check.typed(&scope).ok()?;
            let reads = check.reads();
            let fields = first_names(reads.fields.iter().chain(&reads.old_fields));
            let mut problem = Problem::custom(&rule.code, &rule.text());
            problem.path.clone_from(&rule.path);
            if let Some(custom) = &mut problem.custom {
                custom.fields = fields.iter().cloned().collect();
            }
            Some(RulePlan { check, fields, problem })
        });
        let required = resource.fields.iter().enumerate().filter_map(|(index, field)| {
            let is_set_later = field.required && resource.may_be_null(field);
            // what was set once is not taken away
            let is_set = is_set_later.then(|| Condition::new(format!("old != null && old.{} != null", field.name)));
            let when = field.required_when.as_ref().or(is_set.as_ref())?.typed(&scope).ok()?;
            let reads = when.reads();
            let mut fields = first_names(reads.fields.iter().chain(&reads.old_fields));
            fields.insert(field.name.clone());
            Some(RequiredPlan { index, name: field.name.clone(), when, fields })
        });
        let (rules, required): (Vec<RulePlan>, Vec<RequiredPlan>) = (rules.collect(), required.collect());
        let mut conditions = rules.iter().map(|it| &it.check).chain(required.iter().map(|it| &it.when));
        let counts_others = conditions.any(|condition| condition.counts_beside(&resource.name));
        Self { rules, required, counts_others }
    }

    /// Whether there is nothing to keep.
    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.required.is_empty()
    }
}

impl RulePlan {
    /// The error where it does not hold.
    pub(crate) fn problem(&self) -> Problem {
        self.problem.clone()
    }
}

impl RequiredPlan {
    /// The error of a field without a value.
    pub(crate) fn problem(&self) -> Problem {
        Problem::at(ErrorCode::Required, &self.name)
    }
}

/// The defaults of a resource that are computed.
pub(super) fn defaults(service: &Checked, resource: &Resource) -> Vec<DefaultPlan> {
    let fields = resource.fields.iter().enumerate();
    let default = |(index, field): (usize, &Field)| {
        let value = value_of(service, resource, field, field.default_is.as_ref()?)?;
        Some(DefaultPlan { index, name: field.name.clone(), is_required: field.required, value })
    };
    fields.filter_map(default).collect()
}

/// An expression that gives the value of a field.
pub(super) fn value_of(service: &Checked, resource: &Resource, field: &Field, value: &Condition) -> Option<Typed> {
    let scope = Scope { service, entity: Some(resource), old: false };
    let ty = condition::static_type(service, &field.ty)?;
    condition::check_value(&condition::parse(value.as_str()).ok()?, &scope, &ty).ok()
}

/// The fields of an entity that dotted names begin with.
fn first_names<'n>(names: impl Iterator<Item = &'n String>) -> BTreeSet<String> {
    names.filter_map(|name| Some(name.split('.').next()?.to_owned())).collect()
}
