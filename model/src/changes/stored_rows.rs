//! The conditions of the new model that stored rows may break: a migration verifies them.

use super::pairs::{Pair, pairs, reuses_names};
use crate::check::Checked;
use crate::condition::{Condition, Scope, Typed, written_out};
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

/// Whether a condition of the old model says the same in the new one: no name that it may contain stands for something
/// else now.
pub(crate) fn keeps_meanings(old: &Checked, new: &Checked) -> bool {
    let of_resources = pairs(&old.resources, &new.resources).into_iter().filter_map(|pair| match pair {
        Pair::Both(old, new) => Some((&old.fields, &new.fields)),
        Pair::New(_) | Pair::Old(_) => None,
    });
    let of_objects = old.objects.iter().filter_map(|before| Some((&before.fields, &new.object(&before.name)?.fields)));
    let is_reused = |(old, new): (&Vec<Field>, &Vec<Field>)| reuses_names(old, new);
    !reuses_names(&old.resources, &new.resources) && !of_resources.chain(of_objects).any(is_reused)
}

/// The rules that are new, or check something else than before, with their positions in the new model. Without an old
/// service, the same text checks something else.
pub(crate) fn rules_to_verify(
    (before, old): (Option<&Checked>, &Resource),
    (service, new): (&Checked, &Resource),
) -> Vec<(usize, Typed)> {
    let is_kept = |rule: &Rule| {
        let now = written_out(service, Some(new), &rule.check);
        before.is_some_and(|before| old.rules.iter().any(|it| written_out(before, Some(old), &it.check) == now))
    };
    let rules = new.rules.iter().enumerate().filter(|(_, rule)| !is_kept(rule));
    rules.filter_map(|(index, rule)| Some((index, of_rows(service, new, &rule.check)?))).collect()
}

/// The fields that are required under a new condition, with their positions in the new model; as above.
pub(crate) fn required_to_verify(
    (before, old): (Option<&Checked>, &Resource),
    (service, new): (&Checked, &Resource),
) -> Vec<(usize, Typed)> {
    let paired = pairs(&old.fields, &new.fields).into_iter().filter_map(|pair| match pair {
        Pair::Both(before, now) => Some((now, before.required_when.as_ref())),
        Pair::New(now) => Some((now, None)),
        Pair::Old(_) => None,
    });
    let of_field = |(field, was): (&Field, Option<&Condition>)| {
        let is_kept = |when| {
            let was = was.zip(before).map(|(was, before)| written_out(before, Some(old), was));
            was == Some(written_out(service, Some(new), when))
        };
        let when = field.required_when.as_ref().filter(|when| !is_kept(*when) && !is_never_null(field))?;
        let index = new.fields.iter().position(|other| other.name == field.name)?;
        Some((index, of_rows(service, new, when)?))
    };
    paired.filter_map(of_field).collect()
}
