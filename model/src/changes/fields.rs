//! Fields on both sides: of resources, and of the objects in them.

use super::pairs::{Pair, pairs};
use super::{Effect, Lies, Walk, What};
use crate::check::{Checked, Kind, ModelPath};
use crate::field::Field;
use crate::tables::is_never_null;

/// What a field of the old model is called now; its old name where it is gone.
pub(super) fn renamed(old: &[Field], new: &[Field], name: &str) -> String {
    let now = pairs(old, new).into_iter().find_map(|pair| match pair {
        Pair::Both(old, new) if old.name == name => Some(new.name.clone()),
        _ => None,
    });
    now.unwrap_or_else(|| name.to_owned())
}

impl<'a> Walk<'a> {
    /// The fields of one definition.
    pub(super) fn fields(&mut self, old: &'a [Field], new: &'a [Field], at: &ModelPath, lies: Lies) {
        for pair in pairs(old, new) {
            match pair {
                Pair::Both(old, new) => self.field(old, new, &at.key(&new.name), lies),
                Pair::New(new) => self.field_added(new, &at.key(&new.name), lies),
                Pair::Old(old) => {
                    let message = match lies {
                        Lies::InColumns => "is no longer there; its values would be dropped",
                        Lies::InArrays => "is no longer there; items that are stored keep it",
                    };
                    self.gone(What::FieldDropped, &at.key(&old.name), Effect::Consent, message);
                }
            }
        }
    }

    fn field_added(&mut self, field: &Field, at: &ModelPath, lies: Lies) {
        let (effect, message) = match lies {
            _ if needs_value(self.new, field) => {
                (Effect::Default, "is new and required, and rows that are stored have no value for it")
            }
            Lies::InArrays if field.required => (Effect::Consent, "is new; items that are stored lack it"),
            _ => (Effect::Safe, "is new"),
        };
        self.push(What::FieldAdded, at, effect, message);
        if field.unique && field.default.is_some() {
            let message = "is unique, and rows that are stored would all have its default";
            self.push(What::UniqueAdded, &at.key("unique"), Effect::Verified, message);
        }
    }

    fn field(&mut self, old: &'a Field, new: &'a Field, at: &ModelPath, lies: Lies) {
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
            deprecated,
            sunset,
            description: _,
            example: _,
            renamed_from: _,
            allow: _,
        } = new;
        if old.name != *name {
            let message = format!("was `{}`", old.name);
            match lies {
                Lies::InColumns => self.push(What::FieldRenamed, at, Effect::Safe, message),
                Lies::InArrays => {
                    let message = format!("{message}; items that are stored keep the old name");
                    self.push(What::FieldRenamed, at, Effect::Consent, message);
                }
            }
        }
        let replaced = self.ty(&old.ty, ty, at, lies);
        self.required(old, new, replaced, at);
        let mut safe = |is_another: bool, what: What, key: &str, message: &str| {
            if is_another {
                self.push(what, &at.key(key), Effect::Safe, message);
            }
        };
        safe(old.default != *default, What::Default, "default", "is another, for what is written from now on");
        safe(old.immutable != *immutable, What::Writing, "immutable", "is another");
        safe(old.read_only != *read_only, What::Writing, "readOnly", "is another");
        safe(old.write_only != *write_only, What::Writing, "writeOnly", "is another");
        safe(old.filter != *filter, What::Indexed, "filter", "is another: so are the indexes");
        safe(old.sort != *sort, What::Indexed, "sort", "is another: so are the indexes");
        safe(old.unique && !unique, What::UniqueDropped, "unique", "is no longer");
        safe(old.views != *views, What::Scope, "views", "are others");
        safe(old.versions != *versions, What::Scope, "versions", "are others");
        safe((old.deprecated, old.sunset) != (*deprecated, *sunset), What::Lifecycle, "deprecated", "is another");
        if *unique && !old.unique {
            self.push(What::UniqueAdded, &at.key("unique"), Effect::Verified, "is new: no two rows may share it");
        }
        if old.secret != *secret {
            let message = "is another; values that are stored stay as they are kept now";
            self.push(What::Writing, &at.key("secret"), Effect::Consent, message);
        }
    }

    /// Whether rows may lack a value from now on, or no longer. What was replaced has no values left.
    fn required(&mut self, old: &Field, new: &Field, replaced: bool, at: &ModelPath) {
        let (before, now) = (is_never_null(old) && !replaced, is_never_null(new));
        let at = at.key("required");
        if !before && now && needs_value(self.new, new) {
            let message = "is new, and rows that are stored may have no value; a `default` gives them one";
            self.push(What::Required, &at, Effect::Default, message);
        } else if !before && now || !old.required && new.required {
            self.push(What::Required, &at, Effect::Safe, "is new; rows without a value get the default");
        } else if before && !now || old.required && !new.required {
            self.push(What::Optional, &at, Effect::Safe, "is no longer");
        }
    }
}

/// Whether a row that knows nothing of the field needs a value for it which the model does not give.
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
