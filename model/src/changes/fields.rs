//! Compares the fields of resources, of their objects, and of the inputs and outputs of commands.

use super::context::{Requests, Storage, common};
use super::pairs::{Pair, Renamable, new_names, pairs};
use super::wording::changed;
use super::{ChangeDirection, ChangeKind, Comparison, Effect, Finding};
use crate::check::{Checked, Kind, ModelPath};
use crate::field::{Field, Uniqueness};
use crate::tables::is_never_null;
use ChangeDirection::{Changed, Demanded, Gone, Narrower, New, Tolerated, Unchanged, Wider};

/// The present name of a definition of the old model. One that was removed has no name that another definition has.
pub(super) fn renamed<T: Renamable>(old: &[T], new: &[T], name: &str) -> String {
    match new_names(old, new).get(name) {
        Some(now) => (*now).to_owned(),
        None if new.iter().any(|definition| definition.name() == name) => format!("{name} (removed)"),
        None => name.to_owned(),
    }
}

impl<'a> Comparison<'a> {
    /// The fields of one definition.
    pub(super) fn fields(&mut self, old: &'a [Field], new: &'a [Field], at: &ModelPath) {
        for pair in pairs(old, new) {
            match pair {
                Pair::Both(old, new) => self.field(old, new, &at.key(&new.name)),
                Pair::New(new) => self.field_added(new, &at.key(&new.name)),
                Pair::Old(old) => self.within(self.context.of_field(old), |this| {
                    let (effect, note) = match this.context.storage {
                        Storage::Column if old.computed.is_some() => (Effect::Safe, ""),
                        Storage::Column => (Effect::Consent, "its stored values would be deleted"),
                        Storage::Json | Storage::Command => (Effect::Consent, "stored items keep it"),
                    };
                    let finding = Finding::dropped(ChangeKind::FieldDropped, &at.key(&old.name));
                    this.push(finding.values(Gone).rows(effect, note));
                }),
            }
        }
    }

    fn field_added(&mut self, field: &Field, at: &ModelPath) {
        let is_needed = needs_value(self.new, field);
        let (effect, message, note) = match self.context.storage {
            Storage::Command => (Effect::Safe, "is new", ""),
            _ if is_needed => (Effect::Default, "is new and required, but stored rows have no value for it", ""),
            Storage::Json if field.required => (Effect::Consent, "is new", "stored items do not have it"),
            Storage::Json | Storage::Column => (Effect::Safe, "is new", ""),
        };
        let mut finding = Finding::new(ChangeKind::FieldAdded, at, message).rows(effect, note);
        let returned = if field.write_only { Unchanged } else { New };
        finding = finding.sides(self.in_requests(field), returned, returned);
        let is_in_code = field.required && !field.read_only || self.context.storage == Storage::Command;
        self.push(if is_in_code { finding.in_code() } else { finding });
        if let Some(when) = field.required_when.as_ref().filter(|_| !is_never_null(field)) {
            let (effect, note) = self.required_on_rows(field, at);
            let message = format!("is required where `{when}`, but stored rows have no value");
            let finding = Finding::new(ChangeKind::RequiredWhen, &at.key("required").key("when"), message);
            self.push(finding.rows(effect, note));
        }
        if field.unique.is_on() && field.default.is_some() {
            let message = "is unique, but all stored rows would get its default";
            let finding = Finding::new(ChangeKind::UniqueAdded, &at.key("unique"), message);
            self.push(finding.rows(Effect::Verified, ""));
        }
    }

    /// What requests see of a field that they did not have.
    fn in_requests(&self, field: &Field) -> ChangeDirection {
        match self.context.of_field(field).requests {
            Requests::Read if field.has_to_be_given() => Demanded,
            Requests::Read if self.context.of_field(field).is_reset => Tolerated,
            Requests::Read | Requests::Ignored | Requests::Absent => New,
        }
    }

