//! The conditions of the new model that stored rows may break: a migration verifies them.

use super::pairs::{Pair, pairs};
use crate::check::Checked;
use crate::condition::{Condition, Scope, Typed};
use crate::field::Field;
use crate::resource::{Resource, Rule};
use crate::tables::is_never_null;

/// A condition that rows can be held to: it depends on nothing but what is stored. One that reads `old`, `now` or the
/// caller is about a write.
pub(super) fn of_rows(service: &Checked, resource: &Resource, condition: &Condition) -> Option<Typed> {
    let typed = condition.typed(&Scope { service, entity: Some(resource), old: true }).ok()?;
    let reads = typed.reads();
    (!reads.old && !reads.now && !reads.caller).then_some(typed)
}

/// The rules that are new, or check something else than before, with their positions in the new model.
pub(crate) fn rules_to_verify(old: &Resource, (service, new): (&Checked, &Resource)) -> Vec<(usize, Typed)> {
    let is_kept = |rule: &Rule| old.rules.iter().any(|before| before.check == rule.check);
    let rules = new.rules.iter().enumerate().filter(|(_, rule)| !is_kept(rule));
    rules.filter_map(|(index, rule)| Some((index, of_rows(service, new, &rule.check)?))).collect()
}

/// The fields that are required under a new condition, with their positions in the new model.
pub(crate) fn required_to_verify(old: &Resource, (service, new): (&Checked, &Resource)) -> Vec<(usize, Typed)> {
    let paired = pairs(&old.fields, &new.fields).into_iter().filter_map(|pair| match pair {
        Pair::Both(before, now) => Some((now, before.required_when.as_ref())),
        Pair::New(now) => Some((now, None)),
        Pair::Old(_) => None,
    });
    let of_field = |(field, before): (&Field, Option<&Condition>)| {
        let when = field.required_when.as_ref().filter(|when| before != Some(*when) && !is_never_null(field))?;
        let index = new.fields.iter().position(|other| other.name == field.name)?;
        Some((index, of_rows(service, new, when)?))
    };
    paired.filter_map(of_field).collect()
}
