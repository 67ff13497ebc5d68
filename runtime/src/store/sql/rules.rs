//! Rules of a resource, decided in the transaction of the write.

use super::{Session, SqlFailure, look};
use crate::plan::Plans;
use crate::plan::cell::Cell;
use crate::plan::query::{Filter, Test};
use crate::store::facts::{KnownFacts, Written};
use crate::store::{Change, Read, ReadResult, Refusal, field_guard};
use restwell_model::condition::Typed;
use restwell_model::{ErrorCode, Problem, Value};
use std::collections::BTreeSet;

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
    let written = Written { resource: change.at.resource, row: cells };
    let facts = KnownFacts::of_row(plans, written, change.author.as_deref(), change.now);
    let mut facts = facts.changed(stored, &change.faulty);
    let read = |read: Read| async move {
        keep_count(session, plans, change, &read).await?;
        look(session, plans, &read, &[]).await.map_err(Refusal::from)
    };
    let is_read = |name: &String| change.faulty.contains(name);
    let mut found: Vec<(Problem, &BTreeSet<String>)> = Vec::new();
    for required in plan.rules.required.iter().filter(|it| !it.fields.iter().any(is_read)) {
        if facts.is_null(required.index) && holds(&mut facts, &required.when, change, read).await? == Some(true) {
            found.push((required.problem(), &required.fields));
        }
    }
    for rule in plan.rules.rules.iter().filter(|it| !it.fields.iter().any(is_read)) {
        if holds(&mut facts, &rule.check, change, read).await? == Some(false) {
            found.push((rule.problem(), &rule.fields));
        }
    }
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let unseen = field_guard::unseen(plans, change, stored.unwrap_or(cells), read).await?;
    Ok(as_seen(found, &unseen))
}

/// Has changes that count the entities of their resource which refer to the same one wait for each other: the first
/// that counts them locks what they refer to.
async fn keep_count(session: &impl Session, plans: &Plans, change: &Change, read: &Read) -> Result<(), SqlFailure> {
    let Read::CountTo(resource, query) = read else { return Ok(()) };
    if *resource != change.at.resource || !session.locks() {
        return Ok(());
    }
    let of_reference = |filter: &Filter| match &filter.test {
        Test::OneOf { values, .. } => {
            let column = plans.resources[*resource].table.columns.get(filter.column.position())?;
            let (_, plan) = plans.resource(&column.references.as_ref()?.resource)?;
            Some((plan, values.first()?.uuid()?))
        }
        _ => None,
    };
    // a count begins with the reference
    if let Some((plan, id)) = query.filters.first().and_then(of_reference)
        && id != change.id
    {
        session.row_to_change(&plan.statements, id).await?;
    }
    Ok(())
}

/// Whether a condition holds; `None`: it depends on a field of which the request has no valid value, by a way that
/// leads back to the entity.
async fn holds<F, R>(
    facts: &mut KnownFacts<'_>,
    condition: &Typed,
    change: &Change,
    read: F,
) -> Result<Option<bool>, Refusal>
where
    F: Fn(Read) -> R,
    R: Future<Output = Result<ReadResult, Refusal>>,
{
    if change.faulty.is_empty() {
        return facts.holds(condition, read).await.map(Some);
    }
    Ok(facts.value_if_known(condition, read).await?.map(|value| value == Value::Bool(true)))
}

/// Broken rules, as far as the author of the change may know of them: of all that read a field that the author does not
/// see, that there is one.
fn as_seen(found: Vec<(Problem, &BTreeSet<String>)>, unseen: &[String]) -> Vec<Problem> {
    let mut problems: Vec<Problem> = Vec::with_capacity(found.len());
    for (problem, fields) in found {
        let is_seen = !unseen.iter().any(|name| fields.contains(name));
        let problem = if is_seen { problem } else { Problem::new(ErrorCode::RuleBroken) };
        if is_seen || !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    problems
}

/// All problems of a row. A rule that reads a reference to nothing is left out: that it does not hold follows from it.
pub(super) fn with_broken(mut found: Vec<Problem>, broken: Vec<Problem>) -> Vec<Problem> {
    let dangling = found.iter().filter(|problem| problem.code == ErrorCode::NotFound);
    let dangling: Vec<_> = dangling.filter_map(|problem| first_word(problem.path.as_deref()?)).collect();
    let follows = |problem: &Problem| {
        let fields = problem.custom.as_ref().map_or(&[][..], |custom| &custom.fields);
        fields.iter().any(|field| dangling.contains(field))
    };
    let kept: Vec<_> = broken.into_iter().filter(|problem| !follows(problem)).collect();
    found.extend(kept);
    found
}

fn first_word(path: &str) -> Option<String> {
    path.split('.').next().map(str::to_owned)
}
