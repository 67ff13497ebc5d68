//! Compares types: whether the new one can hold the values of the old one.

use super::wording::{changed, names};
use super::{ChangeKind, Comparison, Effect, Storage};
use crate::check::{Kind, ModelPath};
use crate::field::Type;
use crate::service::Enum;
use serde_json::Value;

/// Whether a constraint accepts more or fewer values than before.
#[derive(Clone, Copy, PartialEq)]
enum Takes {
    More,
    Less,
}

impl<'a> Comparison<'a> {
    /// Compares two types and their constraints. Returns whether the stored values are dropped.
    pub(super) fn ty(&mut self, old: &'a Type, new: &'a Type, at: &ModelPath, storage: Storage) -> bool {
        match (self.old.kind(old), self.new.kind(new)) {
            (Kind::Object(before), Kind::Object(now)) => {
                if self.seen.insert((&before.name, &now.name, storage)) {
                    let at = ModelPath::definition(&now.name).key("fields");
                    self.fields(&before.fields, &now.fields, &at, storage);
                }
                false
            }
            (Kind::Enum(before), Kind::Enum(now)) => {
                if self.seen.insert((&before.name, &now.name, storage)) {
                    self.values(before, now);
                }
                false
            }
            (Kind::Array(before), Kind::Array(now)) => {
                self.constraints(old, new, at);
                self.ty(before, now, &at.key("items"), Storage::Json);
                false
            }
            (Kind::Enum(_), Kind::Scalar(Type::String { .. })) => self.widened_to_text(old, new, at),
            (Kind::Scalar(before), Kind::Scalar(now)) => self.scalar(before, now, at, storage),
            (Kind::Scalar(Type::String { .. }), Kind::Enum(_)) => {
                let message = retyped(old, new) + "; stored texts that are not values of it stay";
                self.push(ChangeKind::TypeNarrowed, &at.key("type"), Effect::Consent, message);
                false
            }
            _ => self.replaced(old, new, at, storage),
        }
    }

    fn scalar(&mut self, old: &Type, new: &Type, at: &ModelPath, storage: Storage) -> bool {
        use Type::{Country, Currency, Date, Decimal, Duration, Integer, Language, Ref, String, Timestamp, Uuid};
        let place = at.key("type");
        match (old, new) {
            (Ref { to: before, show, on_delete }, Ref { to, show: shown, on_delete: action }) => {
                self.reference((before, to), at);
                self.key(ChangeKind::Reference, &at.key("onDelete"), (on_delete, action), "none", "");
                self.key(ChangeKind::Reference, &at.key("show"), (show, shown), "none", "");
            }
            (Ref { .. }, Uuid) if storage == Storage::Column => {
                let message = retyped(old, new) + "; new values may be ids of entities that do not exist";
                self.push(ChangeKind::TypeWidened, &place, Effect::Safe, message);
            }
            (Uuid, Ref { .. }) if storage == Storage::Column => {
                let message = retyped(old, new) + "; every stored id must refer to an entity that exists";
                self.push(ChangeKind::TypeNarrowed, &place, Effect::Verified, message);
            }
            (Country | Language | Currency | Duration | Uuid, String { .. }) => {
                return self.widened_to_text(old, new, at);
            }
            (String { .. }, Country | Language | Currency | Duration) => {
                let message = retyped(old, new) + "; stored texts that are not valid values stay";
                self.push(ChangeKind::TypeNarrowed, &place, Effect::Consent, message);
            }
            (Integer { .. }, Decimal { .. }) if storage == Storage::Column => {
                let message = retyped(old, new) + "; every stored number must fit";
                self.push(ChangeKind::TypeWidened, &place, Effect::Verified, message);
            }
            (Date { .. }, Timestamp { .. }) if storage == Storage::Column => {
                let message = retyped(old, new) + "; a stored date becomes midnight of that day";
                self.push(ChangeKind::TypeWidened, &place, Effect::Safe, message);
            }
            (Decimal { scale: before, .. }, Decimal { scale, .. }) => {
                self.scale(*before, *scale, &at.key("scale"));
                self.constraints(old, new, at);
            }
            (old, new) if std::mem::discriminant(old) == std::mem::discriminant(new) => {
                self.constraints(old, new, at);
            }
            _ => return self.replaced(old, new, at, storage),
        }
        false
    }

