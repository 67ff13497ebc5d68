//! Compares what can be called: operations, who has access to them, and views.

use super::former_names::{in_calls, keeps_path};
use super::pairs::{Pair, pairs};
use super::wording::changed;
use super::{ChangeDirection, ChangeKind, Comparison, Finding};
use crate::check::ModelPath;
use crate::field::Field;
use crate::resource::{Access, Operation, OperationKind, Resource, View};
use ChangeDirection::{Changed, Gone, Narrower, New, Replaced, Tolerated, Unchanged, Wider};

impl Comparison<'_> {
    /// The operations of a resource or a view.
    pub(super) fn operations(&mut self, old: &[Operation], new: &[Operation], at: &ModelPath) {
        for pair in pairs(old, new) {
            match pair {
                Pair::Both(old, new) => self.within(self.context.announcing(old.notice), |this| {
                    this.operation(old, new, &at.key(new.kind.word()));
                }),
                Pair::New(new) => self.push(Finding::added(ChangeKind::OperationAdded, &at.key(new.kind.word()))),
                Pair::Old(old) => {
                    let finding = Finding::dropped(ChangeKind::OperationDropped, &at.key(old.kind.word()));
                    self.push(finding.announced(old.notice));
                }
            }
        }
    }

    fn operation(&mut self, old: &Operation, new: &Operation, at: &ModelPath) {
        // every key is named, so that a new one is not forgotten; writing what is the default changes nothing
        let Operation { kind, access, open_by_default: _, is_async, notice: _ } = new;
        let is_read = matches!(kind, OperationKind::Get | OperationKind::List);
        self.access(&old.access, access, is_read, at);
        self.key((&old.is_async, is_async), "none", |message| {
            let finding = Finding::new(ChangeKind::Async, &at.key("async"), message).in_code();
            finding.calls(if *is_async { Replaced } else { Changed })
        });
    }

    /// Who has access. Those who may read see the events.
    pub(super) fn access(&mut self, old: &[Access], new: &[Access], shows_events: bool, at: &ModelPath) {
        if old == new {
            return;
        }
        let direction = access_direction(old, new);
        let events = match direction {
            _ if !shows_events => Unchanged,
            New => Tolerated,
            other => other,
        };
        let finding = Finding::new(ChangeKind::Access, &at.key("access"), changed(&old, &new, "none"));
        self.push(finding.everywhere(direction, direction, events));
    }

    /// Who sees entities. An empty list: every caller.
    pub(super) fn visible(&mut self, old: &[Access], new: &[Access], at: &ModelPath) {
        if old == new {
            return;
        }
        let direction = match access_direction(&everyone(old), &everyone(new)) {
            New => Tolerated,
            // who has other credentials sees them, and no caller gets an error
            Changed | Gone => Replaced,
            other => other,
        };
        let finding = Finding::new(ChangeKind::Visible, &at.key("visible"), changed(&old, &new, "none"));
        self.push(finding.everywhere(Unchanged, direction, direction));
    }

    /// Who sees a field. Where not every caller does, it may be null in responses, and in replacements.
    pub(super) fn field_visible(&mut self, old: &Field, (new, is_hidden): (&[Access], bool), at: &ModelPath) {
        if old.visible == new {
            return;
        }
        let direction = match access_direction(&everyone(&old.visible), &everyone(new)) {
            New => Tolerated,
            Changed | Gone => Replaced,
            other => other,
        };
        let message = changed(&old.visible.as_slice(), &new, "none");
        let finding = Finding::new(ChangeKind::FieldVisible, &at.key("visible"), message);
        self.push(match (old.is_hidden(), is_hidden) {
            // some callers get null, and may neither set it nor ask for it
            (false, true) => finding.everywhere(Replaced, Replaced, Replaced),
            // a replacement by callers who did not see it could leave it out
            (true, false) if old.required => finding.sides(Narrower, Narrower, Narrower),
            (true, false) => finding.sides(Wider, Narrower, Narrower),
            _ => finding.everywhere(direction, direction, direction),
        });
    }

    /// Who may change a field.
    pub(super) fn field_writable(&mut self, old: &[Access], new: &[Access], at: &ModelPath) {
        if old == new {
            return;
        }
        let direction = access_direction(&everyone(old), &everyone(new));
        let finding = Finding::new(ChangeKind::FieldWritable, &at.key("writable"), changed(&old, &new, "none"));
        self.push(finding.everywhere(direction, Unchanged, Unchanged));
    }

    pub(super) fn views(&mut self, old: &[View], (resource, new): (&Resource, &[View]), at: &ModelPath) {
        for pair in pairs(old, new) {
            match pair {
                Pair::Both(old, new) => self.within(self.context.announcing(old.notice), |this| {
                    this.view(old, (resource, new), &at.key(&new.name));
                }),
                Pair::New(new) => self.push(Finding::added(ChangeKind::ViewAdded, &at.key(&new.name))),
                Pair::Old(old) => {
                    self.push(Finding::dropped(ChangeKind::ViewDropped, &at.key(&old.name)).announced(old.notice));
                }
            }
        }
    }

    fn view(&mut self, old: &View, (resource, new): (&Resource, &View), at: &ModelPath) {
        let View { name, path, through, filter, operations, formerly, notice: _, allow: _ } = new;
        if old.name != *name {
            // the name is a word of generated code and of the path, which is compared by itself
            let message = format!("was renamed from `{}`", old.name);
            self.push(Finding::new(ChangeKind::ViewRenamed, at, message).in_code());
        }
        self.former_name((&old.name, &old.formerly), (name, formerly), in_calls, at);
        self.key((&old.path, path), "none", |message| {
            let finding = Finding::new(ChangeKind::ViewPath, &at.key("path"), message).in_code();
            finding.calls(if keeps_path(old, (resource, new)) { New } else { Gone })
        });
        self.key((&old.through, through), "none", |message| {
            let finding = Finding::new(ChangeKind::Through, &at.key("through"), message);
            finding.everywhere(Unchanged, Replaced, Unchanged)
        });
        self.key((&old.filter, filter), "none", |message| {
            let finding = Finding::new(ChangeKind::Where, &at.key("where"), message);
            finding.everywhere(Unchanged, Replaced, Unchanged)
        });
        self.operations(&old.operations, operations, &at.key("operations"));
    }
}