    fn field(&mut self, old: &'a Field, new: &'a Field, at: &ModelPath) {
        // every key is named, so that a new one is not forgotten
        let Field {
            name,
            ty,
            required: _,      // with what it means for rows, below
            required_when: _, // below
            default: _,       // with `required`, below
            default_is,
            computed: _, // with `readOnly`, below
            immutable,
            read_only: _,
            write_only: _,
            secret: _,
            visible,
            writable,
            filter: _, // with `sort`, below
            sort: _,
            unique,
            views: _,
            versions: _,
            placeholder: _,
            deprecated,
            sunset,
            description: _,
            example: _,
            renamed_from: _,
            formerly: _, // with the name, below
            notices: _,  // among those of the definition
            allow: _,
        } = new;
        self.field_sides(old, new, at);
        self.field_scope(old, new, at);
        self.within(self.context.of_fields(old, new), |this| {
            if old.name != *name {
                let finding = Finding::new(ChangeKind::FieldRenamed, at, format!("was renamed from `{}`", old.name));
                // the old name is served beside the new one
                let is_served = new.names().any(|name| name == old.name);
                this.push(finding.values(if is_served { New } else { Gone }).in_code());
            }
            this.former_name((&old.name, &old.formerly), (&new.name, &new.formerly), Finding::values, at);
            let replaced = this.ty(&old.ty, ty, at);
            this.show(old, new, at);
            this.required(old, new, replaced, at);
            this.default(old, new, at);
            this.required_when(old, new, at);
            this.key((&old.default_is, default_is), "none", |message| {
                let message = message + "; it applies to new rows only";
                let finding = Finding::new(ChangeKind::Default, &at.key("default").key("is"), message);
                finding.sides(Changed, Changed, Unchanged)
            });
            this.key((&old.immutable, immutable), "none", |message| {
                let finding = Finding::new(ChangeKind::Immutable, &at.key("immutable"), message).in_code();
                if *immutable {
                    finding.sides(Narrower, Unchanged, Unchanged)
                } else {
                    finding.sides(Changed, Changed, Unchanged)
                }
            });
            this.field_visible(old, (visible, new.is_hidden()), at);
            this.field_writable(&old.writable, writable, at);
            this.lifecycle(at, (old.deprecated, old.sunset), (*deprecated, *sunset));
            if this.context.storage != Storage::Command {
                this.indexed(old, new, at);
                this.unique(old.unique, *unique, &at.key("unique"));
            }
        });
    }

    /// `readOnly`, `writeOnly` and `secret`: whether requests and responses have the field.
    fn field_sides(&mut self, old: &Field, new: &Field, at: &ModelPath) {
        // what is computed is ignored in requests, whether it was `readOnly` or not
        let ignored = (old.is_ignored_in_requests(), new.is_ignored_in_requests());
        let read_only = if ignored == (true, true) { (&true, &true) } else { (&old.read_only, &new.read_only) };
        self.key(read_only, "none", |message| {
            let sent = match new.read_only {
                true => Gone,
                false if new.has_to_be_given() => Demanded,
                false => Changed,
            };
            let finding = Finding::new(ChangeKind::ReadOnly, &at.key("readOnly"), message);
            finding.sides(sent, Unchanged, Unchanged).in_code().announced(old.notices.writing)
        });
        self.key((&old.computed, &new.computed), "none", |message| {
            let finding = Finding::new(ChangeKind::Computed, &at.key("is"), message);
            match (&old.computed, &new.computed) {
                (None, _) => {
                    let sent = if old.read_only { Unchanged } else { Gone };
                    let finding = finding.sides(sent, Changed, Changed).in_code();
                    finding.rows(Effect::Consent, "its stored values would be deleted")
                }
                (Some(_), None) => {
                    let sent = match new.read_only {
                        true => Unchanged,
                        false if new.has_to_be_given() => Demanded,
                        false => Changed,
                    };
                    finding.sides(sent, Changed, Changed).in_code()
                }
                (Some(_), Some(_)) => finding.sides(Unchanged, Changed, Changed),
            }
        });
        self.key((&old.write_only, &new.write_only), "none", |message| {
            let finding = Finding::new(ChangeKind::WriteOnly, &at.key("writeOnly"), message);
            match new.write_only {
                true => finding.sides(Unchanged, Gone, Gone).in_code(),
                false => finding.sides(Unchanged, New, New),
            }
        });
        self.key((&old.secret, &new.secret), "none", |message| {
            let finding = Finding::new(ChangeKind::Secret, &at.key("secret"), message);
            finding.sides(Changed, Unchanged, Unchanged).rows(Effect::Consent, "stored values stay as they are")
        });
    }

