//! Compares references: their target, what deleting it does, and what they show of it.

use super::pairs::{Pair, pairs};
use super::wording::changed;
use super::{ChangeDirection, ChangeKind, Comparison, Effect, Finding};
use crate::check::ModelPath;
use crate::field::{Field, OnDelete, Type};
use ChangeDirection::{Changed, Gone, Narrower, New, Replaced, Unchanged};

impl Comparison<'_> {
    /// Compares the targets of a reference. A renamed resource is the same target.
    pub(super) fn target(&mut self, (old, new): (&str, &str), at: &ModelPath) {
        if self.resources.get(old) != Some(&new) {
            let message = match old == new {
                true => format!("`{new}` is not the resource that it was"),
                false => changed(&old, &new, "none"),
            };
            let finding = Finding::new(ChangeKind::Target, &at.key("to"), message);
            let note = "every stored id must refer to an entity that exists";
            self.push(finding.values(Replaced).in_code().rows(Effect::Verified, note));
        }
    }

    pub(super) fn on_delete(&mut self, old: OnDelete, new: OnDelete, at: &ModelPath) {
        self.key((&old, &new), "none", |message| {
            let finding = Finding::new(ChangeKind::OnDelete, &at.key("onDelete"), message);
            match new {
                OnDelete::Restrict => finding.everywhere(Narrower, Unchanged, Unchanged),
                OnDelete::Cascade | OnDelete::Null => finding.everywhere(Unchanged, Changed, Changed).kept(),
            }
        });
    }

    /// What responses have beside the id. Requests may repeat it: it is ignored.
    pub(super) fn show(&mut self, old: &Field, new: &Field, at: &ModelPath) {
        let (Type::Ref { show: before, .. }, Type::Ref { show: now, .. }) = (old.ty.element(), new.ty.element()) else {
            return;
        };
        let at = if matches!(new.ty, Type::Array { .. }) { at.key("items").key("show") } else { at.key("show") };
        for pair in pairs(before, now) {
            match pair {
                Pair::Both(..) => {}
                Pair::New(name) => {
                    self.push(Finding::added(ChangeKind::ShowAdded, &at.key(name)).sides(Unchanged, New, New));
                }
                Pair::Old(name) => {
                    let finding = Finding::dropped(ChangeKind::ShowDropped, &at.key(name)).sides(Unchanged, Gone, Gone);
                    self.push(finding.announced(old.notices.show.get(name).copied()));
                }
            }
        }
    }
}
