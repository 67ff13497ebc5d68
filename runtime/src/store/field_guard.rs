//! What the author of a change may set: fields that not every caller sees, or may change. It is decided on the entity
//! as it is stored, and at a creation on the new one.

use super::facts::{KnownFacts, Written};
use super::{Change, Read, ReadResult, StoreError, changed_row};
use crate::plan::cell::Cell;
use crate::plan::field_access::FieldAccess;
use crate::plan::{Plans, ResourcePlan};
use restwell_model::{Problem, Value};

/// What the author of a change sees of an entity, and may change of it: of each list of callers in the plan, whether
/// the author is one of them.
struct FieldGrants {
    visible: Vec<bool>,
    writable: Vec<bool>,
}

/// The values of an update once it is known what its author sees.
pub(crate) struct GuardedUpdate {
    /// With [`Value::Absent`] for what the author does not see.
    pub(crate) value: Value,
    /// Values that those who see the field have to give.
    pub(crate) problems: Vec<Problem>,
    /// The paths of fields that the author may not set.
    pub(crate) forbidden: Vec<String>,
    /// The names of fields that the author does not see.
    pub(crate) unseen: Vec<String>,
}

impl FieldGrants {
    /// For the entity of a row, by what is known of it.
    async fn of<F, R, E>(
        mut facts: KnownFacts<'_>,
        plans: &Plans,
        change: &Change,
        row: &[Cell],
        read: F,
    ) -> Result<Self, E>
    where
        F: Fn(Read) -> R,
        R: Future<Output = Result<ReadResult, E>>,
        E: From<StoreError>,
    {
        let plan = &plans.resources[change.at.resource];
        let mut grants = Self { visible: Vec::new(), writable: Vec::new() };
        let owner = plan.owner_of(row);
        for (lists, granted) in
            [(&plan.fields.visible, &mut grants.visible), (&plan.fields.writable, &mut grants.writable)]
        {
            for callers in lists {
                granted.push(facts.is_among(callers, owner, &read).await?);
            }
        }
        Ok(grants)
    }

    fn sees(&self, field: &FieldAccess) -> bool {
        field.visible.is_none_or(|callers| self.visible.get(callers) == Some(&true))
    }

    /// Whether the field may be changed; nobody changes what they do not see.
    fn may_change(&self, field: &FieldAccess) -> bool {
        self.sees(field) && self.is_writer(field)
    }

    /// Whether the field of a new entity may be set: its author knows what they send, so `writable` decides alone.
    fn may_give(&self, field: &FieldAccess) -> bool {
        if field.is_given_unseen { self.is_writer(field) } else { self.sees(field) }
    }

    fn is_writer(&self, field: &FieldAccess) -> bool {
        field.writable.is_none_or(|callers| self.writable.get(callers) == Some(&true))
    }
}

/// What is known of the row of an entity by the author of a change.
fn facts<'a>(plans: &'a Plans, change: &'a Change, row: &'a [Cell]) -> KnownFacts<'a> {
    KnownFacts::of_row(plans, Written { resource: change.at.resource, row }, change.author.as_deref(), change.now)
}

/// The values of an update of a stored row: what its author does not see stays. An author who sees everything may set
/// everything that the access of the operation lets through.
pub(crate) async fn update<F, R, E>(
    plans: &Plans,
    change: &Change,
    value: Value,
    row: &[Cell],
    read: F,
) -> Result<GuardedUpdate, E>
where
    F: Fn(Read) -> R,
    R: Future<Output = Result<ReadResult, E>>,
    E: From<StoreError>,
{
    let plan = &plans.resources[change.at.resource];
    let mut guarded = GuardedUpdate { value, problems: Vec::new(), forbidden: Vec::new(), unseen: Vec::new() };
    if plan.fields.is_empty() || !change.viewer.guards_fields() {
        return Ok(guarded);
    }
    let grants = FieldGrants::of(facts(plans, change, row), plans, change, row, read).await?;
    settle(plan, change, &grants, &mut guarded);
    let (cells, _) = changed_row::updated(plan, change, guarded.value.clone(), row);
    for field in &plan.fields.fields {
        let is_changed = cells.get(field.columns.clone()) != row.get(field.columns.clone());
        if is_changed && !grants.may_change(field) && !guarded.forbidden.contains(&field.path) {
            guarded.forbidden.push(field.path.clone());
        }
    }
    Ok(guarded)
}

/// Decides what null and nothing mean for each field that not every caller sees.
fn settle(plan: &ResourcePlan, change: &Change, grants: &FieldGrants, guarded: &mut GuardedUpdate) {
    let members = changed_row::shape(plan, change).members();
    let Value::Object(values) = &mut guarded.value else { return };
    for field in plan.fields.fields.iter().filter(|field| field.visible.is_some()) {
        let (Some(member), Some(value)) = (members.get(field.index), values.get_mut(field.index)) else { continue };
        if grants.sees(field) {
            let (seen, problem) = member.seen(std::mem::take(value));
            *value = seen;
            // what is faulty is reported already
            guarded.problems.extend(problem.filter(|_| !change.faulty.contains(&field.name)));
            continue;
        }
        guarded.unseen.push(field.name.clone());
        if !member.is_unseen(value) {
            guarded.forbidden.push(field.path.clone());
        }
        *value = Value::Absent;
    }
}

/// The paths of the fields that the author of a creation sets and may not set, of the new row.
pub(crate) async fn forbidden_at_creation<F, R, E>(
    plans: &Plans,
    change: &Change,
    row: &[Cell],
    read: F,
) -> Result<Vec<String>, E>
where
    F: Fn(Read) -> R,
    R: Future<Output = Result<ReadResult, E>>,
    E: From<StoreError>,
{
    // of an entity with faulty values it cannot be decided
    if change.given.is_empty() || !change.faulty.is_empty() {
        return Ok(Vec::new());
    }
    let grants = FieldGrants::of(facts(plans, change, row).before_creation(), plans, change, row, read).await?;
    let fields = plans.resources[change.at.resource].fields.fields.iter();
    let forbidden = fields.filter(|field| change.given.contains(&field.index) && !grants.may_give(field));
    Ok(forbidden.map(|field| field.path.clone()).collect())
}

/// The names of the fields of a row that the author of a change does not see.
pub(crate) async fn unseen<F, R, E>(plans: &Plans, change: &Change, row: &[Cell], read: F) -> Result<Vec<String>, E>
where
    F: Fn(Read) -> R,
    R: Future<Output = Result<ReadResult, E>>,
    E: From<StoreError>,
{
    let plan = &plans.resources[change.at.resource];
    let is_seen = |field: &FieldAccess| field.sight(change.at.resource, &change.viewer).is_all();
    if plan.fields.fields.iter().all(is_seen) {
        return Ok(Vec::new());
    }
    let grants = FieldGrants::of(facts(plans, change, row), plans, change, row, read).await?;
    Ok(plan.fields.fields.iter().filter(|field| !grants.sees(field)).map(|field| field.name.clone()).collect())
}

impl ResourcePlan {
    /// The fields with access of their own that a creation sets to something else than their defaults.
    pub(crate) fn given_fields(&self, change_at: super::RepresentationId, value: &Value) -> Vec<usize> {
        let Value::Object(values) = value else { return Vec::new() };
        let members = self.representation(change_at).shape.members();
        let is_given = |index: usize| match (members.get(index), values.get(index)) {
            (Some(member), Some(value)) => *value != Value::Absent && value != member.default_value(),
            _ => false,
        };
        self.fields.fields.iter().map(|field| field.index).filter(|index| is_given(*index)).collect()
    }
}
