//! Compares the fields of resources and of their objects.

use super::pairs::{Pair, pairs};
use super::wording::changed;
use super::{ChangeKind, Comparison, Effect, Storage};
use crate::check::{Checked, Kind, ModelPath};
use crate::field::{Field, Uniqueness};
use crate::tables::is_never_null;

/// The present name of a field of the old model; its old name if it was removed.
pub(super) fn renamed(old: &[Field], new: &[Field], name: &str) -> String {
    let now = pairs(old, new).into_iter().find_map(|pair| match pair {
        Pair::Both(old, new) if old.name == name => Some(new.name.clone()),
        _ => None,
    });
    now.unwrap_or_else(|| name.to_owned())
}

impl<'a> Comparison<'a> {
    /// The fields of one definition.
    pub(super) fn fields(&mut self, old: &'a [Field], new: &'a [Field], at: &ModelPath, storage: Storage) {
        for pair in pairs(old, new) {
            match pair {
                Pair::Both(old, new) => self.field(old, new, &at.key(&new.name), storage),
                Pair::New(new) => self.field_added(new, &at.key(&new.name), storage),
                Pair::Old(old) => {
                    let message = match storage {
                        Storage::Column => "was removed; its stored values would be deleted",
                        Storage::Json => "was removed; stored items keep it",
                    };
                    self.removed(ChangeKind::FieldDropped, &at.key(&old.name), Effect::Consent, message);
                }
            }
        }
    }

    fn field_added(&mut self, field: &Field, at: &ModelPath, storage: Storage) {
        let (effect, message) = match storage {
            _ if needs_value(self.new, field) => {
                (Effect::Default, "is new and required, but stored rows have no value for it")
            }
            Storage::Json if field.required => (Effect::Consent, "is new; stored items do not have it"),
            _ => (Effect::Safe, "is new"),
        };
        self.push(ChangeKind::FieldAdded, at, effect, message);
        if field.unique.is_on() && field.default.is_some() {
            let message = "is unique, but all stored rows would get its default";
            self.push(ChangeKind::UniqueAdded, &at.key("unique"), Effect::Verified, message);
        }
    }

    fn field(&mut self, old: &'a Field, new: &'a Field, at: &ModelPath, storage: Storage) {
        // every key is named, so that a new one is not forgotten
        let Field {
            name,
            ty,
            required: _, // with what it means for rows, below
            default,
            immutable,
            read_only,
            write_only,
            secret,
            filter,
            sort,
            unique,
            views,
            versions,
            placeholder: _,
            deprecated,
            sunset,
            description: _,
            example: _,
            renamed_from: _,
            allow: _,
        } = new;
        if old.name != *name {
            let message = format!("was renamed from `{}`", old.name);
            match storage {
                Storage::Column => self.push(ChangeKind::FieldRenamed, at, Effect::Safe, message),
                Storage::Json => {
                    let message = format!("{message}; stored items keep the old name");
                    self.push(ChangeKind::FieldRenamed, at, Effect::Consent, message);
                }
            }
        }
        let replaced = self.ty(&old.ty, ty, at, storage);
        self.required(old, new, replaced, at);
        let (applies, indexes) = ("it applies to new rows only", "the indexes change with it");
        self.key(ChangeKind::Default, &at.key("default"), (&old.default, default), "none", applies);
        self.key(ChangeKind::Writing, &at.key("immutable"), (&old.immutable, immutable), "none", "");
        self.key(ChangeKind::Writing, &at.key("readOnly"), (&old.read_only, read_only), "none", "");
        self.key(ChangeKind::Writing, &at.key("writeOnly"), (&old.write_only, write_only), "none", "");
        let is_same = old.filter.is_on() == filter.is_on();
        let also = if is_same { "the index stays" } else { indexes };
        self.key(ChangeKind::Indexed, &at.key("filter"), (&old.filter, filter), "none", also);
        self.key(ChangeKind::Indexed, &at.key("sort"), (&old.sort, sort), "none", indexes);
        self.key(ChangeKind::Scope, &at.key("views"), (&old.views, views), "all", "");
        self.key(ChangeKind::Scope, &at.key("versions"), (&old.versions, versions), "all", "");
        self.lifecycle(at, (old.deprecated, old.sunset), (*deprecated, *sunset));
        self.unique(old.unique, *unique, &at.key("unique"));
        if old.secret != *secret {
            let message = changed(&old.secret, secret, "none") + "; stored values stay as they are";
            self.push(ChangeKind::Writing, &at.key("secret"), Effect::Consent, message);
        }
    }

    fn unique(&mut self, old: Uniqueness, new: Uniqueness, at: &ModelPath) {
        use Uniqueness::{Exact, IgnoreCase, Off};
        let (kind, effect, message) = match (old, new) {
            (Off, Off) | (Exact, Exact) | (IgnoreCase, IgnoreCase) => return,
            (_, Off) => (ChangeKind::UniqueDropped, Effect::Safe, "was removed"),
            (Off, Exact) => {
                (ChangeKind::UniqueAdded, Effect::Verified, "was added; no two rows may have the same value")
            }
            (Off, IgnoreCase) => (
                ChangeKind::UniqueAdded,
                Effect::Verified,
                "was added; no two rows may have the same value, not even in another case",
            ),
            (Exact, IgnoreCase) => (
                ChangeKind::UniqueAdded,
                Effect::Verified,
                "changed from `true` to `ignoreCase`; no two rows may have the same value in another case",
            ),
            (IgnoreCase, Exact) => (
                ChangeKind::UniqueDropped,
                Effect::Safe,
                "changed from `ignoreCase` to `true`; rows may have the same value in another case",
            ),
        };
        self.push(kind, at, effect, message);
    }

    /// Whether a field became required or optional. A replaced type has no stored values.
    fn required(&mut self, old: &Field, new: &Field, replaced: bool, at: &ModelPath) {
        let (before, now) = (is_never_null(old) && !replaced, is_never_null(new));
        let at = at.key("required");
        if !before && now && needs_value(self.new, new) {
            let message = "was added, but stored rows may have no value; a `default` gives them one";
            self.push(ChangeKind::Required, &at, Effect::Default, message);
        } else if !before && now || !old.required && new.required {
            self.push(ChangeKind::Required, &at, Effect::Safe, "was added; rows without a value get the default");
        } else if before && !now || old.required && !new.required {
            self.push(ChangeKind::Optional, &at, Effect::Safe, "was removed");
        }
    }
}

/// Whether stored rows need a value for a new field that has no default.
fn needs_value(service: &Checked, field: &Field) -> bool {
    if !is_never_null(field) || field.default.is_some() {
        return false;
    }
    match service.kind(&field.ty) {
        Kind::Array(_) => false,
        Kind::Object(object) => object.fields.iter().any(|field| needs_value(service, field)),
        Kind::Scalar(_) | Kind::Enum(_) => true,
    }
}
