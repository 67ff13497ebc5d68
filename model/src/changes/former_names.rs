//! Compares `formerly`: the names beside the present ones.

use super::{ChangeDirection, ChangeKind, Comparison, Finding};
use crate::check::ModelPath;
use crate::formerly::Formerly;
use crate::resource::{Resource, View};
use ChangeDirection::{Changed, Gone, New};

/// The present name of something, and its former one.
type Named<'n> = (&'n str, &'n Option<Formerly>);

impl Comparison<'_> {
    /// The names beside the present ones. `seen`: where a change of them is seen, with its direction.
    pub(super) fn former_name(
        &mut self,
        old: Named<'_>,
        new: Named<'_>,
        seen: impl Fn(Finding, ChangeDirection) -> Finding,
        at: &ModelPath,
    ) {
        let at = at.key("formerly");
        let gone = |before: &Formerly| {
            let finding = Finding::dropped(ChangeKind::FormerName, &at.key("name"));
            let finding = Finding { message: format!("`{}` was removed", before.name), ..finding };
            seen(finding, Gone).announced(Some(before.deprecation()))
        };
        let word = |former: &Formerly| former.plural.clone().or_else(|| former.path.clone());
        match (old.1, new.1) {
            (Some(before), Some(now)) if before.name == now.name => {
                self.key((&before.sunset, &now.sunset), "none", |message| {
                    let finding = Finding::new(ChangeKind::Lifecycle, &at.key("sunset"), message);
                    if now.sunset < before.sunset { seen(finding, Changed) } else { finding }
                });
                if word(before) != word(now) {
                    self.push(gone(before));
                }
            }
            (before, now) => {
                if let Some(before) = before.as_ref().filter(|before| before.name != new.0 || word(before).is_some()) {
                    self.push(gone(before));
                }
                if let Some(now) = now.as_ref().filter(|now| now.name != old.0) {
                    let message = format!("`{}` is served too", now.name);
                    self.push(seen(Finding::new(ChangeKind::FormerName, &at.key("name"), message), New).in_code());
                }
            }
        }
    }
}

/// Where a former name in paths and events is seen.
pub(super) fn in_calls(finding: Finding, direction: ChangeDirection) -> Finding {
    finding.everywhere(direction, direction, direction)
}

/// Whether the old name of something is served beside the new one.
pub(super) fn keeps_name(old: &str, new: Named<'_>) -> bool {
    old == new.0 || new.1.as_ref().is_some_and(|former| former.name == old)
}

/// Whether the old plural of a resource is served beside the new one.
pub(super) fn keeps_plural(old: &Resource, new: &Resource) -> bool {
    [false, true].into_iter().any(|is_former| new.plural_of(is_former) == old.plural)
}

/// Whether the old path of a view is served beside the new one.
pub(super) fn keeps_path(old: &View, new: (&Resource, &View)) -> bool {
    let (resource, view) = new;
    let plurals = [false, true].map(|is_former| resource.plural_of(is_former));
    let mut paths = plurals
        .iter()
        .flat_map(|plural| [false, true].map(|is_former| view.path_of(is_former, &resource.plural, plural)));
    paths.any(|path| path == old.path)
}