    /// `views` and `versions`: where the field is.
    fn field_scope(&mut self, old: &Field, new: &Field, at: &ModelPath) {
        let gained = |this: &Self| (this.in_requests(&Field { required: false, ..new.clone() }), New);
        let now = |name: &String| self.views.get(name).unwrap_or(name).clone();
        let before = old.views.as_ref().map(|views| views.iter().map(now).collect::<Vec<_>>());
        self.key((&before, &new.views), "all", |message| {
            let is_lost = match (&before, &new.views) {
                (_, None) => false,
                (None, Some(_)) => true,
                (Some(old), Some(new)) => old.iter().any(|view| !new.contains(view)),
            };
            let finding = Finding::new(ChangeKind::FieldViews, &at.key("views"), message).in_code();
            if is_lost {
                finding.sides(Gone, Gone, if old.views.is_none() { Gone } else { Unchanged })
            } else {
                finding.sides(New, New, New)
            }
        });
        if old.versions == new.versions {
            return;
        }
        let all = self.context.versions.clone().unwrap_or_default();
        let (before, now) = (common(&all, old.versions.as_deref()), common(&all, new.versions.as_deref()));
        let lost: Vec<_> = before.iter().copied().filter(|version| !now.contains(version)).collect();
        let finding =
            Finding::new(ChangeKind::FieldVersions, &at.key("versions"), changed(&old.versions, &new.versions, "all"));
        let mut context = self.context.of_field(&Field { versions: None, ..old.clone() });
        let finding = if lost.is_empty() {
            let (sent, returned) = if now.len() > before.len() { gained(self) } else { (Unchanged, Unchanged) };
            finding.sides(sent, returned, returned)
        } else {
            context.versions = Some(lost);
            finding.values(Gone).in_code()
        };
        self.within(context, |this| this.push(finding));
    }

    fn default(&mut self, old: &Field, new: &Field, at: &ModelPath) {
        self.key((&old.default, &new.default), "none", |message| {
            let finding =
                Finding::new(ChangeKind::Default, &at.key("default"), message + "; it applies to new rows only");
            match (&old.default, &new.default) {
                // until now it was null where it was omitted
                (None, _) => finding.sides(Wider, Narrower, Narrower),
                (Some(_), None) if new.required => finding.sides(Narrower, Unchanged, Unchanged).in_code(),
                (Some(_), _) => finding.sides(Changed, Changed, Unchanged),
            }
        });
    }

    fn indexed(&mut self, old: &Field, new: &Field, at: &ModelPath) {
        let (before, now, notices) = (&old.filter, &new.filter, &old.notices);
        let (stays, indexes) = ("the index stays", "the indexes change with it");
        self.key((before, now), "none", |message| {
            let indexed = |filter: &crate::field::Filter| (filter.is_on(), filter.is_indexed_folded());
            let note = if indexed(before) == indexed(now) { stays } else { indexes };
            let is_lost =
                before.is_on() && !now.is_on() || before.matches().iter().any(|it| !now.matches().contains(it));
            let finding = Finding::new(ChangeKind::Filter, &at.key("filter"), format!("{message}; {note}"));
            if is_lost { finding.calls(Gone).in_code().announced(notices.filter) } else { finding.calls(New) }
        });
        self.key((&old.sort, &new.sort), "none", |message| {
            let finding = Finding::new(ChangeKind::Sort, &at.key("sort"), format!("{message}; {indexes}"));
            if new.sort { finding.calls(New) } else { finding.calls(Gone).in_code().announced(notices.sort) }
        });
    }