/// A list of callers; an empty one means every caller.
fn everyone(list: &[Access]) -> Vec<Access> {
    if list.is_empty() { vec![Access::Anyone] } else { list.to_vec() }
}

/// Those who had access: have they lost it, or can they get it again with other credentials?
fn access_direction(old: &[Access], new: &[Access]) -> ChangeDirection {
    let cut_off: Vec<_> = old.iter().filter(|access| !includes(new, access)).collect();
    let is_opened = new.iter().any(|access| !includes(old, access));
    let are_scopes = cut_off.iter().all(|access| matches!(access, Access::Scope(_)));
    let has_new_scope = new.iter().any(|access| matches!(access, Access::Scope(_)) && !includes(old, access));
    match cut_off.as_slice() {
        [] if is_opened => New,
        [] => Unchanged,
        // every caller can have credentials
        [Access::Anyone] if new.contains(&Access::User) => Changed,
        _ if are_scopes && has_new_scope => Changed,
        _ => Gone,
    }
}

/// Whether everyone who matches an access has one in the list.
fn includes(list: &[Access], access: &Access) -> bool {
    match access {
        Access::Anyone => list.contains(&Access::Anyone),
        Access::User => list.contains(&Access::User) || list.contains(&Access::Anyone),
        Access::Owner | Access::Scope(_) | Access::Role(_) | Access::When(_) | Access::Named(_) => {
            list.contains(access) || includes(list, &Access::User)
        }
    }
}
