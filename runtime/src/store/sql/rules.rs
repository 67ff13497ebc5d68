//! Rules of a resource, decided in the transaction of the write.

use super::{Session, look};
use crate::plan::Plans;
use crate::plan::cell::Cell;
use crate::plan::facts::{KnownEntity, KnownFacts};
use crate::store::{Change, Read, Refusal};
use restwell_model::Problem;

/// The problems of a row that is about to be written. Rules that read a field of which the request has no valid value
/// are left out.
pub(super) async fn broken(
    session: &impl Session,
    plans: &Plans,
    change: &Change,
    cells: &[Cell],
    stored: Option<&[Cell]>,
) -> Result<Vec<Problem>, Refusal> {
    let plan = &plans.resources[change.at.resource];
    if plan.rules.is_empty() {
        return Ok(Vec::new());
    }
    let entity = |row: &[Cell]| KnownEntity::of(plan, row);
    let entities = (entity(cells), stored.map(entity));
    let mut facts = KnownFacts::new(plans, entities, change.author.as_deref(), change.now);
    let read = |read: Read| async move { look(session, plans, &read, &[]).await.map_err(Refusal::from) };
    let is_read = |name: &String| change.faulty.contains(name);
    let mut problems = Vec::new();
    for required in plan.rules.required.iter().filter(|it| !it.fields.iter().any(is_read)) {
        if facts.is_null(required.index) && facts.holds(&required.when, read).await? {
            problems.push(required.problem());
        }
    }
    for rule in plan.rules.rules.iter().filter(|it| !it.fields.iter().any(is_read)) {
        if !facts.holds(&rule.check, read).await? {
            problems.push(rule.problem());
        }
    }
    Ok(problems)
}