    fn unique(&mut self, old: Uniqueness, new: Uniqueness, at: &ModelPath) {
        use Uniqueness::{Exact, IgnoreCase, Off};
        let (added, dropped) = (ChangeKind::UniqueAdded, ChangeKind::UniqueDropped);
        let (kind, message, note) = match (old, new) {
            (Off, Off) | (Exact, Exact) | (IgnoreCase, IgnoreCase) => return,
            (_, Off) => (dropped, "was removed", ""),
            (Off, Exact) => (added, "was added", "no two rows may have the same value"),
            (Off, IgnoreCase) => (added, "was added", "no two rows may have the same value, not even in another case"),
            (Exact, IgnoreCase) => {
                let note = "no two rows may have the same value in another case";
                (added, "changed from `true` to `ignoreCase`", note)
            }
            (IgnoreCase, Exact) => {
                let note = "rows may have the same value in another case";
                (dropped, "changed from `ignoreCase` to `true`", note)
            }
        };
        self.push(uniqueness(kind, at, message, note));
    }

    /// Whether a field became required or optional. A replaced type has no stored values.
    fn required(&mut self, old: &Field, new: &Field, replaced: bool, at: &ModelPath) {
        let (before, now) = (is_never_null(old) && !replaced, is_never_null(new));
        let at = at.key("required");
        let is_needed = !before && now && needs_value(self.new, new);
        let (kind, effect, message) = match (old.required, new.required) {
            _ if is_needed => {
                let message = "was added, but stored rows may have no value; a `default` gives them one";
                (ChangeKind::Required, Effect::Default, message)
            }
            (false, true) => (ChangeKind::Required, Effect::Safe, "was added; rows without a value get the default"),
            _ if !before && now => {
                (ChangeKind::Required, Effect::Safe, "was added; rows without a value get the default")
            }
            (true, false) => (ChangeKind::Optional, Effect::Safe, "was removed"),
            _ if before && !now => (ChangeKind::Optional, Effect::Safe, "was removed"),
            _ => return,
        };
        let finding = Finding::new(kind, &at, message).rows(effect, "");
        // an array and a map are never null
        let returned = |direction| if new.ty.is_never_null() { Unchanged } else { direction };
        self.push(match (old.required, new.required) {
            (false, true) => {
                let sent = if new.default.is_some() { Tolerated } else { Narrower };
                finding.sides(sent, returned(Narrower), returned(Narrower)).in_code()
            }
            (true, false) => finding.sides(Wider, returned(Wider), returned(Wider)).in_code(),
            _ => finding,
        });
    }
}

/// Of a field or a combination.
pub(super) fn uniqueness(kind: ChangeKind, at: &ModelPath, message: &str, note: &'static str) -> Finding {
    let finding = Finding::new(kind, at, message);
    match kind {
        ChangeKind::UniqueAdded => finding.sides(Narrower, Unchanged, Unchanged).rows(Effect::Verified, note),
        _ => finding.sides(Unchanged, Wider, Wider).rows(Effect::Safe, note),
    }
}

/// Whether stored rows need a value for a new field that has no default.
fn needs_value(service: &Checked, field: &Field) -> bool {
    if !is_never_null(field) || field.default.is_some() {
        return false;
    }
    match service.kind(&field.ty) {
        Kind::Array(_) | Kind::Map(_) => field.is_never_empty(),
        Kind::Object(object) => object.fields.iter().any(|field| needs_value(service, field)),
        Kind::Scalar(_) | Kind::Enum(_) => true,
    }
}