    /// Compares the targets of a reference. A renamed resource is the same target.
    fn reference(&mut self, (old, new): (&str, &str), at: &ModelPath) {
        let now = self.new.resource(new);
        let is_same = match self.new.resource(old) {
            Some(_) => old == new,
            None => now.is_some_and(|now| now.renamed_from.as_deref() == Some(old)),
        };
        if !is_same {
            let message = changed(&old, &new, "none") + "; every stored id must refer to an entity that exists";
            self.push(ChangeKind::TypeNarrowed, &at.key("to"), Effect::Verified, message);
        }
    }

    fn scale(&mut self, old: u32, new: u32, at: &ModelPath) {
        if new > old {
            let message = changed(&old, &new, "none") + "; every stored number must fit";
            self.push(ChangeKind::ConstraintLoosened, at, Effect::Verified, message);
        } else if new < old {
            let message = changed(&old, &new, "none") + "; stored numbers would lose their last digits";
            self.push(ChangeKind::ConstraintTightened, at, Effect::Consent, message);
        }
    }

    /// A text can hold every value if it has no constraints.
    fn widened_to_text(&mut self, old: &Type, new: &Type, at: &ModelPath) -> bool {
        let place = at.key("type");
        if *new == Type::string() {
            self.push(ChangeKind::TypeWidened, &place, Effect::Safe, retyped(old, new));
        } else {
            let message = retyped(old, new) + "; stored values that violate its constraints stay";
            self.push(ChangeKind::TypeNarrowed, &place, Effect::Consent, message);
        }
        false
    }

    fn replaced(&mut self, old: &Type, new: &Type, at: &ModelPath, storage: Storage) -> bool {
        let stored = match storage {
            Storage::Column => "stored values would be deleted",
            Storage::Json => "stored items stay as they are",
        };
        let message = format!("{}; {stored}", retyped(old, new));
        self.push(ChangeKind::TypeReplaced, &at.key("type"), Effect::Consent, message);
        storage == Storage::Column
    }

    fn values(&mut self, old: &Enum, new: &Enum) {
        let at = ModelPath::definition(&new.name).key("values");
        let missing = |from: &Enum, of: &Enum| {
            names(of.values.iter().filter(|value| !from.values.contains(value)).map(String::as_str))
        };
        if let Some(added) = missing(old, new) {
            self.push(ChangeKind::ValuesAdded, &at, Effect::Safe, format!("gained {added}"));
        }
        if let Some(dropped) = missing(new, old) {
            let message = format!("lost {dropped}; stored rows keep them");
            self.push(ChangeKind::ValuesDropped, &at, Effect::Consent, message);
        }
    }

    fn constraints(&mut self, old: &Type, new: &Type, at: &ModelPath) {
        for (key, takes) in compared(old, new) {
            let at = at.key(key);
            let absent = match key {
                "uniqueItems" => "`false`",
                "currencies" => "all",
                _ => "none",
            };
            let message = changed(&constraint(old, key), &constraint(new, key), absent);
            match takes {
                Takes::More => self.push(ChangeKind::ConstraintLoosened, &at, Effect::Safe, message),
                Takes::Less => {
                    let message = message + "; stored values that violate it stay";
                    self.push(ChangeKind::ConstraintTightened, &at, Effect::Consent, message);
                }
            }
        }
    }
}

/// "changed from `string` to `integer`".
fn retyped(old: &Type, new: &Type) -> String {
    changed(&old.word(), &new.word(), "none")
}

/// The value of a constraint, as the JSON of the type has it; null for one that is not given.
fn constraint(ty: &Type, key: &str) -> Value {
    let keys = serde_json::to_value(ty).unwrap_or_default();
    keys.get(key).cloned().unwrap_or_default()
}

/// The constraints of two types of one kind that differ.
fn compared(old: &Type, new: &Type) -> Vec<(&'static str, Takes)> {
    use Type::{Array, Date, Decimal, Integer, Number, Price, String, Timestamp};
    let found = match (old, new) {
        (
            String { min_length, max_length, pattern, format },
            String { min_length: low, max_length: high, pattern: expression, format: form },
        ) => vec![
            ("minLength", lower(min_length.as_ref(), low.as_ref())),
            ("maxLength", upper(max_length.as_ref(), high.as_ref())),
            ("pattern", exact(pattern.as_ref(), expression.as_ref())),
            ("format", exact(format.as_ref(), form.as_ref())),
        ],
        (Integer { minimum, maximum }, Integer { minimum: low, maximum: high }) => {
            range((minimum.as_ref(), maximum.as_ref()), (low.as_ref(), high.as_ref()))
        }
        (Number { minimum, maximum }, Number { minimum: low, maximum: high }) => {
            range((minimum.as_ref(), maximum.as_ref()), (low.as_ref(), high.as_ref()))
        }
        (Decimal { minimum, maximum, .. }, Decimal { minimum: low, maximum: high, .. }) => {
            range((minimum.as_ref(), maximum.as_ref()), (low.as_ref(), high.as_ref()))
        }
        (Timestamp { minimum, maximum }, Timestamp { minimum: low, maximum: high }) => {
            range((minimum.as_ref(), maximum.as_ref()), (low.as_ref(), high.as_ref()))
        }
        (Date { minimum, maximum }, Date { minimum: low, maximum: high }) => {
            range((minimum.as_ref(), maximum.as_ref()), (low.as_ref(), high.as_ref()))
        }
        (Price { minimum, maximum, currencies }, Price { minimum: low, maximum: high, currencies: taken }) => {
            let mut found = range((minimum.as_ref(), maximum.as_ref()), (low.as_ref(), high.as_ref()));
            found.push(("currencies", among(currencies, taken)));
            found
        }
        (
            Array { min_items, max_items, unique_items, .. },
            Array { min_items: low, max_items: high, unique_items: once, .. },
        ) => vec![
            ("minItems", lower(min_items.as_ref(), low.as_ref())),
            ("maxItems", upper(max_items.as_ref(), high.as_ref())),
            ("uniqueItems", exact(unique_items.then_some(&()), once.then_some(&()))),
        ],
        _ => Vec::new(),
    };
    found.into_iter().filter_map(|(key, takes)| Some((key, takes?))).collect()
}

type Compared = Vec<(&'static str, Option<Takes>)>;

fn range<T: PartialOrd>(old: (Option<&T>, Option<&T>), new: (Option<&T>, Option<&T>)) -> Compared {
    vec![("minimum", lower(old.0, new.0)), ("maximum", upper(old.1, new.1))]
}

fn lower<T: PartialOrd>(old: Option<&T>, new: Option<&T>) -> Option<Takes> {
    bound(old, new, |old, new| new > old)
}

fn upper<T: PartialOrd>(old: Option<&T>, new: Option<&T>) -> Option<Takes> {
    bound(old, new, |old, new| new < old)
}

fn bound<T: PartialEq>(old: Option<&T>, new: Option<&T>, is_tighter: fn(&T, &T) -> bool) -> Option<Takes> {
    match (old, new) {
        (None, None) => None,
        (None, Some(_)) => Some(Takes::Less),
        (Some(_), None) => Some(Takes::More),
        (Some(old), Some(new)) if old == new => None,
        (Some(old), Some(new)) => Some(if is_tighter(old, new) { Takes::Less } else { Takes::More }),
    }
}

/// A changed pattern may accept fewer values: two patterns cannot be compared.
fn exact<T: PartialEq>(old: Option<&T>, new: Option<&T>) -> Option<Takes> {
    bound(old, new, |_, _| true)
}

/// A list of accepted values; an empty list accepts all.
fn among(old: &[String], new: &[String]) -> Option<Takes> {
    let holds = |these: &[String], those: &[String]| {
        these.is_empty() || !those.is_empty() && those.iter().all(|one| these.contains(one))
    };
    match (holds(new, old), holds(old, new)) {
        (true, true) => None,
        (true, false) => Some(Takes::More),
        (false, _) => Some(Takes::Less),
    }
}
